import { createKeyedLane, type IdSource, type SessionId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, type EventLog, readEvent } from "@deputy/protocol";
import { createSessionIndex, type SessionEntry } from "./session-index.ts";
import { sessionKeyOf } from "./session-key.ts";
import { createSessionReader, type SessionReader } from "./session-reader.ts";

/** Sessions, for callers that have messages for them. All methods reject when the log does. */
export interface SessionService extends SessionReader {
  /**
   * The newest session with that key and agent, to go on with, or a new one. Who opens the same key at the
   * same time gets the same session. Rejects with the signal's reason when it aborts while waiting for that.
   */
  open(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession>;
  /** A new session, which from now on is the one that `open` finds. */
  start(request: SessionRequest): Promise<SessionEntry>;
  /** Names it, archives it or takes it back, or chooses its model. Idempotent, but for an event each time. */
  update(session: SessionId, change: SessionChange, by: string): Promise<void>;
  /**
   * Takes the session out of all lists, then erases what was said and done in it, programs and results included.
   * What it cost stays known. Nothing may run in it any more. Idempotent.
   */
  remove(session: SessionId, by: string): Promise<void>;
  /** A new session that begins as a copy of another. Not idempotent. */
  fork(session: SessionId, options: ForkOptions): Promise<ForkOutcome>;
}

export type SessionRequest = Pick<
  EventData<"session.started">,
  "key" | "agentId" | "channel" | "model" | "effort"
>;

/** Fields that are absent stay as they were. */
export interface SessionChange {
  /** Null: it has no name any more. */
  readonly title?: string | null;
  readonly archived?: boolean;
  /** Null: its agent's answers again. */
  readonly model?: string | null;
  readonly effort?: SessionRequest["effort"] | null;
}

export interface OpenedSession {
  readonly kind: "resumed" | "started";
  readonly session: SessionEntry;
}

export interface ForkOptions {
  /** The last event to copy; less is copied when a turn was going on then. Absent: all. */
  readonly throughSeq?: number;
  /** The key of the new session. Absent: it gets one of its own. */
  readonly key?: string;
}

export type ForkOutcome =
  | {
      readonly kind: "forked";
      readonly session: SessionEntry;
      readonly throughSeq: number;
      readonly copied: number;
    }
  | { readonly kind: "unknown_session" }
  /** No turn had ended by then. */
  | { readonly kind: "nothing_to_copy" };

const MAX_WAITING_FOR_KEY = 100;

export function createLogSessionService(deps: {
  readonly log: EventLog;
  readonly ids: IdSource;
}): SessionService {
  const { log, ids } = deps;
  const index = createSessionIndex(log);
  const opening = createKeyedLane<string>({ maxWaiting: MAX_WAITING_FOR_KEY });

  const found = async (id: SessionId): Promise<SessionEntry> => {
    const entry = await index.get(id);
    if (entry === undefined) throw new Error(`${id} is not in the log it was just written to`);
    return entry;
  };
  const start = async ({ key, agentId, channel, model, effort }: SessionRequest): Promise<SessionEntry> => {
    const id = ids.next("session");
    const chosen = { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
    const data = { key, agentId, channel, ...chosen };
    await log.append(id, [{ type: "session.started", data }], { expectedSeq: 0 });
    return await found(id);
  };

  return {
    ...createSessionReader(log, index),
    start,
    open: (request, signal) =>
      opening.run(request.key, signal, async () => {
        const known = await index.newestWith(request.key, request.agentId);
        if (known !== undefined) return { kind: "resumed", session: known };
        return { kind: "started", session: await start(request) };
      }),
    async update(session, change, by) {
      await log.append(session, [{ type: "session.updated", data: { by, ...change } }]);
    },
    async remove(session, by) {
      await log.append(session, [{ type: "session.updated", data: { by, deleted: true } }]);
      const { eraseSession } = await import("./erase-session.ts");
      await eraseSession(log, session, by);
    },
    async fork(session, { throughSeq = Number.MAX_SAFE_INTEGER, key }) {
      const source = await index.get(session);
      if (source === undefined) return { kind: "unknown_session" };
      const { draftFork } = await import("./draft-fork.ts");
      const fork = draftFork(await readKnown(log, session), throughSeq);
      if (fork === undefined) return { kind: "nothing_to_copy" };
      const id = ids.next("session");
      const { agentId, channel, model, effort } = source;
      const data: EventData<"session.started"> = {
        agentId,
        channel,
        key: key ?? sessionKeyOf({ channel, sender: id }),
        ...(model !== undefined && { model }),
        ...(effort !== undefined && { effort }),
        forkedFrom: { stream: session, throughSeq: fork.throughSeq },
      };
      await log.append(id, [{ type: "session.started", data }, ...fork.copies], { expectedSeq: 0 });
      const { copies, ...made } = fork;
      return { kind: "forked", session: await found(id), ...made, copied: copies.length };
    },
  };
}

/** The events of a session that this version knows. */
export async function readKnown(log: EventLog, session: SessionId): Promise<CanonicalEvent[]> {
  const events: CanonicalEvent[] = [];
  for await (const stored of log.read(session)) {
    const read = readEvent(stored);
    if (read.kind === "known") events.push(read.event);
  }
  return events;
}
