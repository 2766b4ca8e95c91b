import type { Builtin } from "./builtin.ts";
import { completionBuiltins } from "./completion.ts";
import { declareBuiltins } from "./declare.ts";
import { directoryBuiltins } from "./directories.ts";
import { echoBuiltins } from "./echo.ts";
import { flowBuiltins } from "./flow.ts";
import { jobBuiltins } from "./jobs.ts";
import { nameBuiltins } from "./names.ts";
import { optionBuiltins } from "./options.ts";
import { printfBuiltins } from "./printf.ts";
import { readBuiltins } from "./read.ts";
import { historyBuiltins } from "./history.ts";
import { shellBuiltins } from "./start-shell.ts";
import { testBuiltins } from "./test-command.ts";
import { ulimitBuiltins } from "./ulimit.ts";

/** These are programs elsewhere; here they are the shell itself, started anew. */
const PROGRAMS = new Set(["bash", "sh"]);

/** All builtins by name. */
export function createBuiltins(): ReadonlyMap<string, Builtin> {
  const names = new Set<string>();
  const all = new Map<string, Builtin>(
    Object.entries({
      ...echoBuiltins,
      ...printfBuiltins,
      ...testBuiltins,
      ...readBuiltins,
      ...flowBuiltins,
      ...optionBuiltins,
      ...directoryBuiltins,
      ...jobBuiltins,
      ...declareBuiltins,
      ...nameBuiltins(() => names),
      ...completionBuiltins(() => names),
      ...ulimitBuiltins,
      ...shellBuiltins,
      ...historyBuiltins,
    }),
  );
  for (const name of all.keys()) if (!PROGRAMS.has(name)) names.add(name);
  return all;
}

/** What needs no program, for completion. */
export function builtinNames(): readonly string[] {
  return [...createBuiltins().keys()];
}
