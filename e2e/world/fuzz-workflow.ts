/** How the VM's globals look to the workflow here. */
interface VmGlobal {
  [name: symbol]: unknown;
  __private_workflows?: Map<string, (tag: string) => Promise<unknown>>;
}

/** Runs in Workflow DevKit's VM from its text: steps one after another and at once, sleeps, a hook. */
function installFuzz(vm: VmGlobal): void {
  const useStep = vm[Symbol.for("WORKFLOW_USE_STEP")] as (name: string) => (name: string) => Promise<string>;
  const createHook = vm[Symbol.for("WORKFLOW_CREATE_HOOK")] as (options: {
    token: string;
  }) => PromiseLike<{ value: string }> & { dispose(): void };
  const sleep = vm[Symbol.for("WORKFLOW_SLEEP")] as (ms: number) => Promise<void>;
  const effect = useStep("effect");

  const fuzz = async (tag: string): Promise<readonly string[]> => {
    const done: string[] = [];
    for (const name of ["a", "b", "c"]) done.push(await effect(`${tag}/${name}`));
    await sleep(60);
    const hook = createHook({ token: `fuzz:${tag}` });
    const answer = hook.then(({ value }) => value);
    done.push(await Promise.race([answer, sleep(3_600_000).then(() => "late")]));
    hook.dispose();
    const slept = sleep(30).then(() => "slept");
    const together = ["d", "e", "f"].map((name) => effect(`${tag}/${name}`));
    done.push(...(await Promise.all([...together, slept])));
    for (const name of ["g", "h"]) done.push(await effect(`${tag}/${name}`));
    return done;
  };
  vm.__private_workflows = new Map([["fuzz", fuzz]]);
}

export const FUZZ_SCRIPT = `(${installFuzz.toString()})(globalThis);`;
