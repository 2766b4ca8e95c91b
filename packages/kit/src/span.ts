import type { Attributes, SpanStatusCode, TracerProvider } from "@opentelemetry/api";
import { errorCodeOf } from "./coded-error.ts";

/**
 * Where every copy of the OpenTelemetry API, in its first major version, keeps what an SDK registers.
 * Looked up here rather than through the API: its fifty modules would be loaded by everybody for the few
 * who trace.
 */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const ERROR: SpanStatusCode.ERROR = 2;

/**
 * Runs `work` inside an OpenTelemetry span, which ends when it settles; a failure is recorded by
 * its code, never by its message. Costs next to nothing when no SDK is registered.
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

/** Rejects where `work` throws. */
async function started<T>(work: () => Promise<T>): Promise<T> {
  return await work();
}
