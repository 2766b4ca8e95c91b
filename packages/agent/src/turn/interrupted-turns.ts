import type { TurnId } from "@deputy/kit";
import {
  type EventData,
  type EventLog,
  isSessionStream,
  isTurnEndType,
  readEvent,
  type StreamId,
} from "@deputy/protocol";
import { loadFitting } from "../views/log-view.ts";
import { packState, unpackState } from "../views/log-view.ts";
import { copyOf } from "../sessions/event-copy.ts";
import type { Turn } from "./turn.ts";

/** Events that are read at a time, from a session's end towards its beginning. */
const PAGE_EVENTS = 64;

/**
 * The turn of a session that has no end yet: it was begun, or requested and not even begun. Turns that a fork has
 * copied do not count. Reads from the end: a session has one turn at a time, and nothing follows a turn's end, so the
 * last event of any turn decides.
 */
export async function findOpenTurnIn(
  log: Pick<EventLog, "read" | "head">,
  stream: StreamId,
): Promise<TurnId | undefined> {
  for (let before = (await log.head(stream))?.seq ?? 0; before > 0; before -= PAGE_EVENTS) {
    const after = Math.max(0, before - PAGE_EVENTS);
    const page = await Array.fromAsync(log.read(stream, { after, limit: before - after }));
    const last = page.findLast((event) => event.turnId !== undefined && copyOf(event) === undefined);
    if (last !== undefined) return isTurnEndType(last.type) ? undefined : last.turnId;
  }
  return undefined;
}

/**
 * Every turn without an end, except those of tasks and of streams that another process continues. This includes turns
 * that were requested last in their session and not even begun. Reads one event for each session in which something
 * has happened since the last time, and keeps its findings for the next time.
 */
export async function readOpenTurns(
  log: EventLog,
  goneOnWith: ReadonlySet<StreamId>,
): Promise<readonly Turn[]> {
  const { begun, asked } = await findOpenTurns(log);
  const turns: Turn[] = [];
  for (const [turnId, { stream, agentId: named }] of [
    ...begun,
    ...[...asked].filter(([id]) => !begun.has(id)),
  ]) {
    if (goneOnWith.has(stream)) continue;
    const { session, isTask } = await openingOf(log, stream);
    const agentId = named ?? session?.agentId;
    if (agentId === undefined || isTask) continue;
    turns.push({ turnId, stream, agentId, sessionKey: session?.key ?? stream });
  }
  return turns;
}

interface OpenTurn {
  readonly stream: StreamId;
  /** The turn's agent, once the turn has begun. */
  readonly agentId?: string;
}

interface OpenTurns {
  readonly begun: Map<TurnId, OpenTurn>;
  /** Not begun when that was looked at last. */
  readonly asked: Map<TurnId, OpenTurn>;
}

const TURN_EVENTS = ["turn.started", "turn.completed", "turn.failed", "turn.aborted"] as const;
const KEPT_AS = "open turns 1";

async function findOpenTurns(log: EventLog): Promise<OpenTurns> {
  const kept = await loadFitting(log, TURN_EVENTS, KEPT_AS);
  const open: OpenTurns = { begun: new Map(), asked: new Map() };
  if (kept !== undefined) unpackState(open, kept.state);
  const { begun, asked } = open;
  let last = kept;
  for await (const { position, event: stored } of log.readAll({
    after: kept?.position ?? 0,
    types: TURN_EVENTS,
  })) {
    last = { position, eventId: stored.id, state: undefined };
    const read = readEvent(stored);
    if (read.kind !== "known" || copyOf(stored) !== undefined || stored.turnId === undefined) continue;
    const { event } = read;
    asked.delete(stored.turnId);
    if (event.type === "turn.started")
      begun.set(stored.turnId, { stream: stored.stream, agentId: event.data.agentId });
    else begun.delete(stored.turnId);
  }
  for await (const { stream, seq } of log.streams({ changedAfter: kept?.position ?? 0 })) {
    if (!isSessionStream(stream)) continue;
    for (const [turnId, turn] of asked) if (turn.stream === stream) asked.delete(turnId);
    for await (const event of log.read(stream, { after: seq - 1, limit: 1 }))
      if (event.type === "user.message" && event.turnId !== undefined && copyOf(event) === undefined)
        asked.set(event.turnId, { stream });
  }
  if (last !== undefined) await log.snapshots?.save(KEPT_AS, { ...last, state: packState(open) });
  return open;
}

async function openingOf(
  log: EventLog,
  stream: StreamId,
): Promise<{ readonly session: EventData<"session.started"> | undefined; readonly isTask: boolean }> {
  let session: EventData<"session.started"> | undefined;
  let isTask = false;
  for await (const stored of log.read(stream, { limit: 2 })) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") session = read.event.data;
    isTask ||= stored.type === "task.created";
  }
  return { session, isTask };
}
