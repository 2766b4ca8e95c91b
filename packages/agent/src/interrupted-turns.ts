import type { TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import { createLandmarkView } from "./landmark-view.ts";
import { copyOf } from "./sessions/event-copy.ts";
import type { Turn } from "./turn.ts";

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

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
    if (TURN_ENDS.has(type)) open.delete(turnId);
  }
  return [...open].at(-1);
}

/** Every turn that was begun and has no end, but for those of streams that somebody else goes on with. */
export async function readOpenTurns(
  log: EventLog,
  goneOnWith: ReadonlySet<StreamId>,
): Promise<readonly Turn[]> {
  const { state } = await createLandmarkView(
    log,
    ["turn.started", "turn.completed", "turn.failed", "turn.aborted"],
    new Map<TurnId, Omit<Turn, "sessionKey">>(),
    (turns, event) => {
      const { turnId, stream, type } = event;
      if (turnId === undefined || copyOf(event) !== undefined) return;
      if (event.type === "turn.started") turns.set(turnId, { turnId, stream, agentId: event.data.agentId });
      if (TURN_ENDS.has(type)) turns.delete(turnId);
    },
  ).current();
  const open: Turn[] = [];
  for (const turn of state.values()) {
    if (goneOnWith.has(turn.stream)) continue;
    open.push({ ...turn, sessionKey: await keyOf(log, turn.stream) });
  }
  return open;
}

async function keyOf(log: EventLog, stream: StreamId): Promise<string> {
  for await (const stored of log.read(stream)) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") return read.event.data.key;
  }
  return stream;
}
