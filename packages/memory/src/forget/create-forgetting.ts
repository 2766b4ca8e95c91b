import { createKeyedLane, type EventId, throwIfAborted } from "@deputy/kit";
import {
  type EventData,
  type EventLog,
  type ForgetWish,
  type ForgottenCounts,
  type KeptOnForgetting,
  readEvent,
  type StoredEvent,
} from "@deputy/protocol";
import type { Memory } from "../create-memory.ts";
import { type DocumentSource, EVERYONE } from "../document.ts";
import { MemoryError } from "../memory-error.ts";
import type { NoteFiles } from "../notes/note-keeper.ts";
import type { Hash } from "../sync/index-document.ts";
import { type AttachedFiles, forgetInLog } from "./forget-in-log.ts";
import { forgetInNotes, type LineToForget } from "./forget-in-notes.ts";
import { leftOutKey, WHOLE_FILE } from "./left-out.ts";
import { nameOfShown, readWish, type WishMatcher } from "./wish.ts";

export interface ForgetReport {
  readonly removed: ForgottenCounts;
  /** Notes that go as a whole. */
  readonly files: readonly string[];
  readonly kept: readonly KeptOnForgetting[];
  /** The first lines of notes that would go; absent once they are gone. Never in the log. */
  readonly shown?: readonly LineToForget[] | undefined;
}

/**
 * Forgets: notes, what was said, what was recalled, and the index. The wish is in the log until it is done, so that the
 * next start goes on with it, and is erased then. All reject as the log and the index do.
 */
export interface Forgetting {
  /** What would be removed, and what would stay. */
  preview(request: ForgetRequest, signal: AbortSignal): Promise<ForgetReport>;
  forget(request: ForgetRequest & { readonly forgetId: string }, signal: AbortSignal): Promise<ForgetReport>;
  /** Finishes what an earlier process began. Says how much that was. */
  recover(signal: AbortSignal): Promise<number>;
}

export interface ForgetRequest {
  readonly wish: ForgetWish;
  /** Of one agent; absent: of all. */
  readonly agentId?: string | undefined;
  readonly by: string;
}

const STREAM = "system";
const UNNAMED = { what: "a file whose name has it", why: "It is a file of the user's" } as const;
const NOT_FOUND = "it stays as it is, and these lines are not found any more; take them out with an editor";
const NOT_FOUND_WHOLE =
  "it stays as it is, and is not found any more; its name has it, too: rename or delete it";
const MOST_WAITING = 100;

export function createForgetting(deps: {
  readonly log: Pick<EventLog, "append" | "readAll" | "erase" | "journal">;
  readonly files: NoteFiles;
  readonly memory: () => Promise<Pick<Memory, "drop">>;
  /** All files that the index has: what forgetting leaves in them must not be found again. */
  readonly documents: DocumentSource;
  readonly hash: Hash;
  readonly isBusy: (stream: string) => Promise<boolean>;
  /** True while a task, a reminder or a permission that an event belongs to is in use. */
  readonly isInUse: (event: StoredEvent) => Promise<boolean>;
  readonly attached: AttachedFiles;
  /** The agent of a session; undefined for what belongs to none. */
  readonly agentOf: (stream: string) => Promise<string | undefined>;
  /** Takes a whole conversation out of all lists, and erases it. False: there is none of that id. */
  readonly removeSession: (session: string, by: string) => Promise<boolean>;
  /**
   * Other files that still have one of these texts, so that nobody believes it to be gone. `isKept`: the log keeps some
   * of it, so that files which follow the log do, too.
   */
  readonly findTraces: (
    texts: readonly string[],
    isKept: boolean,
    signal: AbortSignal,
  ) => Promise<readonly KeptOnForgetting[]>;
}): Forgetting {
  const { log, files } = deps;
  const lane = createKeyedLane<string>({ maxWaiting: MOST_WAITING });

  const assertWish = ({ text, source, person, since, until }: ForgetWish): void => {
    if ([text, source, person, since, until].some((one) => one !== undefined)) return;
    throw new MemoryError("note_refused", "Nothing says what to forget");
  };

  const carryOut = async (
    { wish, agentId, by }: ForgetRequest,
    how: "erase" | "count",
    except: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<ForgetReport & { readonly leftOut: readonly string[]; readonly isKept: boolean }> => {
    const matcher = readWish(wish);
    const isMeant = async (event: StoredEvent): Promise<boolean> => {
      if (agentId === undefined) return true;
      const { agentId: own } = event.data as { readonly agentId?: unknown };
      return own === agentId || (await deps.agentOf(event.stream)) === agentId;
    };
    const notes = await forgetInNotes(files, matcher, { do: how, agentId }, signal);
    const isWhole = wish.source?.startsWith("ses_") === true && Object.keys(wish).length === 1;
    if (isWhole && how === "erase") await deps.removeSession(wish.source ?? "", by);
    const inLog = await forgetInLog({ ...deps, isMeant }, matcher, { do: how, by, except }, signal);
    const left = await linesLeft(deps, matcher, { do: how, agentId, why: notes.kept }, signal);
    return {
      files: notes.files,
      shown: notes.shown,
      removed: {
        lines: notes.lines,
        files: notes.files.length,
        events: inLog.events,
        recalled: inLog.recalled,
        attachments: inLog.attachments,
        conversations: inLog.sessions.size,
        pieces: 0,
      },
      kept: [...inLog.kept, ...left.kept],
      leftOut: left.leftOut,
      isKept: inLog.kept.length > 0,
    };
  };

  /** The index last, from what is left; then the record, and the wish goes. */
  const finish = async (
    request: ForgetRequest & { readonly forgetId: string },
    wishEvent: EventId,
    signal: AbortSignal,
  ): Promise<ForgetReport> => {
    const matcher = readWish(request.wish);
    const done = await carryOut(request, "erase", new Set([wishEvent]), signal);
    const { forgetId, by } = request;
    const record = (
      removed: ForgottenCounts,
      kept: readonly KeptOnForgetting[],
    ): EventData<"memory.forgotten"> => ({
      forgetId,
      by,
      removed,
      // What a file is called may be what was to be forgotten.
      kept: kept.map((one) => (matcher.isIn(`${one.what} ${one.why}`) ? { ...one, ...UNNAMED } : one)),
      leftOut: [...done.leftOut],
    });
    // Before the index is made again: files that stay must not bring it back.
    if (done.leftOut.length > 0)
      await log.append(STREAM, [{ type: "memory.forgotten", data: record(done.removed, done.kept) }]);
    const memory = await deps.memory();
    const pieces = await memory.drop(
      ({ document, header, text, foreign }) =>
        // What was erased in a conversation does not show in its revision.
        document.kind === "session" ||
        matcher.fits({
          text: `${header}\n${text}`,
          at: dayOf(document.date),
          sources: [document.path, ...foreign],
          names: [header, ...foreign],
        }),
      signal,
    );
    await log.erase(wishEvent, by, "It is forgotten");
    const kept = [...done.kept, ...(await deps.findTraces(matcher.traces, done.isKept, signal))];
    const removed = { ...done.removed, pieces };
    await log.append(STREAM, [{ type: "memory.forgotten", data: record(removed, kept) }]);
    return { removed, files: done.files, kept };
  };

  return {
    preview: (request, signal) =>
      lane.run("all", signal, async () => {
        assertWish(request.wish);
        const { removed, files: whole, kept, shown } = await carryOut(request, "count", new Set(), signal);
        return { removed, files: whole, kept, ...(shown !== undefined && { shown }) };
      }),
    forget: (request, signal) =>
      lane.run("all", signal, async () => {
        assertWish(request.wish);
        const { forgetId, wish, agentId, by } = request;
        const data = { forgetId, wish, by, ...(agentId === undefined ? {} : { agentId }) };
        const [stored] = await log.append(STREAM, [{ type: "memory.forgetting", data }]);
        if (stored === undefined) throw new Error("An append gives what was appended");
        return await finish(request, stored.id, signal);
      }),
    recover: (signal) =>
      lane.run("all", signal, async () => {
        const open = new Map<EventId, ForgetRequest & { readonly forgetId: string }>();
        for await (const { event: stored } of log.readAll({ types: ["memory.forgetting"] })) {
          const read = readEvent(stored);
          if (read.kind === "known" && read.event.type === "memory.forgetting")
            open.set(stored.id, read.event.data);
        }
        for (const [id, request] of open) await finish(request, id, signal);
        return open.size;
      }),
  };
}

/**
 * Lines that are still in files of the index: in those of the user's, and in notes that could not be changed. They stay
 * where they are, and are not indexed again. What cannot be looked through is named. `why` says what is known of notes.
 */
async function linesLeft(
  { documents, hash }: { readonly documents: DocumentSource; readonly hash: Hash },
  matcher: WishMatcher,
  options: {
    readonly do: "erase" | "count";
    readonly agentId: string | undefined;
    readonly why: readonly KeptOnForgetting[];
  },
  signal: AbortSignal,
): Promise<{ readonly leftOut: readonly string[]; readonly kept: readonly KeptOnForgetting[] }> {
  const leftOut: string[] = [];
  const kept = new Map(options.why.map((one) => [one.what, one]));
  const keep = (what: string, why: string, count: number): void => void kept.set(what, { what, why, count });
  const listing = await documents.list(signal);
  const isMeant = ({ scope }: { readonly scope: string }): boolean =>
    options.agentId === undefined || scope === options.agentId || scope === EVERYONE;
  for (const document of listing.documents.filter(isMeant)) {
    const { path, outside, kind } = document;
    const known = kept.get(path);
    // Before anything is erased, notes still have what will go.
    if (options.do === "count" && outside === undefined && known === undefined) continue;
    const read = await document.read(signal).catch((error: unknown) => {
      throwIfAborted(signal);
      if (known === undefined) keep(path, unread(error instanceof Error ? error.message : ""), 1);
      return undefined;
    });
    if (read === undefined) continue;
    const lines = read.text.split("\n");
    const names = nameOfShown(read.path, kind);
    const about = { sources: [path], names, at: dayOf(read.date) };
    const found = matcher.lines(lines, () => about);
    const isCalled = names.some(matcher.isCalled) && matcher.fits({ ...about, text: "" });
    if (found.size === 0 && !isCalled) continue;
    for (const line of found) leftOut.push(leftOutKey(hash, document, lines[line] ?? ""));
    if (isCalled) leftOut.push(leftOutKey(hash, document, WHOLE_FILE));
    const why = known?.why ?? "It is a file of yours";
    keep(path, `${why}: ${isCalled ? NOT_FOUND_WHOLE : NOT_FOUND}`, Math.max(1, found.size));
  }
  const listed = new Set(listing.documents.map(({ path }) => path));
  for (const { path, message } of listing.problems) if (!listed.has(path)) keep(path, unread(message), 1);
  return { leftOut, kept: [...kept.values()] };
}

function unread(message: string): string {
  return `It could not be looked through (${message}): forget again once it can be`;
}

function dayOf(date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${date.slice(0, 10)}T12:00:00.000Z`;
}
