import { throwIfAborted } from "@deputy/kit";
import { type Base, EMPTY_BASE } from "../base.ts";
import { formatBase, parseBase } from "../base-text.ts";
import type { HashBytes } from "../change-set.ts";
import type { FileTree } from "../file-tree.ts";
import { createMemoryFileTree } from "../memory/memory-file-tree.ts";
import type { ShadowStore } from "../shadow-store.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type Entry, type Journal, type Note, openJournal } from "./journal.ts";
import type { OpfsDirectory, SyncHandle, WebLocks } from "./opfs.ts";

/** How long somebody waits for another tab's commit or import. */
const BUSY_MS = 60_000;
/** A journal is written anew when it is larger than this and more than half of it is of no use. */
const SMALLEST_TO_SHRINK = 4 * 1024 * 1024;

const NO_BYTES = new Uint8Array(0);

/** The state that a journal leads to. */
interface Generation {
  readonly number: number;
  readonly journal: Journal;
  readonly tree: FileTree;
  /** Where the record begins that is being made or read: the version of the file that it changes. */
  at: number;
  base: Base;
  snapshots: string | undefined;
  readonly contents: Map<string, Entry["bytes"]>;
}

/**
 * A workspace in the origin's private file system, for workers of a browser. Its files are in memory; what happens to
 * them is written into one file, a record for each change, and read again at the start. Several tabs can work in it.
 */
export function createOpfsShadowStore(options: {
  readonly directory: OpfsDirectory;
  readonly locks: WebLocks;
  /** Names the workspace among the locks of the origin. */
  readonly name: string;
  readonly hash: HashBytes;
  /** The real folders by name. */
  readonly folders: (root: string) => FileTree | undefined;
}): ShadowStore {
  const { directory, locks, name, hash } = options;
  let pointer: SyncHandle | undefined;
  let opened: Generation | undefined;

  const openFile = async (file: string): Promise<SyncHandle> => {
    const handle = await directory.getFileHandle(file, { create: true });
    return await handle.createSyncAccessHandle({ mode: "readwrite-unsafe" });
  };
  const remove = async (file: string): Promise<void> => {
    try {
      await directory.removeEntry(file);
    } catch {
      // Another tab has it open still; the next start removes it.
    }
  };

  const openGeneration = async (number: number): Promise<Generation> => {
    const journal = openJournal(await openFile(`g${String(number)}`));
    const generation: Generation = {
      number,
      journal,
      tree: createMemoryFileTree({ version: () => `${String(number)}.${String(generation.at)}` }),
      at: 0,
      base: EMPTY_BASE,
      snapshots: undefined,
      contents: new Map(),
    };
    return generation;
  };

  /** Which generation counts is in a file of its own, as a number. */
  const activeNumber = (): number => {
    const bytes = new Uint8Array(4);
    return pointer?.read(bytes, { at: 0 }) === 4 ? new DataView(bytes.buffer).getUint32(0) : 0;
  };
  const activate = async (next: Generation): Promise<void> => {
    next.journal.flush();
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, next.number);
    pointer?.write(bytes, { at: 0 });
    pointer?.flush();
    const before = opened;
    opened = next;
    before?.journal.close();
    if (before !== undefined) await remove(`g${String(before.number)}`);
  };
  const nextNumber = async (): Promise<number> => {
    let most = 0;
    for await (const file of directory.keys()) most = Math.max(most, Number(/^g(\d+)$/.exec(file)?.[1] ?? 0));
    return most + 1;
  };

  const catchUp = async (generation: Generation): Promise<void> => {
    const live = new AbortController().signal;
    for (const entry of generation.journal.readNew()) {
      generation.at = entry.at;
      await replay(generation, entry, live);
    }
  };

  const current = async (): Promise<Generation> => {
    if (pointer === undefined) {
      pointer = await openFile("current");
      // What a draft left that never became the workspace, and generations that were in use elsewhere.
      const files: string[] = [];
      for await (const file of directory.keys()) files.push(file);
      const kept = `g${String(activeNumber())}`;
      for (const file of files) if (/^g\d+$/.test(file) && file !== kept) await remove(file);
    }
    const number = activeNumber();
    if (opened === undefined || opened.number !== number) {
      opened?.journal.close();
      opened = undefined;
      const generation = await openGeneration(Math.max(1, number));
      await catchUp(generation);
      if (number === 0) await activate(generation);
      opened = generation;
      await shrink(generation);
    } else await catchUp(opened);
    return opened;
  };

  /** One at a time, in all tabs: nobody writes while somebody else does. */
  const use = async <T>(signal: AbortSignal, job: (generation: Generation) => Promise<T>): Promise<T> => {
    throwIfAborted(signal);
    return await locks.request(`${name}/files`, { signal }, async () => {
      try {
        return await job(await current());
      } catch (error) {
        if (error instanceof WorkspaceError || signal.aborted) throw error;
        // What is in memory may be more than what was written.
        opened?.journal.close();
        opened = undefined;
        throw new WorkspaceError("file_failed", "The browser could not keep the workspace's files", {
          cause: error,
          hint: "Make room in the browser's storage, then try again.",
        });
      }
    });
  };

  const add = (generation: Generation, note: Note, bytes: Uint8Array = NO_BYTES): Entry => {
    const entry = generation.journal.append(note, bytes);
    keepPlace(generation, entry);
    return entry;
  };
  const change = (
    signal: AbortSignal,
    note: Note,
    bytes: Uint8Array,
    apply: (tree: FileTree) => Promise<void>,
    durability: "full" | "relaxed" = "full",
  ): Promise<void> =>
    use(signal, async (generation) => {
      generation.at = generation.journal.end();
      await apply(generation.tree);
      add(generation, note, bytes);
      if (durability === "full") generation.journal.flush();
    });

  const tree: FileTree = {
    stat: (path, signal) => use(signal, (now) => now.tree.stat(path, signal)),
    read: (path, maxBytes, signal) => use(signal, (now) => now.tree.read(path, maxBytes, signal)),
    list: (path, signal) => use(signal, (now) => now.tree.list(path, signal)),
    write: (path, bytes, { executable, durability }, signal) =>
      use(signal, async (generation) => {
        generation.at = generation.journal.end();
        await generation.tree.write(path, bytes, { executable }, signal);
        const made = await generation.tree.stat(path, signal);
        add(generation, { kind: "file", path, executable: made.kind === "file" && made.executable }, bytes);
        if (durability !== "relaxed") generation.journal.flush();
      }),
    remove: (path, signal) =>
      change(signal, { kind: "gone", path }, NO_BYTES, (now) => now.remove(path, signal)),
    makeFolder: (path, signal) =>
      change(signal, { kind: "folder", path }, NO_BYTES, (now) => now.makeFolder(path, signal)),
    removeFolder: (path, signal) =>
      change(signal, { kind: "no_folder", path }, NO_BYTES, (now) => now.removeFolder(path, signal)),
  };

  /** Writes what is in use into a new journal, if most of this one is not. */
  const shrink = async (from: Generation): Promise<void> => {
    const size = from.journal.end();
    if (size < SMALLEST_TO_SHRINK) return;
    const live = new AbortController().signal;
    const files = await listFiles(from.tree, "", live);
    const sizes = await Promise.all(files.map(async ({ path }) => await from.tree.stat(path, live)));
    let used = [...from.contents.values()].reduce((sum, { length }) => sum + length, 0);
    for (const at of sizes) if (at.kind === "file") used += at.size;
    if (used * 2 > size) return;
    const to = await openGeneration(await nextNumber());
    for (const { path, kind } of files) {
      to.at = to.journal.end();
      if (kind === "folder") {
        await to.tree.makeFolder(path, live);
        add(to, { kind: "folder", path });
        continue;
      }
      const bytes = await from.tree.read(path, Number.MAX_SAFE_INTEGER, live);
      const at = await from.tree.stat(path, live);
      const executable = at.kind === "file" && at.executable;
      await to.tree.write(path, bytes, { executable }, live);
      add(to, { kind: "file", path, executable }, bytes);
    }
    for (const [sha256, place] of from.contents)
      add(to, { kind: "content", sha256 }, from.journal.read(place));
    to.base = from.base;
    to.snapshots = from.snapshots;
    add(to, { kind: "base" }, encode(formatBase(from.base)));
    if (from.snapshots !== undefined) add(to, { kind: "snapshots" }, encode(from.snapshots));
    await activate(to);
  };

  return {
    load: (signal) => use(signal, async ({ base }) => ({ base, tree })),
    saveBase: (base, signal) =>
      use(signal, async (generation) => {
        add(generation, { kind: "base" }, encode(formatBase(base)));
        generation.base = base;
        generation.journal.flush();
      }),
    readContent: (sha256, signal) =>
      use(signal, async ({ contents, journal }) => {
        const place = contents.get(sha256);
        const bytes = place === undefined ? undefined : journal.read(place);
        if (bytes === undefined || (await hash(bytes)) !== sha256)
          throw new WorkspaceError("workspace_damaged", "Content of the base is missing");
        return bytes;
      }),
    keepContent: (sha256, bytes, signal) =>
      use(signal, async (generation) => {
        if (!generation.contents.has(sha256)) add(generation, { kind: "content", sha256 }, bytes);
      }),
    loadSnapshots: (signal) => use(signal, async ({ snapshots }) => snapshots),
    saveSnapshots: (text, signal) =>
      use(signal, async (generation) => {
        add(generation, { kind: "snapshots" }, encode(text));
        generation.snapshots = text;
        generation.journal.flush();
      }),
    async begin(signal) {
      const draft = await use(signal, async () => await openGeneration(await nextNumber()));
      let finished = false;
      return {
        async put(path, { bytes, sha256, executable }, stop) {
          throwIfAborted(stop);
          draft.at = draft.journal.end();
          await draft.tree.write(path, bytes, { executable }, stop);
          const { at } = add(draft, { kind: "file", path, executable, sha256 }, bytes);
          return { sha256, size: bytes.length, executable, seen: `${String(draft.number)}.${String(at)}` };
        },
        async finish(base, stop) {
          await use(stop, async () => {
            add(draft, { kind: "base" }, encode(formatBase(base)));
            draft.base = base;
            finished = true;
            await activate(draft);
          });
        },
        async [Symbol.asyncDispose]() {
          if (finished) return;
          draft.journal.close();
          await remove(`g${String(draft.number)}`);
        },
      };
    },
    async lock(signal) {
      throwIfAborted(signal);
      const got = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const late = AbortSignal.timeout(BUSY_MS);
      locks
        .request(`${name}/alone`, { signal: AbortSignal.any([signal, late]) }, () => {
          got.resolve();
          return held.promise;
        })
        .catch(got.reject);
      try {
        await got.promise;
      } catch (error) {
        if (signal.aborted || !late.aborted) throw error;
        throw new WorkspaceError("workspace_busy", "Another tab is committing or importing still");
      }
      return { [Symbol.asyncDispose]: async () => held.resolve() };
    },
    async openReal(root, signal) {
      throwIfAborted(signal);
      const found = options.folders(root);
      if (found === undefined) throw new WorkspaceError("folder_missing", `There is no folder ${root}`);
      return { root, tree: found };
    },
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Remembers where the bytes are that belong to the base. */
function keepPlace({ contents }: Generation, { note, bytes }: Entry): void {
  if ((note.kind === "file" || note.kind === "content") && note.sha256 !== undefined)
    contents.set(note.sha256, bytes);
}

async function replay(generation: Generation, entry: Entry, signal: AbortSignal): Promise<void> {
  const { tree, journal } = generation;
  const { note } = entry;
  keepPlace(generation, entry);
  switch (note.kind) {
    case "file":
      return await tree.write(note.path, journal.read(entry.bytes), { executable: note.executable }, signal);
    case "gone":
      return await tree.remove(note.path, signal);
    case "folder":
      return await tree.makeFolder(note.path, signal);
    case "no_folder":
      return await tree.removeFolder(note.path, signal);
    case "base":
      generation.base = parseBase(new TextDecoder().decode(journal.read(entry.bytes)));
      return;
    case "snapshots":
      generation.snapshots = new TextDecoder().decode(journal.read(entry.bytes));
      return;
    case "content":
      return;
    default:
      throw new Error(`A record of an unknown kind: ${String(note satisfies never)}`);
  }
}

/** Everything in a tree, folders before what is in them. */
async function listFiles(
  tree: FileTree,
  folder: string,
  signal: AbortSignal,
): Promise<readonly { readonly path: string; readonly kind: string }[]> {
  const all: { readonly path: string; readonly kind: string }[] = [];
  for (const { name, kind } of await tree.list(folder, signal)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    all.push({ path, kind });
    if (kind === "folder") all.push(...(await listFiles(tree, path, signal)));
  }
  return all;
}
