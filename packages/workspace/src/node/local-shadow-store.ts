import { execFile } from "node:child_process";
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, realpathSync, writeSync } from "node:fs";
import { open, readdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { systemCodeOf, throwIfAborted } from "@deputy/kit";
import { type Base, EMPTY_BASE } from "../base.ts";
import { formatBase, parseBase } from "../base-text.ts";
import type { FileTree } from "../file-tree.ts";
import type { DraftFile, RealFolder, ShadowDraft, ShadowStore } from "../shadow-store.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { createPackWriter, openPack, type PackReader } from "./content-pack.ts";
import { fileFailure } from "./file-failure.ts";
import { hashBytes } from "./hash-bytes.ts";
import { createLocalFileTree } from "./local-file-tree.ts";
import { createPartialNotes, type PartialNotes } from "./partial-notes.ts";
import { lockFile } from "./shadow-lock.ts";

/** How many files are synced at the same time. */
const AT_ONCE = 16;

const GENERATION = /^g\d{1,15}$/;

/**
 * A workspace in a folder: `current` names the active generation. It has `tree`, `base.json`, the contents of its import
 * (`pack`), and those that commits brought in since (`objects`).
 */
export interface LocalShadowStore extends ShadowStore {
  /** Where the tree is on disk now, for programs that work in it. */
  treeFolder(signal: AbortSignal): Promise<string>;
}

/** `apart`: folders that the real folder may neither contain nor be inside of. */
export function createLocalShadowStore(options: {
  readonly directory: string;
  readonly apart: readonly string[];
}): LocalShadowStore {
  const { directory } = options;
  const notes = createPartialNotes(directory);
  let ownTree: FileTree | undefined;
  let cached: { readonly key: string; readonly base: Base } | undefined;
  let packed: { readonly generation: string; readonly pack: PackReader } | undefined;

  const openOwn = (): FileTree => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return (ownTree ??= createLocalFileTree(realpathSync(directory)));
  };
  const generationOf = async (signal: AbortSignal): Promise<string> => {
    const own = openOwn();
    const named = await textOf(own, "current", signal);
    if (named !== undefined && GENERATION.test(named.trim())) return named.trim();
    if (named !== undefined)
      throw new WorkspaceError("workspace_damaged", `${join(directory, "current")} names no generation`);
    await own.write("g1/base.json", encode(formatBase(EMPTY_BASE)), {}, signal);
    mkdirSync(join(directory, "g1", "tree"), { recursive: true });
    await own.write("current", encode("g1\n"), {}, signal);
    return "g1";
  };
  const objectOf = (generation: string, sha256: string): string =>
    `${generation}/objects/${sha256.slice(0, 2)}/${sha256.slice(2)}`;

  /** Undefined as well if the disk refuses: the caller says that the content is lost. */
  const readPacked = (generation: string, sha256: string): Uint8Array | undefined => {
    try {
      if (packed?.generation !== generation)
        packed = { generation, pack: openPack(join(directory, generation)) };
      return packed.pack.read(sha256);
    } catch {
      return undefined;
    }
  };

  const loadBase = async (generation: string, signal: AbortSignal): Promise<Base> => {
    const own = openOwn();
    const at = await own.stat(`${generation}/base.json`, signal);
    const key = at.kind === "file" ? `${generation}:${at.version}` : "";
    if (cached?.key === key) return cached.base;
    const text = await textOf(own, `${generation}/base.json`, signal);
    if (text === undefined) throw new WorkspaceError("workspace_damaged", "The workspace has no base.json");
    const base = parseBase(text);
    cached = { key, base };
    return base;
  };

  return {
    async load(signal) {
      const generation = await generationOf(signal);
      const tree = createLocalFileTree(await realpath(join(directory, generation, "tree")));
      return { base: await loadBase(generation, signal), tree };
    },
    async treeFolder(signal) {
      return await realpath(join(directory, await generationOf(signal), "tree"));
    },
    async saveBase(base, signal) {
      const generation = await generationOf(signal);
      await openOwn().write(`${generation}/base.json`, encode(formatBase(base)), {}, signal);
    },
    async readContent(sha256, signal) {
      const generation = await generationOf(signal);
      const bytes =
        readPacked(generation, sha256) ??
        (await openOwn()
          .read(objectOf(generation, sha256), Number.MAX_SAFE_INTEGER, signal)
          .catch(() => undefined));
      if (bytes !== undefined && hashBytes(bytes) === sha256) return bytes;
      throw new WorkspaceError(
        "workspace_damaged",
        "Content that the workspace was made of is lost or changed",
        {
          hint: "Import the folder again.",
        },
      );
    },
    async keepContent(sha256, bytes, signal) {
      const place = objectOf(await generationOf(signal), sha256);
      const own = openOwn();
      if ((await own.stat(place, signal)).kind === "missing") await own.write(place, bytes, {}, signal);
    },
    async loadSnapshots(signal) {
      return await textOf(openOwn(), `${await generationOf(signal)}/snapshots`, signal);
    },
    async saveSnapshots(text, signal) {
      await openOwn().write(`${await generationOf(signal)}/snapshots`, encode(text), {}, signal);
    },
    async begin(signal) {
      const before = await generationOf(signal);
      const generation = `g${Number(before.slice(1)) + 1}`;
      await rm(join(directory, generation), { recursive: true, force: true });
      return draftIn(directory, generation, openOwn());
    },
    async lock(signal) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const held = await lockFile(join(directory, "lock.db"), signal);
      await notes.sweep();
      return held;
    },
    openReal: (root, signal) => openReal(root, [directory, ...options.apart], notes, signal),
  };
}

function draftIn(directory: string, generation: string, own: FileTree): ShadowDraft {
  const folder = join(directory, generation);
  mkdirSync(join(folder, "tree"), { recursive: true });
  const pack = createPackWriter(folder);
  const written: string[] = [];
  let isInForce = false;
  const made = new Set<string>();
  const folderFor = (file: string): void => {
    if (made.has(dirname(file))) return;
    mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
  };

  return {
    // Synchronous: for small files, handing each step to another thread costs more than the step.
    async put(path, { bytes, sha256, executable, mode }: DraftFile, signal) {
      throwIfAborted(signal);
      const file = join(folder, "tree", path);
      try {
        pack.add(sha256, bytes);
        folderFor(file);
        const seen = writeNew(file, bytes, modeOf(executable, mode));
        written.push(file);
        return { sha256, size: bytes.length, executable, seen };
      } catch (error) {
        throw fileFailure(path, error);
      }
    },
    async finish(base, signal) {
      pack.finish();
      if (!(await syncDisk(folder, signal))) await syncAll(written, signal);
      await own.write(`${generation}/base.json`, encode(formatBase(base)), {}, signal);
      await own.write("current", encode(`${generation}\n`), {}, signal);
      isInForce = true;
      for (const name of await readdir(directory))
        if (GENERATION.test(name) && name !== generation)
          await rm(join(directory, name), { recursive: true, force: true });
    },
    async [Symbol.asyncDispose]() {
      pack[Symbol.dispose]();
      if (!isInForce) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As in the folder, but always for Deputy to read and write: who else may is decided by the home above. */
function modeOf(executable: boolean, mode: number | undefined): number {
  return mode === undefined ? (executable ? 0o700 : 0o600) : mode | 0o600;
}

/** Returns the version of the new file. */
function writeNew(file: string, bytes: Uint8Array, mode: number): string {
  const handle = openSync(file, "wx", mode);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at, bytes.length - at);
    let made = fstatSync(handle, { bigint: true });
    if ((Number(made.mode) & 0o777) !== mode) {
      // This process's mask took something away.
      fchmodSync(handle, mode);
      made = fstatSync(handle, { bigint: true });
    }
    return `${made.ino}.${made.size}.${made.mtimeNs}.${made.ctimeNs}`;
  } finally {
    closeSync(handle);
  }
}

/**
 * Syncs the disk on which a folder is, all at once: ten times as quick as file by file. False if this system has no such
 * command.
 */
async function syncDisk(folder: string, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const failed = await new Promise<Error | null>((ended) => {
    execFile("sync", ["-f", folder], { signal }, (error) => ended(error));
  });
  throwIfAborted(signal);
  return failed === null;
}

/** Syncs the whole new tree before it is used; otherwise a power cut could leave empty files. */
async function syncAll(files: readonly string[], signal: AbortSignal): Promise<void> {
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      throwIfAborted(signal);
      await using handle = await open(file, "r");
      await handle.sync();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function openReal(
  root: string,
  apart: readonly string[],
  notes: PartialNotes,
  signal: AbortSignal,
): Promise<RealFolder> {
  throwIfAborted(signal);
  let real: string;
  try {
    real = await realpath(resolve(root));
    if (!(await stat(real)).isDirectory())
      throw new WorkspaceError("folder_missing", `${root} is not a folder`);
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const what = systemCodeOf(error) === "ENOENT" ? `There is no folder ${root}` : `${root} cannot be opened`;
    throw new WorkspaceError("folder_missing", what, {
      cause: error,
      hint: "Nothing was changed. Bring it back, or copy another folder.",
    });
  }
  for (const other of apart) {
    const place = await realpath(other).catch(() => resolve(other));
    if (isIn(place, real) || isIn(real, place))
      throw new WorkspaceError("folder_refused", `${root} holds, or lies in, what Deputy keeps for itself`, {
        hint: "Choose a folder apart from Deputy's home.",
      });
  }
  return { root: real, tree: createLocalFileTree(real, notes) };
}

function isIn(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function textOf(tree: FileTree, path: string, signal: AbortSignal): Promise<string | undefined> {
  if ((await tree.stat(path, signal)).kind === "missing") return undefined;
  return new TextDecoder().decode(await tree.read(path, Number.MAX_SAFE_INTEGER, signal));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
