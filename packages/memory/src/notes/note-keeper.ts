import { type Clock, createKeyedLane, throwIfAborted } from "@deputy/kit";
import { type EventData, type EventLog, type EventOf, readEvent } from "@deputy/protocol";
import { MemoryError } from "../memory-error.ts";
import type { Hash } from "../sync/index-document.ts";
import { formatFact, parseFact } from "./fact-line.ts";
import { editBetween, linesOf, redoEdit, textOf, undoEdit } from "./line-edit.ts";

/** Files that notes are written to. A path begins with the agent: `main/memory/2026-11-17.md`. */
export interface NoteFiles {
  /** Null if there is none. Rejects with `note_refused` for a path that is none of a note, or cannot be read. */
  read(path: string): Promise<string | null>;
  /** Replaces a file as a whole, or removes it; a crash leaves the one or the other. Rejects as `read` does. */
  write(path: string, text: string | null): Promise<void>;
  /** The files with notes and instructions of an agent, or of all. */
  list(agentId: string | undefined): Promise<readonly string[]>;
}

/** Who changes a note, and why that may be. */
export interface ChangeBy {
  /** The same for every attempt at the change. */
  readonly changeId: string;
  readonly agentId: string;
  readonly by: string;
  readonly session?: string | undefined;
  /** Who wrote the words, besides the user. */
  readonly toldBy: readonly string[];
}

/** A file, before and after. */
export interface NoteDraft {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type Change = EventData<"memory.written"> & {
  readonly at: string;
  readonly outcome: "written" | "given_up" | "pending";
  /** The change that took it back. */
  readonly undoneBy?: string;
};

/**
 * Writes notes, each change first as an event and then into the file: what a crash leaves in between is done at the next
 * start. All reject as the log does, and with `note_refused`.
 */
export interface NoteKeeper {
  /** Adds a fact to the notes of today. What it supersedes is a fact that an agent noted, by its text. */
  remember(
    fact: { readonly text: string; readonly supersedes?: string | undefined },
    change: ChangeBy,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly superseded: boolean }>;
  /** Makes a draft real, if the file is still as it was before. */
  write(draft: NoteDraft, change: ChangeBy, signal: AbortSignal): Promise<void>;
  /** Takes a change back; what has changed in the file since stays. */
  undo(
    changeId: string,
    change: Pick<ChangeBy, "changeId" | "by">,
    signal: AbortSignal,
  ): Promise<"undone" | "unknown" | "already" | "changed_since">;
  /** The last changes, the newest first. */
  changes(limit: number): Promise<readonly Change[]>;
  /** Finishes what an earlier process began. Says how much that was. */
  recover(signal: AbortSignal): Promise<number>;
}

export const LARGEST_NOTE_CHARS = 256 * 1024;
const MOST_WAITING = 1_000;
const STREAM = "system";

export function createNoteKeeper(deps: {
  readonly log: Pick<EventLog, "append" | "readAll">;
  readonly files: NoteFiles;
  readonly hash: Hash;
  readonly clock: Clock;
  /** The day in the user's zone: `2026-11-17`. */
  readonly today: () => string;
  /** Called once a file has changed. */
  readonly onChange: () => void;
}): NoteKeeper {
  const { log, files, hash } = deps;
  /** One change at a time: each is made on what the last one left. */
  const lane = createKeyedLane<string>({ maxWaiting: MOST_WAITING });
  const hashOf = (text: string | null): string | null => (text === null ? null : hash(text));

  const readChanges = async (): Promise<ReadonlyMap<string, Change>> => {
    const known = new Map<string, Change>();
    for await (const { event: stored } of log.readAll({ types: ["memory.written", "memory.applied"] })) {
      const read = readEvent(stored);
      if (read.kind !== "known") continue;
      const { event } = read;
      if (event.type === "memory.written") {
        known.set(event.data.changeId, { ...event.data, at: event.at, outcome: "pending" });
        const undone = event.data.undoes === undefined ? undefined : known.get(event.data.undoes);
        if (undone !== undefined) known.set(undone.changeId, { ...undone, undoneBy: event.data.changeId });
      }
      if (event.type !== "memory.applied") continue;
      const change = known.get(event.data.changeId);
      if (change !== undefined) known.set(change.changeId, { ...change, outcome: event.data.outcome });
    }
    return known;
  };

  /** Brings the file to where an event says; from wherever a crash left it. */
  const apply = async (change: EventData<"memory.written">): Promise<"written" | "given_up"> => {
    const current = await files.read(change.path);
    const isThere = hashOf(current) === change.after;
    const after = isThere ? current : redoEdit(current, change.edit);
    // A replacement whose lines somebody else has changed meanwhile is not made.
    const outcome = after === undefined ? "given_up" : "written";
    if (after !== undefined && !isThere) await files.write(change.path, after);
    await log.append(STREAM, [{ type: "memory.applied", data: { changeId: change.changeId, outcome } }]);
    deps.onChange();
    return outcome;
  };

  const make = async (
    { path, before, after }: NoteDraft,
    change: ChangeBy,
    undoes?: string,
  ): Promise<void> => {
    if (before === after) return;
    if ((after?.length ?? 0) > LARGEST_NOTE_CHARS)
      throw new MemoryError("note_refused", `${path} would have more than ${LARGEST_NOTE_CHARS} characters`);
    const { session, ...who } = change;
    const data: EventData<"memory.written"> = {
      ...who,
      ...(session === undefined
        ? {}
        : { session: session as NonNullable<EventOf<"memory.written">["data"]["session"]> }),
      toldBy: [...change.toldBy],
      path,
      edit: editBetween(before, after),
      before: hashOf(before),
      after: hashOf(after),
      ...(undoes === undefined ? {} : { undoes }),
    };
    await log.append(STREAM, [{ type: "memory.written", data }]);
    await apply(data);
  };

  /** True if an earlier attempt has got as far as the log: it is finished then. */
  const isBegun = async (changeId: string): Promise<boolean> => {
    const begun = (await readChanges()).get(changeId);
    if (begun?.outcome === "pending") await apply(begun);
    return begun !== undefined;
  };

  const supersede = async (text: string, by: ChangeBy): Promise<boolean> => {
    const wanted = plain(text);
    for (const path of (await files.list(by.agentId)).toReversed()) {
      const before = await files.read(path);
      const lines = linesOf(before);
      const at = lines.findLastIndex((line) => {
        const fact = parseFact(line);
        return fact !== undefined && fact.supersededBy === undefined && plain(fact.text) === wanted;
      });
      const fact = parseFact(lines[at] ?? "");
      if (fact === undefined) continue;
      const after = textOf(lines.with(at, formatFact({ ...fact, supersededBy: by.changeId })));
      await make({ path, before, after }, { ...by, changeId: `${by.changeId} old` });
      return true;
    }
    return false;
  };

  return {
    remember: ({ text, supersedes }, change, signal) =>
      lane.run("all", signal, async () => {
        const { agentId, changeId, session, toldBy } = change;
        const path = `${agentId}/memory/${deps.today()}.md`;
        const isRepeated = await isBegun(changeId);
        if (!isRepeated) {
          const before = await files.read(path);
          const at = new Date(deps.clock.now()).toISOString();
          const line = formatFact({ id: changeId, text, at, source: session, toldBy });
          const after = textOf([...linesOf(before), line]);
          await make({ path, before, after }, change);
        }
        const superseded = supersedes !== undefined && (await supersede(supersedes, change));
        return { path, superseded };
      }),
    write: (draft, change, signal) =>
      lane.run("all", signal, async () => {
        if (await isBegun(change.changeId)) return;
        if ((await files.read(draft.path)) !== draft.before)
          throw new MemoryError("note_refused", `${draft.path} has changed meanwhile`);
        await make(draft, change);
      }),
    undo: (changeId, change, signal) =>
      lane.run("all", signal, async () => {
        const done = (await readChanges()).get(changeId);
        if (done === undefined || done.outcome === "given_up") return "unknown";
        if (done.undoneBy !== undefined) return "already";
        const before = await files.read(done.path);
        const after = undoEdit(before, done.edit);
        if (after === undefined) return "changed_since";
        const { agentId } = done;
        await make({ path: done.path, before, after }, { ...change, agentId, toldBy: [] }, changeId);
        return "undone";
      }),
    async changes(limit) {
      return [...(await readChanges()).values()].toReversed().slice(0, limit);
    },
    recover: (signal) =>
      lane.run("all", signal, async () => {
        const pending = [...(await readChanges()).values()].filter(({ outcome }) => outcome === "pending");
        for (const change of pending) {
          throwIfAborted(signal);
          await apply(change);
        }
        return pending.length;
      }),
  };
}

function plain(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, " ").replace(/^- /, "").trim().toLowerCase();
}
