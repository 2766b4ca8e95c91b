import type { TurnId } from "@deputy/kit";
import type { EventData, StoredEvent } from "../canonical-event.ts";
import type { LogItem } from "../log/event-log.ts";
import type { OutputItem } from "../wire/output-item.ts";
import { HEARTBEAT_CHANNEL } from "../wire/session-note.ts";
import { createProjection } from "./projection.ts";
import type { StreamEvent, StreamPayload } from "../wire/stream-event.ts";
import type { AssistantDelta } from "../wire/transient-event.ts";

/**
 * What `GET /api/v2/stream/:runId` says for one item of the session's log; nothing for what belongs
 * to no turn. Pure, and never throws. Asking the user is shown as a function call named `approval`,
 * and the answer as its output: a run waits while such a call has none.
 */
export function projectStreamEvents(item: LogItem): readonly StreamEvent[] {
  if (item.kind === "delta") return projectDelta(item.delta);
  const { event } = item;
  const { turnId } = event;
  if (turnId === undefined) return [];
  return projectPayloads(event).map((payload, index) => envelope(event, turnId, index, payload));
}

const projectPayloads = createProjection<StreamPayload>({
  "turn.started": ({ data }) => [{ type: "response_start", agent_id: data.agentId, model: data.model }],
  "turn.completed": ({ data }) => [{ type: "response_done", usage: data.usage, cost: data.cost ?? null }],
  "turn.failed": ({ data }) => [
    {
      type: "response_error",
      status: "failed",
      error: { code: data.code, message: data.message },
      usage: data.usage ?? null,
    },
  ],
  "turn.aborted": ({ data }) => [
    {
      type: "response_error",
      status: "aborted",
      error: { code: "aborted", message: data.reason ?? `Stopped by ${data.by}` },
      usage: null,
    },
  ],

  "user.message": ({ id, data }) =>
    data.channel === HEARTBEAT_CHANNEL
      ? []
      : whole({ type: "message", id, role: "user", status: "completed", text: data.text }),
  "assistant.message": ({ data }) =>
    whole({ type: "message", id: data.itemId, role: "assistant", status: "completed", text: data.text }),
  "assistant.reasoning": ({ data }) =>
    whole({ type: "reasoning", id: data.itemId, status: "completed", text: data.text }),
  error: ({ id, data }) => whole({ type: "error", id, code: data.code, message: data.message }),

  "cell.submitted": ({ data }) => whole(submitted(data)),
  "cell.checked": ({ data }) => checked(data),
  "cell.completed": ({ data }) =>
    data.asCall === true
      ? calledOutput(
          data,
          data.error === undefined ? "succeeded" : "failed",
          data.error?.message ?? asText(data.result),
        )
      : whole({
          type: "script_execution_output",
          id: outputId(data.cellId),
          call_id: data.cellId,
          result: data.result ?? null,
          logs: data.logs,
          operations: data.operations,
          error: data.error ?? null,
        }),

  "call.requested": ({ data }) =>
    data.cellId === undefined
      ? whole({
          type: "function_call",
          id: data.callId,
          call_id: data.callId,
          name: data.toolPath,
          arguments: data.input,
        })
      : [],
  "call.settled": ({ data }) =>
    data.cellId === undefined
      ? whole({
          type: "function_call_output",
          id: outputId(data.callId),
          call_id: data.callId,
          status: data.status,
          output: data.preview ?? data.error?.message ?? "",
        })
      : [],
  "approval.requested": ({ data }) =>
    whole({
      type: "function_call",
      id: askId(data.approvalId),
      call_id: askId(data.approvalId),
      name: "approval",
      arguments: {
        approval_id: data.approvalId,
        tool_path: data.toolPath,
        input: data.input,
        preview: data.preview,
      },
    }),
  "approval.resolved": ({ data }) =>
    whole({
      type: "function_call_output",
      id: outputId(askId(data.approvalId)),
      call_id: askId(data.approvalId),
      status: data.decision === "approved" ? "succeeded" : "denied",
      output: data.reason === undefined ? data.decision : `${data.decision}: ${data.reason}`,
    }),
});

const outputId = (id: string): string => `${id}:output`;
const askId = (approvalId: string): string => `${approvalId}:approval`;

const whole = (item: OutputItem): readonly StreamPayload[] => [
  { type: "item_start", item_id: item.id, item_type: item.type },
  { type: "item_done", item_id: item.id, final_item: item },
];

/** A single call of the model's is shown as such, a program as a script. */
function submitted({ cellId: id, call, language, code }: EventData<"cell.submitted">): OutputItem {
  if (call === undefined) return { type: "script_execution", id, language, code };
  return { type: "function_call", id, call_id: id, name: call.name, arguments: call.input };
}

function calledOutput(
  { cellId }: { readonly cellId: string },
  status: "succeeded" | "failed",
  output: string,
): readonly StreamPayload[] {
  return whole({ type: "function_call_output", id: outputId(cellId), call_id: cellId, status, output });
}

function asText(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result ?? null);
}

/** A cell that never ran has an output too; should it run after all, `cell.completed` replaces this one. */
function checked(data: EventData<"cell.checked">): readonly StreamPayload[] {
  const [first] = data.diagnostics;
  if (first === undefined) return [];
  if (data.asCall === true) return calledOutput(data, "failed", first.message);
  return whole({
    type: "script_execution_output",
    id: outputId(data.cellId),
    call_id: data.cellId,
    result: null,
    logs: [],
    operations: [],
    error: { code: "typecheck_failed", message: first.message, line: first.line },
  });
}

function envelope(event: StoredEvent, turnId: TurnId, index: number, payload: StreamPayload): StreamEvent {
  return {
    event_id: `${event.id}:${index}`,
    run_id: turnId,
    seq: event.seq,
    at: event.at,
    trace: { thread_id: event.stream },
    payload,
  };
}

/** The first piece, and one that repeats the text so far, also says that the item is there. */
function projectDelta(delta: AssistantDelta): readonly StreamEvent[] {
  const { itemId, itemType, offset, text } = delta;
  const frame = { run_id: delta.turnId, seq: null, at: delta.at, trace: { thread_id: delta.stream } };
  const piece: StreamEvent = {
    event_id: `${itemId}:${offset}+${text.length}`,
    ...frame,
    payload: { type: "item_delta", item_id: itemId, offset, text },
  };
  if (offset > 0) return [piece];
  const start: StreamEvent = {
    event_id: `${itemId}:start`,
    ...frame,
    payload: { type: "item_start", item_id: itemId, item_type: itemType },
  };
  return [start, piece];
}
