import type { Builtin } from "../builtins/builtin.ts";
import { expandText } from "../expand/expand-word.ts";
import { createCollector } from "../io/channel.ts";
import type { List, Node, Script, Statement } from "../parse/script.ts";
import { Discard, ExitShell } from "./flow.ts";
import { UnboundExit } from "../variables/assign.ts";
import { createCompoundRunner } from "./run-compound.ts";
import { createPipelineRunner } from "./run-pipeline.ts";
import { closeSubstituted, createSimpleRunner } from "./run-simple.ts";
import { Killed, type Process } from "./process.ts";
import { applyRedirects, RedirectProblem, restore, type Saved } from "./redirect.ts";
import { beforePrompt, runAll } from "./interactive.ts";
import { linesOf, readScript } from "./read-script.ts";
import { deliver, runDebugTrap, runTrap } from "./traps.ts";
import { exceed } from "./runtime.ts";
import type { Engine, FreshRun, Shell } from "./shell.ts";
import { initializeVariables } from "../variables/initial-variables.ts";
import { Shell as ShellState } from "./shell.ts";
import { drive, type Task, wait } from "./task.ts";

/** Runs parsed scripts. One engine serves all shells: it has no state. */
export function createEngine(builtins: ReadonlyMap<string, Builtin>): Engine {
  const simple = createSimpleRunner(builtins);
  const { runWords } = simple;
  const pipelines = createPipelineRunner();
  const compounds = createCompoundRunner();

  function* runList(shell: Shell, list: List): Task<number> {
    let status = 0;
    for (const statement of list) {
      status = yield* runStatement(shell, statement);
      if (shell.flow !== undefined) break;
    }
    return status;
  }

  function* runStatement(shell: Shell, statement: Statement): Task<number> {
    if (statement.background) {
      shell.line = statement.line;
      if (shell.process.pending.length > 0) yield* deliver(shell);
      startBackground(shell, statement);
      return (shell.status = 0);
    }
    return yield* runNode(shell, statement.node);
  }

  /** Runs a node and sees to `$?`, `set -e` and the ERR trap. */
  function* runNode(shell: Shell, node: Node): Task<number> {
    const pause = shell.runtime.tick();
    if (pause !== undefined) yield pause;
    if (shell.process.pending.length > 0) yield* deliver(shell);
    let status: number;
    switch (node.kind) {
      case "simple":
        status = yield* simple.runSimple(shell, node);
        shell.pipeStatus = [status];
        return yield* checked(shell, status);
      case "and-or":
        return yield* runAndOr(shell, node);
      case "pipeline":
        return yield* pipelines.runPipeline(shell, node, checked);
      case "redirected":
        return yield* runRedirected(shell, node);
      case "subshell":
        shell.line = node.line;
        status = yield* runSubshell(shell, (inner) => runList(inner, node.body));
        shell.pipeStatus = [status];
        return yield* checked(shell, status);
      case "function": {
        if (/[$`]/.test(node.name)) {
          shell.complain(`\`${node.name}': not a valid identifier`);
          return yield* checked(shell, 1);
        }
        shell.functions.set(node.name, { ...node, file: shell.file, exported: false, trace: false });
        return (shell.status = 0);
      }
      case "coproc":
        return (shell.status = pipelines.runCoproc(shell, node));
      case "group":
        return (shell.status = yield* runList(shell, node.body));
      case "test":
      case "arithmetic":
        shell.line = node.line;
        if (shell.traps.size > 0) yield* runDebugTrap(shell, node.line);
        status = yield* compounds.runCompound(shell, node);
        return yield* checked(shell, status);
      default:
        return (shell.status = yield* compounds.runCompound(shell, node));
    }
  }

  function* checked(shell: Shell, status: number): Task<number> {
    shell.status = status;
    if (status === 0 || shell.forgiving > 0 || shell.flow !== undefined) return status;
    if (shell.traps.has("ERR") && shell.inTrap !== "ERR") yield* runTrap(shell, "ERR");
    if (shell.has("errexit")) throw new ExitShell(status);
    return status;
  }

  function* runAndOr(shell: Shell, node: Extract<Node, { kind: "and-or" }>): Task<number> {
    let status = 0;
    const last = node.commands.length - 1;
    for (const [i, command] of node.commands.entries()) {
      if (i > 0 && (node.operators[i - 1] === "&&") !== (status === 0)) continue;
      if (i < last) {
        shell.forgiving += 1;
        try {
          status = yield* runNode(shell, command);
        } finally {
          shell.forgiving -= 1;
        }
      } else status = yield* runNode(shell, command);
      if (shell.flow !== undefined) return status;
    }
    return status;
  }

  function* runRedirected(shell: Shell, node: Extract<Node, { kind: "redirected" }>): Task<number> {
    let saved: Saved[];
    const opened = shell.substituted.length;
    shell.line = node.line;
    try {
      saved = yield* applyRedirects(shell, node.redirects);
    } catch (error) {
      if (!(error instanceof RedirectProblem)) throw error;
      shell.complain(error.message);
      return yield* checked(shell, 1);
    }
    try {
      return yield* runNode(shell, node.command);
    } finally {
      restore(shell, saved);
      if (shell.substituted.length > opened) yield* closeSubstituted(shell, opened, "wait");
    }
  }

  /** Runs in a copy of this shell, which waits for it. */
  function* runSubshell(shell: Shell, run: (inner: Shell) => Task<number>): Task<number> {
    if (shell.depth >= shell.runtime.limits.depth) {
      exceed("depth_limit", `Subshells are more than ${String(shell.runtime.limits.depth)} deep.`);
    }
    const inner = shell.copy(createProcess(shell));
    try {
      return yield* runToEnd(inner, run(inner));
    } finally {
      inner.descriptors.closeAll();
      shell.runtime.processes.delete(inner.process.pid);
    }
  }

  /** The status of a shell that ends here: by itself, by `exit`, by an error, by a signal. */
  function* runToEnd(shell: Shell, task: Task<number>): Task<number> {
    let status: number;
    try {
      status = yield* ended(shell, task);
    } catch (error) {
      if (!(error instanceof ExitShell)) throw error;
      status = error.status;
      if (error.killed) return status;
    }
    shell.flow = undefined;
    shell.status = status;
    const action = shell.traps.get("EXIT");
    if (action === undefined || action === "") return status;
    shell.traps.delete("EXIT");
    try {
      shell.inTrap = "EXIT";
      yield* ended(shell, runText(shell, action));
    } catch (error) {
      if (!(error instanceof ExitShell)) throw error;
      return error.status;
    }
    return status;
  }

  function* ended(shell: Shell, task: Task<number>): Task<number> {
    try {
      return yield* task;
    } catch (error) {
      if (error instanceof Discard) return error.status;
      if (error instanceof UnboundExit)
        throw new ExitShell(
          shell.subshellDepth === 0 && shell.startFlags.includes("c") && !shell.has("errexit") ? 127 : 1,
        );
      if (error instanceof Killed) throw new ExitShell(error.status, true);
      throw error;
    }
  }

  function createProcess(shell: Shell): Process {
    const child: Process = {
      pid: shell.runtime.nextPid(),
      pending: [],
      abort: new AbortController(),
      handles: (signal) => child.traps?.has(signal) === true,
      traps: undefined,
    };
    shell.runtime.processes.set(child.pid, child);
    return child;
  }

  function startBeside(
    shell: Shell,
    run: (inner: Shell) => Task<number>,
  ): { pid: number; done: Promise<number> } {
    const leave = shell.runtime.enter();
    const child = createProcess(shell);
    const inner = shell.copy(child);
    const stopped = new Promise<never>((_, reject) => {
      child.abort.signal.addEventListener("abort", () => reject(child.abort.signal.reason as Error), {
        once: true,
      });
    });
    stopped.catch(() => undefined);
    const finish = async (): Promise<number> => {
      try {
        return await Promise.race([drive(runToEnd(inner, run(inner))), stopped]);
      } catch (error) {
        if (error instanceof Killed) return error.status;
        throw error;
      } finally {
        inner.descriptors.closeAll();
        shell.runtime.processes.delete(child.pid);
        leave();
      }
    };
    return { pid: child.pid, done: finish() };
  }

  function startBackground(shell: Shell, statement: Statement): void {
    const { pid, done } = startBeside(shell, (inner) => {
      inner.forgiving = 0;
      return runNode(inner, statement.node);
    });
    const text = statement.source.slice(statement.pos, statement.end).replace(/\s*&\s*$/, "");
    const job = {
      id: shell.nextJob,
      pid,
      text,
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
    shell.lastBackground = pid;
  }

  function* substitute(
    shell: Shell,
    script: Script,
    mode: "subshell" | "inline" | "reply",
  ): Task<Uint8Array> {
    const full = (): never => exceed("expansion_limit", "A command substitution is too large.");
    const collector = createCollector(shell.runtime.limits.expansionBytes, full);
    if (mode !== "subshell") {
      const before = shell.descriptors.take(1);
      shell.descriptors.set(1, collector);
      try {
        shell.substitutionStatus = yield* runScript(shell, script);
      } finally {
        if (before === undefined) shell.descriptors.close(1);
        else shell.descriptors.set(1, before);
      }
      return collector.take();
    }
    const { line } = shell;
    const status = yield* runSubshell(shell, function* (inner) {
      inner.descriptors.set(1, collector);
      inner.indirection += 1;
      inner.forgiving = 0;
      if (!shell.shopts.has("inherit_errexit") && !shell.has("posix")) inner.options.delete("errexit");
      else inner.forgiving = shell.forgiving;
      const only = script.statements.length === 1 ? script.statements[0]?.node : undefined;
      if (only?.kind === "simple" && only.words.length === 0 && only.assignments.length === 0) {
        return yield* readRedirected(inner, only);
      }
      return yield* runScript(inner, script);
    });
    shell.line = line;
    shell.substitutionStatus = status;
    shell.status = status;
    return collector.take();
  }

  /** `$(<file)` */
  function* readRedirected(shell: Shell, node: Extract<Node, { kind: "simple" }>): Task<number> {
    try {
      yield* applyRedirects(shell, node.redirects);
    } catch (error) {
      if (!(error instanceof RedirectProblem)) throw error;
      shell.complain(error.message);
      return 1;
    }
    const only = node.redirects.length === 1 && node.redirects[0]?.operator === "<";
    if (!only) return 0;
    for (;;) {
      const read = shell.channel(0)?.read(65_536) ?? new Uint8Array(0);
      const bytes = read instanceof Uint8Array ? read : yield* wait(read);
      if (bytes.length === 0) return 0;
      void shell.channel(1)?.write(bytes);
    }
  }

  function* runScript(shell: Shell, script: Script): Task<number> {
    let status = 0;
    for (const statement of script.statements) {
      if (shell.has("noexec")) return shell.status;
      status = yield* runStatement(shell, statement);
      if (shell.flow !== undefined) return status;
    }
    if (script.error !== undefined) {
      for (const line of script.error.lines) shell.complain(line, script.error.line);
      shell.status = 2;
      return 2;
    }
    return status;
  }

  function* runText(shell: Shell, text: string, firstLine = shell.line): Task<number> {
    shell.indirection += 1;
    try {
      return yield* runPieces(shell, text, firstLine);
    } finally {
      shell.indirection -= 1;
    }
  }

  function* runPieces(shell: Shell, text: string, firstLine: number): Task<number> {
    let status = 0;
    for (const script of readScript(shell, text, firstLine)) {
      try {
        status = yield* runScript(shell, script);
      } catch (error) {
        if (!(error instanceof Discard) || error.scope === "all" || shell.subshellDepth > 0) throw error;
        status = discarded(shell, error);
      }
      if (shell.flow !== undefined) return status;
    }
    return status;
  }

  function* runFresh(shell: Shell, run: FreshRun): Task<number> {
    const inner = new ShellState({ runtime: shell.runtime, engine, process: createProcess(shell) });
    inner.descriptors = shell.descriptors.copy();
    const environment = shell.variables.environment();
    inner.cwd = environment["PWD"] === undefined ? shell.runtime.fileSystem.realPath(shell.cwd) : shell.cwd;
    inner.umask = shell.umask;
    inner.name = run.name;
    inner.positional = run.args;
    inner.startFlags = run.flags ?? "";
    inner.depth = shell.depth + 1;
    inner.file = inner.startFlags.includes("c")
      ? "environment"
      : inner.startFlags.includes("s")
        ? "main"
        : run.name;

    if (inner.depth > shell.runtime.limits.depth) exceed("depth_limit", "Shells start shells too deep.");
    initializeVariables(inner, environment);
    for (const option of environment["SHELLOPTS"]?.split(":") ?? []) inner.options.add(option);
    for (const option of run.options ?? []) inner.options.add(option);
    for (const option of run.shopts ?? []) inner.shopts.add(option);
    for (const [name, body] of shell.functions) if (body.exported) inner.functions.set(name, body);
    try {
      return yield* runToEnd(inner, runAll(inner, run));
    } finally {
      inner.descriptors.closeAll();
      shell.runtime.processes.delete(inner.process.pid);
    }
  }

  /** After a command that was given up: the next one goes on, unless `set -e` ends the shell. */
  function discarded(shell: Shell, { status }: Discard): number {
    shell.status = status;
    if (shell.has("errexit") && shell.forgiving === 0) throw new ExitShell(status);
    return status;
  }

  /** Runs a whole text as bash reads a script: a line that was discarded does not end it. */
  function* runLines(shell: Shell, text: string): Task<number> {
    let status = 0;
    for (const script of readScript(shell, text)) {
      if (shell.startFlags.startsWith("i")) yield* beforePrompt(shell, script);
      if (shell.has("verbose")) shell.writeError(`${linesOf(script)}\n`);
      try {
        status = yield* runScript(shell, script);
      } catch (error) {
        if (!(error instanceof Discard) || shell.subshellDepth > 0) throw error;
        if (error.scope === "all" && shell.startFlags.includes("c")) throw error;
        shell.forgiving = 0;
        shell.loopDepth = 0;
        status = discarded(shell, error);
      }
      shell.flow = undefined;
    }
    if (shell.startFlags.startsWith("i")) yield* beforePrompt(shell, undefined);
    return status;
  }

  const engine: Engine = {
    runList,
    runNode,
    runScript,
    runText,
    runFresh,
    runLines,
    runToEnd,
    builtinNames: () => [...builtins.keys()].sort(),
    runWords,
    callFunction: simple.callFunction,
    substitute,
    startBeside,
    runSubshell,
    runTrap,
    runDebugTrap,
    expandText,
  };
  return engine;
}
