import { type Clock, openTaskGroup } from "@deputy/kit";
import type { Advance, AdvanceInput, Workflows } from "@deputy/world";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface MemoryWorkflow {
  readonly stop: AbortController;
  /** Every firing that was handed over, by its name. */
  readonly known: Set<string>;
  readonly waiting: string[];
}

/**
 * Carries firings of tasks for as long as this process lives, and keeps all promises of `Workflows` except
 * durability. For engines whose log is in memory too.
 */
export function openMemoryWorkflows(deps: {
  readonly advance: Advance;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Workflows {
  const { advance, clock, onBug } = deps;
  const group = openTaskGroup(deps.signal);
  const workflows = new Map<string, MemoryWorkflow>();
  const answers = new Map<string, PromiseWithResolvers<void>>();

  const answerTo = (name: string): PromiseWithResolvers<void> => {
    const known = answers.get(name) ?? Promise.withResolvers<void>();
    answers.set(name, known);
    return known;
  };
  const waitFor = async (
    name: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<AdvanceInput["cause"]> => {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    try {
      return await Promise.race([
        answerTo(name).promise.then(() => "approval_answered" as const),
        clock.sleep(timeoutMs, either).then(() => "approval_timed_out" as const),
      ]);
    } finally {
      over.abort();
      answers.delete(name);
    }
  };
  const insist = async (input: AdvanceInput, signal: AbortSignal) => {
    for (let failures = 0; ; failures++) {
      try {
        return await advance(input, signal, failures);
      } catch (error) {
        if (signal.aborted) throw error;
        if (failures === 0) onBug(error);
        await clock.sleep(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS), signal);
      }
    }
  };
  const carry = async (taskId: string, { stop, waiting }: MemoryWorkflow): Promise<void> => {
    const signal = AbortSignal.any([stop.signal, group.signal]);
    try {
      for (let firingId = waiting.shift(); firingId !== undefined; firingId = waiting.shift()) {
        let cause: AdvanceInput["cause"] = "begin";
        let advanced = await insist({ taskId, firingId, cause }, signal);
        while (advanced.kind === "waiting") {
          cause = await waitFor(advanced.approvalId, advanced.timeoutMs, signal);
          advanced = await insist({ taskId, firingId, cause }, signal);
        }
        if (advanced.stop) return;
      }
    } finally {
      // At the moment when nothing waits: a later firing starts again.
      workflows.delete(taskId);
      if (workflows.size === 0) answers.clear();
    }
  };

  return {
    async fire(template, taskId, firing) {
      const firingId = template === "oneShot_v1" ? "once" : firing;
      const open = workflows.get(taskId);
      if (open?.known.has(firingId) === true) return;
      open?.known.add(firingId);
      open?.waiting.push(firingId);
      if (open !== undefined) return;
      const workflow = { stop: new AbortController(), known: new Set([firingId]), waiting: [firingId] };
      workflows.set(taskId, workflow);
      group.spawn(async () => {
        // A stopped step rejects: the log has its outcome.
        await carry(taskId, workflow).catch((error: unknown) => {
          if (!workflow.stop.signal.aborted && !group.signal.aborted) onBug(error);
        });
      });
    },
    answered: async (name) => answerTo(name).resolve(),
    cancel: async (taskId) => workflows.get(taskId)?.stop.abort(),
    open: () => [...workflows.keys()],
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}
