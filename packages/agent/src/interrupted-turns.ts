import type { TurnId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  isTurnEndType,
  readEvent,
  type StreamId,
} from "@deputy/protocol";
import { createLandmarkView } from "./landmark-view.ts";
import { copyOf } from "./sessions/event-copy.ts";
import type { Turn } from "./turn.ts";

/**
 * The turn of a session that an earlier process left without an end: begun, or asked for and not even
 * begun. What a fork has copied is not its own to go on with.
 */
export function findOpenTurn(events: Iterable<CanonicalEvent>): TurnId | undefined {
  const open = new Set<TurnId>();
  for (const event of events) {
    const { turnId, type } = event;
    if (turnId === undefined || copyOf(event) !== undefined) continue;
    if (type === "user.message" || type === "turn.started") open.add(turnId);
    if (isTurnEndType(type)) open.delete(turnId);
  }
  return [...open].at(-1);
}

/** The same, read from the log. */
export async function findOpenTurnIn(
  log: Pick<EventLog, "read">,
  stream: StreamId,
): Promise<TurnId | undefined> {
  const telling: CanonicalEvent[] = [];
  for await (const stored of log.read(stream)) {
    if (stored.type !== "user.message" && stored.type !== "turn.started" && !isTurnEndType(stored.type))
      continue;
    const read = readEvent(stored);
    if (read.kind === "known") telling.push(read.event);
  }
  return findOpenTurn(telling);
}

/**
 * Every turn without an end, but for those of streams that somebody else goes on with: those that were begun,
 * and those that were asked for last in their session and not even begun. Reads one event per session for that.
 */
export async function readOpenTurns(
  log: EventLog,
  goneOnWith: ReadonlySet<StreamId>,
): Promise<readonly Turn[]> {
  const { state } = await createLandmarkView(
    log,
    ["turn.started", "turn.completed", "turn.failed", "turn.aborted"],
    new Map<TurnId, OpenTurn>(),
    (turns, event) => {
      const { turnId, stream, type } = event;
      if (turnId === undefined || copyOf(event) !== undefined) return;
      if (event.type === "turn.started") turns.set(turnId, { stream, agentId: event.data.agentId });
      if (isTurnEndType(type)) turns.delete(turnId);
    },
  ).current();
  const open = new Map(state);
  for await (const { stream, seq } of log.streams()) {
    if (goneOnWith.has(stream)) continue;
    for await (const event of log.read(stream, { after: seq - 1, limit: 1 }))
      if (event.type === "user.message" && event.turnId !== undefined && copyOf(event) === undefined)
        if (!open.has(event.turnId)) open.set(event.turnId, { stream });
  }
  const turns: Turn[] = [];
  for (const [turnId, { stream, agentId: named }] of open) {
    if (goneOnWith.has(stream)) continue;
    const session = await sessionOf(log, stream);
    const agentId = named ?? session?.agentId;
    if (agentId !== undefined) turns.push({ turnId, stream, agentId, sessionKey: session?.key ?? stream });
  }
  return turns;
}

interface OpenTurn {
  readonly stream: StreamId;
  /** Whose it is, once it was begun. */
  readonly agentId?: string;
}

async function sessionOf(log: EventLog, stream: StreamId): Promise<EventData<"session.started"> | undefined> {
  for await (const stored of log.read(stream)) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") return read.event.data;
  }
  return undefined;
}
