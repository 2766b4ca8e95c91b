import type { CallId, TurnId } from "@deputy/kit";
import type { ApprovalId, EventData, NewEvent } from "@deputy/protocol";
import { RAN_WHEN_STOPPED } from "../gate/receipt.ts";

/** Everything a turn has begun and not ended: calls, questions to the user, cells. */
export interface OpenItems {
  readonly requested: ReadonlyMap<CallId, EventData<"call.requested">>;
  readonly started: ReadonlySet<CallId>;
  readonly asked: ReadonlySet<ApprovalId>;
  readonly cells: ReadonlySet<EventData<"cell.submitted">["cellId"]>;
}

export function readOpenItems(events: Iterable<NewEvent>, turnId: TurnId): OpenItems {
  const requested = new Map<CallId, EventData<"call.requested">>();
  const started = new Set<CallId>();
  const asked = new Set<ApprovalId>();
  const cells = new Set<EventData<"cell.submitted">["cellId"]>();
  for (const event of events) {
    if (event.turnId !== turnId) continue;
    switch (event.type) {
      case "call.requested":
        requested.set(event.data.callId, event.data);
        break;
      case "call.started":
        started.add(event.data.callId);
        break;
      case "call.settled":
        requested.delete(event.data.callId);
        break;
      case "approval.requested":
        asked.add(event.data.approvalId);
        break;
      case "approval.resolved":
        asked.delete(event.data.approvalId);
        break;
      case "cell.submitted":
        cells.add(event.data.cellId);
        break;
      case "cell.completed":
        cells.delete(event.data.cellId);
        break;
      case "cell.checked":
        if (event.data.diagnostics.length > 0) cells.delete(event.data.cellId);
        break;
      default:
    }
  }
  return { requested, started, asked, cells };
}

/** Ends all open items: calls that were running are `unknown`, and calls that still waited were never run. */
export function closingEvents(
  turnId: TurnId,
  items: OpenItems,
  error: { readonly code: string; readonly message: string },
): NewEvent[] {
  const denials = [...items.asked].map((approvalId): NewEvent => {
    const data = {
      approvalId,
      decision: "denied" as const,
      by: "deputy",
      scope: "once" as const,
      reason: error.message,
    };
    return { type: "approval.resolved", turnId, data };
  });
  const calls = [...items.requested.values()].map((call): NewEvent => {
    const wasRunning = items.started.has(call.callId);
    const data: EventData<"call.settled"> = {
      callId: call.callId,
      ...(call.cellId === undefined ? {} : { cellId: call.cellId }),
      toolPath: call.toolPath,
      status: wasRunning ? "unknown" : "failed",
      error: wasRunning ? { code: "unknown", message: RAN_WHEN_STOPPED } : error,
      attachments: [],
      labels: [],
      durationMs: 0,
    };
    return { type: "call.settled", turnId, data };
  });
  const cells = [...items.cells].map((cellId): NewEvent => {
    return { type: "cell.completed", turnId, data: { cellId, logs: [], operations: [], error } };
  });
  return [...denials, ...calls, ...cells];
}
