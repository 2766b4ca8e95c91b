import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";
import { errorCodeOf } from "./coded-error.ts";

/**
 * Runs `work` inside an OpenTelemetry span, which ends when it settles; a failure is recorded by
 * its code, never by its message. Costs next to nothing when no SDK is registered.
 */
export function span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return trace.getTracer("deputy").startActiveSpan(name, { attributes }, async (active) => {
    try {
      return await work();
    } catch (error) {
      active.setStatus({ code: SpanStatusCode.ERROR, message: errorCodeOf(error) });
      throw error;
    } finally {
      active.end();
    }
  });
}
