import { expect, test } from "vitest";
import type { LogItem } from "../log/event-log.ts";
import { createResponseReducer } from "./response-reducer.ts";
import { reduce, tell } from "../test/reduce.ts";
import { openSampleStream } from "../test/sample-stream.ts";

function setup() {
  const stream = openSampleStream();
  const itemId = stream.ids.next("item");
  const delta = (offset: number, text: string, item = itemId): LogItem => ({
    kind: "delta",
    delta: stream.delta(item, "message", offset, text),
  });
  const say = (text: string, item = itemId): LogItem => ({
    kind: "event",
    event: stream.event("assistant.message", { itemId: item, text }),
  });
  const at = (...types: Parameters<typeof stream.event>[0][]): LogItem[] =>
    types.map((type) => ({ kind: "event", event: stream.event(type) }));
  return { stream, itemId, delta, say, at };
}

test("[P28] the end of an item wins over its pieces, before and after", () => {
  const { stream, delta, say, at } = setup();
  const events = tell([
    ...at("turn.started"),
    delta(0, "Hel"),
    say("Hello, Ada."),
    delta(0, "Hello, A"),
    delta(3, "p!"),
  ]);
  for (const order of [events, events.toReversed()])
    expect(reduce(order)?.output).toMatchObject([{ status: "completed", text: "Hello, Ada." }]);
  expect(reduce(events)?.id).toBe(stream.turnId);
});

test("[P28] of two ends the later one counts, in the place of the first", () => {
  const { at } = setup();
  const events = tell(at("cell.submitted", "cell.checked", "user.message", "cell.completed"));
  for (const order of [events, events.toReversed()]) {
    expect(reduce(order)?.output).toMatchObject([
      { type: "script_execution" },
      { type: "script_execution_output", error: null, result: { closed: 12 } },
      { type: "message" },
    ]);
  }
});

test("[P29] open text comes last, in the order it was begun", () => {
  const { stream, itemId, delta, at } = setup();
  const later = stream.ids.next("item");
  const events = tell([
    ...at("turn.started"),
    delta(0, "second", later),
    delta(0, "first"),
    ...at("cell.submitted"),
  ]);
  expect(reduce(events)?.output.map((item) => item.id)).toEqual([
    stream.data["cell.submitted"].cellId,
    itemId,
    later,
  ]);
});

test("[P29] text that was broken off is gone once the run has ended", () => {
  const { delta, say, stream, at } = setup();
  const live = tell([...at("turn.started"), delta(0, "I will"), say("I did.", stream.ids.next("item"))]);
  expect(reduce(live)?.output).toMatchObject([
    { status: "completed", text: "I did." },
    { status: "in_progress", text: "I will" },
  ]);
  const done = [...live, ...tell(at("turn.completed"))];
  expect(reduce(done)?.output).toMatchObject([{ text: "I did." }]);
});

test("[P30] status, usage, cost, error and times", () => {
  const { stream, at } = setup();
  const [started] = at("turn.started");
  const [completed] = at("turn.completed");
  if (started?.kind !== "event" || completed?.kind !== "event") throw new Error("unreachable");
  const { usage, cost } = stream.data["turn.completed"];
  const open = { id: stream.turnId, thread_id: stream.id, agent_id: "main", model: "rehearsal/tour" };
  expect(reduce(tell([started]))).toEqual({
    ...open,
    status: "in_progress",
    output: [],
    usage: null,
    cost: null,
    error: null,
    started_at: started.event.at,
    finished_at: null,
  });
  expect(reduce(tell([started, completed]))).toMatchObject({
    ...open,
    status: "completed",
    usage,
    cost,
    finished_at: completed.event.at,
  });
  expect(reduce(tell([started, ...at("turn.failed")]))).toMatchObject({
    status: "failed",
    usage: null,
    error: { code: "model_unreachable", message: "The model did not answer" },
  });
  expect(reduce(tell([started, ...at("turn.aborted")]))).toMatchObject({ status: "aborted" });
  expect(reduce(tell([completed]))).toMatchObject({ status: "completed", model: null, started_at: null });
});

test("[P30] should a run have two ends, the later one counts", () => {
  const { at } = setup();
  const events = tell(at("turn.started", "turn.failed", "turn.completed"));
  for (const order of [events, events.toReversed()])
    expect(reduce(order)).toMatchObject({ status: "completed", error: null });
});

test("[P30] events of another run are passed over, and nothing is known at first", () => {
  const { stream, at } = setup();
  const reducer = createResponseReducer(stream.ids.next("turn"));
  for (const event of tell(at("turn.started", "assistant.message"))) reducer.apply(event);
  expect(reducer.response()).toBeUndefined();
});
