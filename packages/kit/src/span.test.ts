import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type SpanOptions,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { KitError } from "./keyed-lane.ts";
import { type NoteOnSpan, span } from "./span.ts";

interface Recorded {
  readonly name: string;
  readonly attributes: Attributes | undefined;
  readonly kind: number | undefined;
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
    const recorded: Recorded = { name, attributes: { ...options.attributes }, kind: options.kind, ended: 0 };
    recording.push(recorded);
    return work({
      setAttributes: (more: Attributes) => void Object.assign(recorded.attributes ?? {}, more),
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
  expect(spans).toEqual([{ name: "cell.run", attributes: { calls: 3 }, kind: 0, ended: 0 }]);
  gate.resolve("done");
  await expect(working).resolves.toBe("done");
  expect(spans[0]).toMatchObject({ ended: 1 });
});

test("[K24] what is known later is added, and a failure that is no exception counts as one", async () => {
  const spans = setup();
  const asked = async (note: NoteOnSpan): Promise<string> => {
    note({ tokens: 5 });
    note({ "error.type": "denied" });
    return "no";
  };
  await expect(span("chat", { model: "m" }, asked, "client")).resolves.toBe("no");
  expect(spans).toEqual([
    {
      name: "chat",
      attributes: { model: "m", tokens: 5, "error.type": "denied" },
      kind: 2,
      status: { code: 2, message: "denied" },
      ended: 1,
    },
  ]);
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
