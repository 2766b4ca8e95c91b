import { RunExpiredError, WorkflowWorldError } from "@workflow/errors";
import type { Clock } from "@deputy/kit";
import type { StepFunction } from "../core/load-core.ts";
import { type DeliveryScope, DeliveryStopped } from "../queue/delivery.ts";
import type { Advanced, AdvanceInput } from "../templates/templates.ts";

/**
 * Advances a firing until it has ended or waits for an approval. Idempotent by task and firing: after a crash
 * it is called again. It should reject when the signal aborts: the work continues at the next opening, unless
 * the task was cancelled. Any other error is a bug; it is called again with the number of failures so far.
 */
export type Advance = (input: AdvanceInput, signal: AbortSignal, failures: number) => Promise<Advanced>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** The only step of all templates, and the only place where a firing is retried. */
export function createAdvanceStep(deps: {
  readonly advance: Advance;
  readonly scope: DeliveryScope;
  readonly clock: Pick<Clock, "sleep">;
  /** Called inside the transaction in which the step ends. */
  readonly onAdvanced: (input: AdvanceInput, advanced: Advanced) => void;
  /** Called once each time it begins to fail. */
  readonly onBug: (error: unknown) => void;
}): StepFunction {
  const insist = async (input: AdvanceInput, signal: AbortSignal): Promise<Advanced> => {
    for (let failures = 0; ; failures++) {
      try {
        return await deps.advance(input, signal, failures);
      } catch (error) {
        if (signal.aborted) throw error;
        if (failures === 0) deps.onBug(error);
        await deps.clock.sleep(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
      }
    }
  };

  const step = async (input: AdvanceInput): Promise<Advanced> => {
    const delivery = deps.scope.current;
    if (delivery === undefined) throw new Error("The step runs outside of any delivery");
    try {
      const advanced = await insist(input, delivery.signal);
      delivery.onStepEnd = () => deps.onAdvanced(input, advanced);
      return advanced;
    } catch (error) {
      const stopped: unknown = delivery.signal.reason;
      if (!(stopped instanceof DeliveryStopped)) throw error;
      if (stopped.reason === "cancelled") throw new RunExpiredError("The task was cancelled");
      // Workflow DevKit treats this as a failure of its infrastructure: the step counts as not yet run.
      throw new WorkflowWorldError(stopped.message, { status: 503 });
    }
  };
  // Crashes count as attempts, and a step should not limit how often a process may crash.
  return Object.assign(step, { maxRetries: Number.MAX_SAFE_INTEGER });
}
