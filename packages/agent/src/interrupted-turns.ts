import type { CallId, TurnId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  type NewEvent,
  readEvent,
  type StreamId,
} from "@deputy/protocol";
import { createLandmarkView } from "./landmark-view.ts";

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
    const state: OpenTurn = { requested: new Map(), started: new Set(), asked: new Set(), cells: new Set() };
    for await (const stored of log.read(stream)) {
      const read = readEvent(stored);
      if (read.kind === "known" && read.event.turnId === turnId) note(state, read.event);
    }
    await log.append(stream, closingEvents(turnId, state));
  }
  return [...new Set(ended.map(([, stream]) => stream))];
}

interface OpenTurn {
  readonly requested: Map<CallId, EventData<"call.requested">>;
  readonly started: Set<CallId>;
  readonly asked: Set<CallId>;
  readonly cells: Set<EventData<"cell.submitted">["cellId"]>;
}

function note(turn: OpenTurn, event: CanonicalEvent): void {
  switch (event.type) {
    case "call.requested":
      turn.requested.set(event.data.callId, event.data);
      break;
    case "call.started":
      turn.started.add(event.data.callId);
      break;
    case "call.settled":
      turn.requested.delete(event.data.callId);
      break;
    case "approval.requested":
      turn.asked.add(event.data.approvalId as CallId);
      break;
    case "approval.resolved":
      turn.asked.delete(event.data.approvalId as CallId);
      break;
    case "cell.submitted":
      turn.cells.add(event.data.cellId);
      break;
    case "cell.completed":
      turn.cells.delete(event.data.cellId);
      break;
    case "cell.checked":
      if (event.data.diagnostics.length > 0) turn.cells.delete(event.data.cellId);
      break;
    default:
  }
}

function closingEvents(turnId: TurnId, turn: OpenTurn): NewEvent[] {
  const error = { code: "interrupted", message: "Deputy stopped before this was done." };
  const denials = [...turn.asked].map((approvalId): NewEvent => {
    const data = {
      approvalId,
      decision: "denied" as const,
      by: "restart",
      scope: "once" as const,
      reason: error.message,
    };
    return { type: "approval.resolved", turnId, data };
  });
  const calls = [...turn.requested.values()].map((call): NewEvent => {
    const running = turn.started.has(call.callId);
    const data: EventData<"call.settled"> = {
      callId: call.callId,
      ...(call.cellId === undefined ? {} : { cellId: call.cellId }),
      toolPath: call.toolPath,
      status: running ? "unknown" : "failed",
      error: running
        ? { code: "unknown", message: "It was running when Deputy stopped; its outcome is unknown." }
        : error,
      attachments: [],
      labels: [],
      durationMs: 0,
    };
    return { type: "call.settled", turnId, data };
  });
  const cells = [...turn.cells].map((cellId): NewEvent => {
    return { type: "cell.completed", turnId, data: { cellId, logs: [], operations: [], error } };
  });
  const end: NewEvent = {
    type: "turn.failed",
    turnId,
    data: {
      code: "interrupted",
      message: "Deputy stopped in the middle of this turn. Nothing was repeated; ask again to go on.",
    },
  };
  return [...denials, ...calls, ...cells, end];
}
