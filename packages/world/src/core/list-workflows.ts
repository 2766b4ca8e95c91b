import { createContext, runInContext } from "node:vm";

/** The names of the workflows that a script for Workflow DevKit's VM brings; it runs here with nothing behind it. */
export function listWorkflows(script: string): ReadonlySet<string> {
  const vm = createContext({});
  const nothing = (): unknown => nothing;
  for (const name of ["USE_STEP", "CREATE_HOOK", "SLEEP"])
    Reflect.set(vm, Symbol.for(`WORKFLOW_${name}`), nothing);
  runInContext(script, vm);
  return new Set(runInContext("globalThis.__private_workflows.keys()", vm) as Iterable<string>);
}
