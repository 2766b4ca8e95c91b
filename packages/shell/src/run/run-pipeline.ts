import { createPipe } from "../io/pipe.ts";
import type { Channel } from "../io/channel.ts";
import type { Coproc, Pipeline } from "../parse/script.ts";
import type { Shell } from "./shell.ts";
import { type Task, wait } from "./task.ts";

type Check = (shell: Shell, status: number) => Task<number>;

export function createPipelineRunner(): {
  runPipeline(shell: Shell, node: Pipeline, checked: Check): Task<number>;
  runCoproc(shell: Shell, node: Coproc): number;
} {
  function* runPipeline(shell: Shell, node: Pipeline, checked: Check): Task<number> {
    shell.line = node.line;
    const startedMs = shell.runtime.now();
    const negated = node.negations % 2 === 1;
    let status: number;
    if (node.commands.length === 1) {
      const [only] = node.commands;
      if (only === undefined) throw new Error("a pipeline without commands");
      if (node.negations > 0) shell.forgiving += 1;
      try {
        status = yield* shell.engine.runNode(shell, only);
      } finally {
        if (node.negations > 0) shell.forgiving -= 1;
      }
    } else {
      const forgiving = node.negations > 0;
      if (forgiving) shell.forgiving += 1;
      const statuses = yield* runStages(shell, node);
      if (forgiving) shell.forgiving -= 1;
      shell.pipeStatus = statuses;
      status = statuses.at(-1) ?? 0;
      if (shell.has("pipefail")) status = statuses.findLast((each) => each !== 0) ?? 0;
    }
    if (node.time !== "none") reportTime(shell, node.time, shell.runtime.now() - startedMs);
    if (node.negations > 0) {
      shell.status = negated ? (status === 0 ? 1 : 0) : status;
      return shell.status;
    }
    return node.commands.length === 1 ? (shell.status = status) : yield* checked(shell, status);
  }

  function* runStages(shell: Shell, node: Pipeline): Task<number[]> {
    const last = node.commands.length - 1;
    const lastHere = shell.shopts.has("lastpipe") && !shell.has("monitor");
    const started: Promise<number>[] = [];
    let input: Channel | undefined;
    let final: number | undefined;
    for (const [i, command] of node.commands.entries()) {
      const pipe = i < last ? createPipe() : undefined;
      const stdin = input;
      if (i === last && lastHere) {
        final = yield* runHere(shell, stdin, () => shell.engine.runNode(shell, command));
        break;
      }
      if (command.kind === "simple") yield* shell.engine.runDebugTrap(shell, command.line);
      const { done } = shell.engine.startBeside(shell, (inner) => {
        if (stdin !== undefined) inner.descriptors.set(0, stdin);
        if (pipe !== undefined) {
          inner.descriptors.set(1, pipe.writer);
          if (node.both[i] === true) inner.descriptors.set(2, pipe.writer.hold());
        }
        inner.loopDepth = 0;
        return shell.engine.runNode(inner, command);
      });
      started.push(done);
      input = pipe?.reader;
    }
    const statuses = yield* wait(Promise.all(started));
    return final === undefined ? statuses : [...statuses, final];
  }

  function* runHere(shell: Shell, stdin: Channel | undefined, run: () => Task<number>): Task<number> {
    const before = shell.descriptors.take(0);
    if (stdin !== undefined) shell.descriptors.set(0, stdin);
    try {
      return yield* run();
    } finally {
      if (before === undefined) shell.descriptors.close(0);
      else shell.descriptors.set(0, before);
    }
  }

  function runCoproc(shell: Shell, node: Coproc): number {
    const into = createPipe();
    const from = createPipe();
    const { pid, done } = shell.engine.startBeside(shell, (inner) => {
      inner.descriptors.set(0, into.reader);
      inner.descriptors.set(1, from.writer);
      return shell.engine.runNode(inner, node.body);
    });
    const read = shell.descriptors.free(60);
    shell.descriptors.set(read, from.reader);
    const write = shell.descriptors.free(60);
    shell.descriptors.set(write, into.writer);
    shell.variables.setList(node.name, [String(read), String(write)]);
    shell.variables.setText(`${node.name}_PID`, String(pid));
    shell.lastBackground = pid;
    const job = {
      id: shell.nextJob,
      pid,
      text: `coproc ${node.name}`,
      done,
      status: undefined as number | undefined,
      inherited: false,
      waited: false,
    };
    shell.nextJob += 1;
    void done.then(
      (status) => (job.status = status),
      () => undefined,
    );
    shell.jobs = [...shell.jobs, job];
    return 0;
  }

  return { runPipeline, runCoproc };
}

function reportTime(shell: Shell, style: "time" | "posix", ms: number): void {
  const seconds = ms / 1000;
  if (style === "posix") {
    shell.writeError(`real ${seconds.toFixed(2)}\nuser ${seconds.toFixed(2)}\nsys 0.00\n`);
    return;
  }
  const format = shell.variables.text("TIMEFORMAT");
  if (format !== undefined) {
    if (format !== "") shell.writeError(`${formatTime(format, seconds)}\n`);
    return;
  }
  const shown = `${String(Math.floor(seconds / 60))}m${(seconds % 60).toFixed(3)}s`;
  shell.writeError(`\nreal\t${shown}\nuser\t${shown}\nsys\t0m0.000s\n`);
}

/** `%R`, `%3lU` and their kind: of what a script computes and of what the system does for it, only the whole is known. */
function formatTime(format: string, seconds: number): string {
  return format.replaceAll(
    /%(?:%|([0-9])?(l)?([RUSP]))/g,
    (whole, digits?: string, long?: string, of?: string) => {
      if (of === undefined) return "%";
      const places = Math.min(3, Number(digits ?? 3));
      if (of === "P") return "100.00";
      const value = of === "S" ? 0 : seconds;
      if (long === undefined) return value.toFixed(places);
      return `${String(Math.floor(value / 60))}m${(value % 60).toFixed(places)}s`;
    },
  );
}
