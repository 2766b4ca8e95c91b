import { createKeyedLane, type EventId } from "@deputy/kit";
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
import type { DocumentSource } from "../document.ts";
import { MemoryError } from "../memory-error.ts";
import type { NoteFiles } from "../notes/note-keeper.ts";
import type { Hash } from "../sync/index-document.ts";
import { forgetInLog } from "./forget-in-log.ts";
import { forgetInNotes } from "./forget-in-notes.ts";
import { leftOutKey } from "./left-out.ts";
import { readWish, type WishMatcher } from "./wish.ts";

export interface ForgetReport {
  readonly removed: ForgottenCounts;
  readonly kept: readonly KeptOnForgetting[];
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
const MOST_WAITING = 100;

export function createForgetting(deps: {
  readonly log: Pick<EventLog, "append" | "readAll" | "erase" | "journal">;
  readonly files: NoteFiles;
  readonly memory: () => Promise<Pick<Memory, "drop">>;
  /** Files of the user's that are only read. */
  readonly extra: DocumentSource;
  readonly hash: Hash;
  readonly isBusy: (stream: string) => Promise<boolean>;
  /** The agent of a session; undefined for what belongs to none. */
  readonly agentOf: (stream: string) => Promise<string | undefined>;
  /** Takes a whole conversation out of all lists, and erases it. False: there is none of that id. */
  readonly removeSession: (session: string, by: string) => Promise<boolean>;
  /** Other files that still have one of these texts, so that nobody believes it to be gone. */
  readonly findTraces: (
    texts: readonly string[],
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
  ): Promise<ForgetReport & { readonly leftOut: readonly string[] }> => {
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
    const extra = await linesOfExtra(deps, matcher, signal);
    return {
      removed: {
        lines: notes.lines,
        files: notes.files,
        events: inLog.events,
        recalled: inLog.recalled,
        conversations: inLog.sessions.size,
        pieces: 0,
      },
      kept: [...notes.kept, ...inLog.kept, ...extra.kept],
      leftOut: extra.leftOut,
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
      kept: [...kept],
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
          at: document.date === undefined ? undefined : `${document.date}T12:00:00.000Z`,
          sources: [document.path, ...foreign],
        }),
      signal,
    );
    await log.erase(wishEvent, by, "It is forgotten");
    const kept = [...done.kept, ...(await deps.findTraces(matcher.traces, signal))];
    const removed = { ...done.removed, pieces };
    await log.append(STREAM, [{ type: "memory.forgotten", data: record(removed, kept) }]);
    return { removed, kept };
  };

  return {
    preview: (request, signal) =>
      lane.run("all", signal, async () => {
        assertWish(request.wish);
        const { removed, kept } = await carryOut(request, "count", new Set(), signal);
        return { removed, kept };
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

/** Lines of files that are the user's own: they stay, and are not indexed again. */
async function linesOfExtra(
  { extra, hash }: { readonly extra: DocumentSource; readonly hash: Hash },
  matcher: WishMatcher,
  signal: AbortSignal,
): Promise<{ readonly leftOut: readonly string[]; readonly kept: readonly KeptOnForgetting[] }> {
  const leftOut: string[] = [];
  const kept: KeptOnForgetting[] = [];
  for (const document of (await extra.list(signal)).documents) {
    if (document.kind !== "extra") continue;
    const text = await document.read(signal).catch(() => undefined);
    const lines = text?.text.split("\n") ?? [];
    const found = matcher.lines(lines, () => ({ sources: [document.path] }));
    if (found.size === 0) continue;
    for (const line of found) leftOut.push(leftOutKey(hash, document.path, lines[line] ?? ""));
    kept.push({
      what: document.path,
      why: "It is a file of yours: it stays as it is, and these lines are not found any more",
      count: found.size,
    });
  }
  return { leftOut, kept };
}
