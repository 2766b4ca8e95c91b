import type { TurnId } from "@deputy/kit";
import type { EventLog, NewEvent, StreamId } from "@deputy/protocol";
import { createLandmarkView } from "./landmark-view.ts";
import { closingEvents, readOpenItems } from "./open-items.ts";
import { createStreamView } from "./stream-view.ts";

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/**
 * Run once at start, before any turn: ends every turn that an earlier process left open, but for those
 * of streams that somebody goes on with. A call that was under way is recorded as `unknown`, never
 * repeated; one that still waited was never run. Returns the streams it touched. Idempotent.
 */
export async function endInterruptedTurns(
  log: EventLog,
  goneOnWith: ReadonlySet<StreamId> = new Set(),
): Promise<readonly StreamId[]> {
  const open = await createLandmarkView(
    log,
    ["turn.started", "turn.completed", "turn.failed", "turn.aborted"],
    new Map<TurnId, StreamId>(),
    (turns, event) => {
      if (event.turnId === undefined) return;
      if (event.type === "turn.started") turns.set(event.turnId, event.stream);
      if (TURN_ENDS.has(event.type)) turns.delete(event.turnId);
    },
  ).current();

  const ended = [...open.state].filter(([, stream]) => !goneOnWith.has(stream));
  for (const [turnId, stream] of ended) {
    const items = readOpenItems(await createStreamView(log, stream).current(), turnId);
    await log.append(stream, [...closingEvents(turnId, items, INTERRUPTED), end(turnId)]);
  }
  return [...new Set(ended.map(([, stream]) => stream))];
}

const INTERRUPTED = { code: "interrupted", message: "Deputy stopped before this was done." };

function end(turnId: TurnId): NewEvent {
  const message = "Deputy stopped in the middle of this turn. Nothing was repeated; ask again to go on.";
  return { type: "turn.failed", turnId, data: { code: "interrupted", message } };
}
