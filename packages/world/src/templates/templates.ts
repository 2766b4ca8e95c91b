// Runs inside Workflow DevKit's VM, from the source of `installTemplates`: nothing in it may refer to
// anything outside of it. It is replayed over the records of runs that began with an older version. A change
// that calls, sleeps or waits in another order therefore needs a new name, `oneShot_v2`, beside the old one.

export type Cause = "begin" | "approval_answered" | "approval_timed_out";

export interface AdvanceInput {
  readonly taskId: string;
  readonly firingId: string;
  readonly cause: Cause;
}

export type Outcome = "succeeded" | "failed" | "cancelled";

export type Advanced =
  | { readonly kind: "ended"; readonly outcome: Outcome; readonly stop: boolean }
  | { readonly kind: "waiting"; readonly approvalId: string; readonly timeoutMs: number };

export type TemplateName = "oneShot_v1" | "recurring_v1" | "eventTriggered_v1";

interface Hook<T> extends PromiseLike<T> {
  dispose(): void;
}

/** The VM's globals, as a workflow sees them. */
export interface VmGlobal {
  [name: symbol]: unknown;
  __private_workflows?: Map<string, (taskId: string, firings: number) => Promise<unknown>>;
}

export function installTemplates(vm: VmGlobal): void {
  const useStep = vm[Symbol.for("WORKFLOW_USE_STEP")] as (
    name: string,
  ) => (input: AdvanceInput) => Promise<Advanced>;
  const createHook = vm[Symbol.for("WORKFLOW_CREATE_HOOK")] as <T>(options: { token: string }) => Hook<T>;
  const sleep = vm[Symbol.for("WORKFLOW_SLEEP")] as (ms: number) => Promise<void>;
  const advance = useStep("advance");

  const answerTo = async (approvalId: string, timeoutMs: number): Promise<Cause> => {
    const hook = createHook<unknown>({ token: `approval:${approvalId}` });
    const answered = hook.then((): Cause => "approval_answered");
    const timedOut = sleep(timeoutMs).then((): Cause => "approval_timed_out");
    const cause = await Promise.race([answered, timedOut]);
    hook.dispose();
    return cause;
  };

  const settle = async (taskId: string, firingId: string): Promise<Advanced & { kind: "ended" }> => {
    let cause: Cause = "begin";
    for (;;) {
      const advanced = await advance({ taskId, firingId, cause });
      if (advanced.kind === "ended") return advanced;
      cause = await answerTo(advanced.approvalId, advanced.timeoutMs);
    }
  };

  /** Handles firings one after another. A run takes a fixed number, then the next run of its task takes over. */
  const settleFirings = async (taskId: string, firings: number): Promise<string> => {
    const hook = createHook<{ readonly firingId: string }>({ token: `task:${taskId}` });
    for (let taken = 0; taken < firings; taken++) {
      const { firingId } = await hook;
      const { stop } = await settle(taskId, firingId);
      if (stop) return "stopped";
    }
    return "renewed";
  };

  vm.__private_workflows = new Map<string, (taskId: string, firings: number) => Promise<unknown>>([
    ["oneShot_v1", (taskId) => settle(taskId, "once")],
    ["recurring_v1", settleFirings],
    ["eventTriggered_v1", settleFirings],
  ]);
}
