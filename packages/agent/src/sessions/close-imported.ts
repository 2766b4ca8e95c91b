import type { TurnId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  isTurnEndType,
  type NewEvent,
  type StreamId,
} from "@deputy/protocol";
import { closingEvents, readOpenItems } from "../turn/open-items.ts";
import { createStreamView } from "../history/stream-view.ts";

const IMPORTED = { code: "interrupted", message: "It was under way where the session came from." };

/**
 * Right after a session came in from a file: says so in the log, and ends what it left open. Nothing in it
 * counts as this user's yes, so grants, questions, turns and tasks stay behind. Rejects as the log does.
 */
export async function closeImported(log: EventLog, stream: StreamId): Promise<void> {
  const events = await createStreamView(log, stream).current();
  await log.append(stream, [{ type: "session.imported", data: {} }, ...endings(events)]);
}

function endings(events: readonly CanonicalEvent[]): NewEvent[] {
  const turns = new Set<TurnId>();
  /** Turns that have ended. The log accepts nothing more of them, even if the file goes on. */
  const endedTurns = new Set<TurnId>();
  const grants = new Set<EventData<"grant.created">["grantId"]>();
  const tasks = new Set<EventData<"task.created">["taskId"]>();
  for (const event of events) {
    const { turnId } = event;
    if (turnId !== undefined && !endedTurns.has(turnId)) turns.add(turnId);
    if (turnId !== undefined && isTurnEndType(event.type)) {
      endedTurns.add(turnId);
      turns.delete(turnId);
    }
    if (event.type === "grant.created") grants.add(event.data.grantId);
    if (event.type === "grant.revoked") grants.delete(event.data.grantId);
    if (event.type === "task.created") tasks.add(event.data.taskId);
    if (event.type === "task.completed" || event.type === "task.cancelled") tasks.delete(event.data.taskId);
  }
  const ended: NewEvent[] = [];
  for (const turnId of turns)
    ended.push(...closingEvents(turnId, readOpenItems(events, turnId), IMPORTED), {
      type: "turn.failed",
      turnId,
      data: IMPORTED,
    });
  for (const grantId of grants) ended.push({ type: "grant.revoked", data: { grantId, by: "import" } });
  for (const taskId of tasks) ended.push({ type: "task.cancelled", data: { taskId, by: "import" } });
  return ended;
}
