import { expect, test } from "vitest";
import type { EventType } from "../canonical-event.ts";
import { projectStreamEvents } from "./project-stream-events.ts";
import type { StreamEvent, StreamPayload } from "../wire/stream-event.ts";
import { eventTypes, openSampleStream } from "../test/sample-stream.ts";

function setup() {
  const stream = openSampleStream();
  const tell = (type: EventType, change: object = {}): readonly StreamEvent[] => {
    const event = stream.raw(type, { ...stream.data[type], ...change }, stream.turnId);
    return projectStreamEvents({ kind: "event", event });
  };
  const payloads = (type: EventType, change: object = {}): readonly StreamPayload[] =>
    tell(type, change).map((event) => event.payload);
  return { stream, tell, payloads };
}

/** The item of a `[item_start, item_done]` pair, which must agree. */
function itemOf(payloads: readonly StreamPayload[]): unknown {
  const [start, done, ...rest] = payloads;
  expect(rest).toEqual([]);
  if (start?.type !== "item_start" || done?.type !== "item_done") throw new Error("not one whole item");
  expect([done.item_id, done.item_id]).toEqual([start.item_id, done.final_item.id]);
  expect(done.final_item.type).toBe(start.item_type);
  return done.final_item;
}

test("[P15] the envelope is the canonical event's", () => {
  const { stream } = setup();
  const event = stream.event("assistant.message");
  const said = projectStreamEvents({ kind: "event", event });
  expect(said.map((one) => one.event_id)).toEqual([`${event.id}:0`, `${event.id}:1`]);
  for (const one of said) {
    expect(one).toMatchObject({
      run_id: stream.turnId,
      seq: event.seq,
      at: event.at,
      trace: { thread_id: stream.id },
    });
  }
});

test("[P15] no two StreamEvents of a run share an id", () => {
  const { stream } = setup();
  const ids = eventTypes.flatMap((type) =>
    projectStreamEvents({ kind: "event", event: stream.event(type) }).map((said) => said.event_id),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test("[P16] what belongs to no turn is not told", () => {
  const { stream } = setup();
  for (const type of eventTypes) {
    const event = stream.raw(type, stream.data[type]);
    expect(projectStreamEvents({ kind: "event", event }), type).toEqual([]);
  }
});

test("[P17] the run's start and its three ends", () => {
  const { stream, payloads } = setup();
  const { usage, cost } = stream.data["turn.completed"];
  expect(payloads("turn.started")).toEqual([
    { type: "response_start", agent_id: "main", model: "rehearsal/tour" },
  ]);
  expect(payloads("turn.completed")).toEqual([{ type: "response_done", usage, cost }]);
  expect(payloads("turn.completed", { cost: undefined })).toMatchObject([{ cost: null }]);
  expect(payloads("turn.failed", { usage })).toEqual([
    {
      type: "response_error",
      status: "failed",
      error: { code: "model_unreachable", message: "The model did not answer" },
      usage,
    },
  ]);
  expect(payloads("turn.aborted")).toEqual([
    {
      type: "response_error",
      status: "aborted",
      error: { code: "aborted", message: "changed my mind" },
      usage: null,
    },
  ]);
  expect(payloads("turn.aborted", { reason: undefined })).toMatchObject([
    { error: { message: "Stopped by ada" } },
  ]);
});

test("[P18] what was said, thought and gone wrong", () => {
  const { payloads } = setup();
  expect(itemOf(payloads("user.message"))).toMatchObject({
    type: "message",
    role: "user",
    status: "completed",
    text: "Close the stale issues",
  });
  expect(itemOf(payloads("assistant.message"))).toMatchObject({
    type: "message",
    role: "assistant",
    status: "completed",
    text: "Closed 12 issues.",
  });
  expect(itemOf(payloads("assistant.reasoning"))).not.toHaveProperty("opaque");
  expect(itemOf(payloads("assistant.reasoning"))).toMatchObject({ type: "reasoning", text: "They want…" });
  expect(itemOf(payloads("error"))).toMatchObject({ type: "error", code: "budget_exceeded" });
});

test("[P19] a delta carries its offset and no seq; the first says that the item is there", () => {
  const { stream } = setup();
  const itemId = stream.ids.next("item");
  const first = stream.delta(itemId, "reasoning", 0, "They ");
  const [start, piece] = projectStreamEvents({ kind: "delta", delta: first });
  expect(start).toMatchObject({
    seq: null,
    payload: { type: "item_start", item_id: itemId, item_type: "reasoning" },
  });
  expect(piece).toMatchObject({
    run_id: stream.turnId,
    seq: null,
    trace: { thread_id: stream.id },
    payload: { type: "item_delta", item_id: itemId, offset: 0, text: "They " },
  });
  const second = stream.delta(itemId, "reasoning", 5, "want");
  expect(projectStreamEvents({ kind: "delta", delta: second })).toMatchObject([
    { seq: null, payload: { type: "item_delta", offset: 5, text: "want" } },
  ]);
});

test("[P20] a script is told whole, its output apart and pointing to it", () => {
  const { stream, payloads } = setup();
  const { cellId, code } = stream.data["cell.submitted"];
  expect(itemOf(payloads("cell.submitted"))).toEqual({
    type: "script_execution",
    id: cellId,
    language: "typescript",
    code,
  });
  const output = {
    type: "script_execution_output",
    id: `${cellId}:output`,
    call_id: cellId,
    result: { closed: 12 },
    logs: ["closing 7"],
    operations: stream.data["cell.completed"].operations,
    error: null,
  };
  expect(itemOf(payloads("cell.completed"))).toEqual(output);
  const error = { code: "threw", message: "gone", line: 1 };
  expect(itemOf(payloads("cell.completed", { result: undefined, error }))).toEqual({
    ...output,
    result: null,
    error,
  });
});

test("[P21] a script that does not typecheck has an output too", () => {
  const { stream, payloads } = setup();
  const { cellId } = stream.data["cell.checked"];
  expect(itemOf(payloads("cell.checked"))).toMatchObject({
    id: `${cellId}:output`,
    call_id: cellId,
    error: { code: "typecheck_failed", message: "Did you mean 'close'?", line: 2 },
  });
  expect(payloads("cell.checked", { diagnostics: [] })).toEqual([]);
});

test("[P22] plain function calls are told, those of a cell are not", () => {
  const { stream, payloads } = setup();
  const { callId, input } = stream.data["call.requested"];
  expect(itemOf(payloads("call.requested"))).toEqual({
    type: "function_call",
    id: callId,
    call_id: callId,
    name: "github.issues.close",
    arguments: input,
  });
  const output = { type: "function_call_output", id: `${callId}:output`, call_id: callId };
  expect(itemOf(payloads("call.settled"))).toEqual({
    ...output,
    status: "succeeded",
    output: "acme/shop#7 is closed",
  });
  expect(itemOf(payloads("call.settled", { status: "unknown", preview: undefined }))).toEqual({
    ...output,
    status: "unknown",
    output: "",
  });
  const { cellId } = stream.data["cell.submitted"];
  expect(payloads("call.requested", { cellId })).toEqual([]);
  expect(payloads("call.settled", { cellId })).toEqual([]);
});

test("[P23] asking the user is a call of its own, and the answer its output", () => {
  const { stream, payloads } = setup();
  const { approvalId, preview } = stream.data["approval.requested"];
  const asked = `${approvalId}:approval`;
  expect(itemOf(payloads("approval.requested"))).toEqual({
    type: "function_call",
    id: asked,
    call_id: asked,
    name: "approval",
    arguments: {
      approval_id: approvalId,
      tool_path: "github.issues.close",
      input: { issueNumber: 7 },
      preview,
    },
  });
  const answer = { type: "function_call_output", id: `${asked}:output`, call_id: asked };
  expect(itemOf(payloads("approval.resolved"))).toEqual({
    ...answer,
    status: "succeeded",
    output: "approved",
  });
  expect(itemOf(payloads("approval.resolved", { decision: "denied", reason: "too risky" }))).toEqual({
    ...answer,
    status: "denied",
    output: "denied: too risky",
  });
});
