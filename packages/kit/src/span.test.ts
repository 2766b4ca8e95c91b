import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type SpanOptions,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { KitError } from "./keyed-lane.ts";
import { span } from "./span.ts";

interface Recorded {
  readonly name: string;
  readonly attributes: Attributes | undefined;
  status?: unknown;
  ended: number;
}

/** What the tracer records into; undefined: nothing. A tracer that others hold stays, also when it is disabled. */
let recording: Recorded[] | undefined;

/** The smallest tracer that `span` accepts: it records what it gets. */
function setup() {
  const spans: Recorded[] = [];
  recording = spans;
  const startActiveSpan = (
    name: string,
    options: SpanOptions,
    work: (active: unknown) => unknown,
  ): unknown => {
    if (recording === undefined) return work(trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
    const recorded: Recorded = { name, attributes: options.attributes, ended: 0 };
    recording.push(recorded);
    return work({
      setStatus: (status: unknown) => void (recorded.status = status),
      end: () => void recorded.ended++,
    });
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) as Partial<Tracer> as Tracer });
  return spans;
}

afterEach(() => {
  recording = undefined;
  trace.disable();
});

test("[K24] a span has a name and attributes, and ends with the work", async () => {
  const spans = setup();
  const gate = Promise.withResolvers<string>();
  const working = span("cell.run", { calls: 3 }, () => gate.promise);
  expect(spans).toEqual([{ name: "cell.run", attributes: { calls: 3 }, ended: 0 }]);
  gate.resolve("done");
  await expect(working).resolves.toBe("done");
  expect(spans[0]).toMatchObject({ ended: 1 });
});

test("[K24] the work just runs without an SDK", async () => {
  await expect(span("cell.run", {}, async () => 7)).resolves.toBe(7);
  await expect(span("cell.run", {}, () => Promise.reject(new Error("boom")))).rejects.toThrow("boom");
});

test("[K25] records a failure by its code, never by its message", async () => {
  const spans = setup();
  const secret = new KitError("lane_full", "ada@example.org has too many jobs");
  await expect(span("a", {}, () => Promise.reject(secret))).rejects.toBe(secret);
  const bug = new Error("password=hunter2");
  const throwing = span("b", {}, () => {
    throw bug;
  });
  await expect(throwing).rejects.toBe(bug);
  expect(spans.map((recorded) => recorded.status)).toEqual([
    { code: 2, message: "lane_full" },
    { code: 2, message: "internal" },
  ]);
  expect(spans.every((recorded) => recorded.ended === 1)).toBe(true);
});
