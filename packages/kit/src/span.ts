import type { Attributes, SpanKind, SpanStatusCode, TracerProvider } from "@opentelemetry/api";
import { errorCodeOf } from "./coded-error.ts";

/**
 * Where every copy of the OpenTelemetry API, version 1, keeps what an SDK registers. Read directly, because
 * the API would load fifty modules for everyone, and few people trace.
 */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const ERROR: SpanStatusCode.ERROR = 2;

/** `client`: the work waits for somebody else's server. */
const KINDS: { readonly internal: SpanKind.INTERNAL; readonly client: SpanKind.CLIENT } = {
  internal: 0,
  client: 2,
};

/** Adds what is known only later. `error.type` marks the span as failed. */
export type NoteOnSpan = (attributes: Attributes) => void;

/**
 * Runs `work` inside an OpenTelemetry span, which ends when the work settles. Records a failure by its code,
 * never by its message. Costs next to nothing without an SDK.
 */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (note: NoteOnSpan) => Promise<T>,
  kind: keyof typeof KINDS = "internal",
): Promise<T> {
  const registry: { readonly trace?: TracerProvider } | undefined = Reflect.get(globalThis, REGISTRY);
  const tracer = registry?.trace?.getTracer("deputy");
  if (tracer === undefined) return started(work);
  return tracer.startActiveSpan(name, { attributes, kind: KINDS[kind] }, async (active) => {
    const note: NoteOnSpan = (more) => {
      active.setAttributes(more);
      const failure = more["error.type"];
      if (typeof failure === "string") active.setStatus({ code: ERROR, message: failure });
    };
    try {
      return await work(note);
    } catch (error) {
      note({ "error.type": errorCodeOf(error) });
      throw error;
    } finally {
      active.end();
    }
  });
}

/** Rejects if `work` throws. */
async function started<T>(work: (note: NoteOnSpan) => Promise<T>): Promise<T> {
  return await work(() => undefined);
}
