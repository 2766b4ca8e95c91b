import { FatalError, RetryableError, RunExpiredError, WorkflowWorldError } from "@workflow/errors";
import type { StepFunction } from "../core/load-core.ts";
import { type DeliveryScope, DeliveryStopped } from "../queue/delivery.ts";
import type { Advanced, AdvanceInput } from "../templates/templates.ts";

/**
 * Brings a task on until it has ended or waits for an approval. Idempotent by task and firing: after a crash
 * it is called again. When the signal aborts it should reject; the reason is a `DeliveryStopped`, and only for
 * `cancelled` is the work to be given up. Anything else that it throws is a bug, and tried again a few times.
 */
export type Advance = (input: AdvanceInput, signal: AbortSignal) => Promise<Advanced>;

/** Since this process started, for one firing; then the task fails. */
const TRIES = 4;
const FIRST_RETRY_MS = 1_000;

/** The one step of all templates. */
export function createAdvanceStep(deps: {
  readonly advance: Advance;
  readonly scope: DeliveryScope;
  /** Inside the transaction in which the step ends. */
  readonly onAdvanced: (input: AdvanceInput, advanced: Advanced) => void;
  readonly onBug: (error: unknown) => void;
}): StepFunction {
  const failures = new Map<string, number>();

  const translate = (error: unknown, input: AdvanceInput, signal: AbortSignal): Error => {
    const stopped: unknown = signal.reason;
    if (stopped instanceof DeliveryStopped) {
      if (stopped.reason === "cancelled") return new RunExpiredError("The task was cancelled");
      // Workflow DevKit takes this for a failure of its own surroundings: the step counts as not yet run.
      return new WorkflowWorldError(stopped.message, { status: 503 });
    }
    deps.onBug(error);
    const key = `${input.taskId} ${input.firingId}`;
    const count = (failures.get(key) ?? 0) + 1;
    failures.set(key, count);
    if (count < TRIES)
      return new RetryableError("advance failed", { retryAfter: FIRST_RETRY_MS * 2 ** (count - 1) });
    failures.delete(key);
    return new FatalError("advance failed too often");
  };

  const step = async (input: AdvanceInput): Promise<Advanced> => {
    const delivery = deps.scope.current;
    if (delivery === undefined) throw new Error("The step runs outside of any delivery");
    try {
      const advanced = await deps.advance(input, delivery.signal);
      failures.delete(`${input.taskId} ${input.firingId}`);
      delivery.onStepEnd = () => deps.onAdvanced(input, advanced);
      return advanced;
    } catch (error) {
      throw translate(error, input, delivery.signal);
    }
  };
  // Crashes count as attempts; how often a process may crash is not for a step to say.
  return Object.assign(step, { maxRetries: Number.MAX_SAFE_INTEGER });
}
