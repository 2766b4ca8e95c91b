import type { Shell } from "./shell.ts";
import type { Task } from "./task.ts";

/** Runs the trap of this name, if there is one; it leaves no status behind. */
export function* runTrap(shell: Shell, name: string): Task<void> {
  const action = shell.traps.get(name);
  if (action === undefined || action === "") return;
  const { status, pipeStatus, inTrap, line, flow, substitutionStatus } = shell;
  shell.inTrap = name;
  shell.flow = undefined;
  try {
    yield* shell.engine.runText(shell, action);
  } finally {
    shell.inTrap = inTrap;
    shell.line = line;
  }
  shell.substitutionStatus = substitutionStatus;
  shell.status = status;
  shell.pipeStatus = pipeStatus;
  shell.flow ??= flow;
}

/** Runs the DEBUG trap before a command of this line, unless a trap runs already. */
export function* runDebugTrap(shell: Shell, line: number): Task<void> {
  if (!shell.traps.has("DEBUG") || shell.inTrap !== undefined) return;
  shell.line = line;
  yield* runTrap(shell, "DEBUG");
}

/** Runs the traps of the signals that have arrived. */
export function* deliver(shell: Shell): Task<void> {
  for (let name = shell.process.pending.shift(); name !== undefined; name = shell.process.pending.shift()) {
    yield* runTrap(shell, name);
  }
}
