import { type Attributes, type SpanOptions, trace, type Tracer } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { KitError } from "./kit-error.ts";
import { span } from "./span.ts";

interface Recorded {
  readonly name: string;
  readonly attributes: Attributes | undefined;
  status?: unknown;
  ended: number;
}

/** The smallest tracer that `span` can tell from none: it keeps what it was told. */
function setup() {
  const spans: Recorded[] = [];
  const startActiveSpan = (
    name: string,
    options: SpanOptions,
    work: (active: unknown) => unknown,
  ): unknown => {
    const recorded: Recorded = { name, attributes: options.attributes, ended: 0 };
    spans.push(recorded);
    return work({
      setStatus: (status: unknown) => void (recorded.status = status),
      end: () => void recorded.ended++,
    });
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) as Partial<Tracer> as Tracer });
  return spans;
}

afterEach(() => trace.disable());

test("[K24] a span has a name and attributes and ends with the work", async () => {
  const spans = setup();
  const gate = Promise.withResolvers<string>();
  const working = span("cell.run", { calls: 3 }, () => gate.promise);
  expect(spans).toEqual([{ name: "cell.run", attributes: { calls: 3 }, ended: 0 }]);
  gate.resolve("done");
  await expect(working).resolves.toBe("done");
  expect(spans[0]).toMatchObject({ ended: 1 });
});

test("[K24] without an SDK the work just runs", async () => {
  await expect(span("cell.run", {}, async () => 7)).resolves.toBe(7);
  await expect(span("cell.run", {}, () => Promise.reject(new Error("boom")))).rejects.toThrow("boom");
});

test("[K25] a failure is recorded by its code, never by its message", async () => {
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
