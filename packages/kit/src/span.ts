import type { Attributes, SpanStatusCode, TracerProvider } from "@opentelemetry/api";
import { errorCodeOf } from "./coded-error.ts";

/**
 * Where every copy of the OpenTelemetry API, version 1, keeps what an SDK registers. Read directly, because
 * the API would load fifty modules for everyone, and few people trace.
 */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const ERROR: SpanStatusCode.ERROR = 2;

/**
 * Runs `work` inside an OpenTelemetry span, which ends when the work settles. Records a failure by its code,
 * never by its message. Costs next to nothing without an SDK.
 */
export function span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const registry: { readonly trace?: TracerProvider } | undefined = Reflect.get(globalThis, REGISTRY);
  const tracer = registry?.trace?.getTracer("deputy");
  if (tracer === undefined) return started(work);
  return tracer.startActiveSpan(name, { attributes }, async (active) => {
    try {
      return await work();
    } catch (error) {
      active.setStatus({ code: ERROR, message: errorCodeOf(error) });
      throw error;
    } finally {
      active.end();
    }
  });
}

/** Rejects if `work` throws. */
async function started<T>(work: () => Promise<T>): Promise<T> {
  return await work();
}
