import { createContext, runInContext } from "node:vm";

/** The names of the workflows in a script for Workflow DevKit's VM. Runs the script here, without a VM. */
export function listWorkflows(script: string): ReadonlySet<string> {
  const vm = createContext({});
  const nothing = (): unknown => nothing;
  for (const name of ["USE_STEP", "CREATE_HOOK", "SLEEP"])
    Reflect.set(vm, Symbol.for(`WORKFLOW_${name}`), nothing);
  runInContext(script, vm);
  return new Set(runInContext("globalThis.__private_workflows.keys()", vm) as Iterable<string>);
}
