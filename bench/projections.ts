import type { TurnId } from "@deputy/kit";
import {
  type LogItem,
  projectTaskEvents,
  readEvent,
  type StoredEvent,
  type StreamEvent,
} from "@deputy/protocol";
import { createResponseReducer, projectPushes, projectStreamEvents } from "@deputy/protocol/projections";
import { eventTypes, openSampleStream } from "../packages/protocol/src/test/sample-stream.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(7, 1);
const ROUND_MS = sized(120, 5);
const LARGE_OPERATIONS = sized(200, 10);

/** CPU time of one projection per event, as a ratio to parsing and printing the same event as JSON. */
export async function benchProjections(): Promise<void> {
  const { events, deltas, large, turnId } = sampleLog();
  const texts = events.map((item) => JSON.stringify(item.event));
  const streamEvents = [...events, ...deltas].flatMap((item) => projectStreamEvents(item));

  const json = cpuPerItemUs(texts, (text) => JSON.stringify(JSON.parse(text)).length);
  const largeText = JSON.stringify(large.event);
  const largeJson = cpuPerItemUs([largeText], (text) => JSON.stringify(JSON.parse(text)).length);

  console.log(`One event of each of ${events.length} types, CPU per event:`);
  report("JSON.parse + JSON.stringify", json, json);
  report(
    "readEvent (validation)",
    cpuPerItemUs(events, ({ event }) => readEvent(event).kind.length),
    json,
  );
  report(
    "TaskEvent",
    cpuPerItemUs(events, ({ event }) => projectTaskEvents(event).length),
    json,
  );
  report(
    "StreamEvent",
    cpuPerItemUs(events, (item) => projectStreamEvents(item).length),
    json,
  );
  report(
    "pushes",
    cpuPerItemUs(events, (item) => projectPushes(item).length),
    json,
  );
  report(
    "StreamEvent of a delta",
    cpuPerItemUs(deltas, (item) => projectStreamEvents(item).length),
    json,
  );
  report(
    "pushes of a delta",
    cpuPerItemUs(deltas, (item) => projectPushes(item).length),
    json,
  );
  report("ResponseReducer.apply", applyPerEventUs(turnId, streamEvents), json);

  console.log(`A finished cell of ${LARGE_OPERATIONS} operations, ${largeText.length >> 10} KB:`);
  report("JSON.parse + JSON.stringify", largeJson, largeJson);
  report(
    "TaskEvent",
    cpuPerItemUs([large], ({ event }) => projectTaskEvents(event).length),
    largeJson,
  );
  report(
    "StreamEvent",
    cpuPerItemUs([large], (item) => projectStreamEvents(item).length),
    largeJson,
  );
}

function report(name: string, us: number, jsonUs: number): void {
  console.log(`  ${name.padEnd(30)} ${us.toFixed(2).padStart(7)} µs   ${(us / jsonUs).toFixed(2)} × JSON`);
}

/** One event of every type, an answer of a thousand pieces, and one large payload. */
function sampleLog() {
  const stream = openSampleStream();
  const events = eventTypes.map(
    (type) => ({ kind: "event", event: stream.event(type) as StoredEvent }) as const,
  );
  const operation = { fn: "mail.read", args: [{ id: 7 }], result: "x".repeat(80), durationMs: 3 };
  const large = {
    kind: "event",
    event: stream.event("cell.completed", {
      ...stream.data["cell.completed"],
      operations: Array.from({ length: LARGE_OPERATIONS }, () => operation),
    }) as StoredEvent,
  } as const;
  const itemId = stream.ids.next("item");
  const deltas = Array.from({ length: 1_000 }, (_, index): LogItem => {
    return { kind: "delta", delta: stream.delta(itemId, "message", index * 5, "word ") };
  });
  return { events, deltas, large, turnId: stream.turnId };
}

/** The median round's CPU time per item; `work` returns a number so that nothing is optimised away. */
function cpuPerItemUs<Item>(items: readonly Item[], work: (item: Item) => number): number {
  let sink = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    const until = performance.now() + ROUND_MS;
    let done = 0;
    while (performance.now() < until) {
      for (const item of items) sink += work(item);
      done += items.length;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / done;
  });
  if (sink < 0) throw new Error("unreachable");
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
}

function applyPerEventUs(turnId: TurnId, events: readonly StreamEvent[]): number {
  const whole = cpuPerItemUs([events], (all) => {
    const reducer = createResponseReducer(turnId);
    for (const event of all) reducer.apply(event);
    return reducer.response()?.output.length ?? 0;
  });
  return whole / events.length;
}

if (import.meta.main) await benchProjections();
