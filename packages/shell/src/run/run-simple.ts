import { FileSystemError } from "@deputy/vfs";
import type { Builtin } from "../builtins/builtin.ts";
import { expandArgument, expandText } from "../expand/expand-word.ts";
import { expandSubscript } from "../expand/parameter-value.ts";
import { BrokenPipe, type Channel } from "../io/channel.ts";
import type { ArrayLiteral, Assignment, Simple } from "../parse/script.ts";
import { decodeBytes } from "../text/bytes.ts";
import { quoteTrace } from "../text/quote.ts";
import { AssignProblem, assignText } from "../variables/assign.ts";
import { assignArray, expandElements } from "../variables/assign-array.ts";
import { findCommand, rememberCommand } from "./find-command.ts";
import { Discard, ExitShell } from "./flow.ts";
import { Killed } from "./process.ts";
import { applyRedirects, keep, RedirectProblem, restore, type Saved } from "./redirect.ts";
import { exceed } from "./runtime.ts";
import type { RunWordsOptions, Shell } from "./shell.ts";
import { type Task, wait } from "./task.ts";
import { type Declared, MARK, shownWord, trace, traceLine } from "./trace.ts";

/** These keep the assignments before them, if bash runs as POSIX says. */
const SPECIAL = new Set(
  "break : . source continue eval exec exit export readonly return set shift times trap unset".split(" "),
);

export function createSimpleRunner(builtins: ReadonlyMap<string, Builtin>): {
  runSimple(shell: Shell, node: Simple): Task<number>;
  runWords(shell: Shell, words: readonly string[], options?: RunWordsOptions): Task<number>;
  callFunction(shell: Shell, name: string, args: readonly string[]): Task<number>;
} {
  function* runSimple(shell: Shell, node: Simple): Task<number> {
    shell.line = node.line;
    shell.substitutionStatus = undefined;
    if (shell.traps.size > 0) {
      if (shell.inTrap === undefined) shell.command = shownCommand(node);
      yield* shell.engine.runDebugTrap(shell, node.line);
    }
    const words: string[] = [];
    const declared: Declared[] = [];
    const opened = shell.substituted.length;
    try {
      for (const argument of node.words) {
        if (argument.kind === "assignment") {
          declared.push(yield* expandDeclared(shell, argument.assignment, words));
          words.push(MARK + String(declared.length - 1));
        } else yield* expandArgument(shell, argument, words);
      }
      if (words.length === 0) return yield* runAssignments(shell, node);
      return yield* runExpanded(shell, node, words, declared);
    } finally {
      if (shell.substituted.length > opened)
        yield* closeSubstituted(shell, opened, words[0] === "exec" ? "go on" : "wait");
    }
  }

  function* runExpanded(
    shell: Shell,
    node: Simple,
    words: readonly string[],
    declared: readonly Declared[],
  ): Task<number> {
    if (node.redirects.length === 0 && node.assignments.length === 0) {
      if (shell.has("xtrace")) trace(shell, words, declared);
      return yield* runWords(shell, words, {}, declared);
    }
    let saved: Saved[];
    if (node.assignments.length === 0 && shell.has("xtrace")) trace(shell, words, declared);
    try {
      saved = yield* applyRedirects(shell, node.redirects);
    } catch (error) {
      if (!(error instanceof RedirectProblem)) throw error;
      shell.complain(error.message);
      if (shell.has("posix") && SPECIAL.has(words[0] ?? "")) throw new ExitShell(1);
      return 1;
    }
    const isExec = words[0] === "exec" && !shell.functions.has("exec");
    let kept = false;
    try {
      if (node.assignments.length === 0) {
        const status = yield* runWords(shell, words, {}, declared);
        kept = isExec && (words.length === 1 || (words.length === 2 && words[1] === "--"));
        return status;
      }
      const status = yield* runWithAssignments(shell, node, words, declared);
      kept = isExec && words.length === 1;
      return status;
    } finally {
      if (kept) keep(saved);
      else restore(shell, saved);
    }
  }

  function* runWithAssignments(
    shell: Shell,
    node: Simple,
    words: readonly string[],
    declared: readonly Declared[],
  ): Task<number> {
    const values: (readonly [string, string])[] = [];
    const frame = shell.variables.push("temporary");
    try {
      // Each may use those before it.
      for (const { name, append, subscript, value } of node.assignments) {
        if (subscript !== undefined) continue;
        const text = value.kind === "array" ? `(${shownElements(value)})` : yield* expandText(shell, value);
        const outer = shell.variables.find(name);
        if (outer?.readonly === true) {
          shell.complain(`${name}: readonly variable`);
          continue;
        }
        const before = append ? (outer?.scalar() ?? "") : "";
        const variable = shell.variables.declareIn(frame, name);
        variable.text = before + text;
        variable.exported = true;
        variable.integer = outer?.integer ?? false;
        values.push([name, text]);
      }
    } catch (error) {
      shell.variables.pop();
      throw error;
    }
    if (shell.has("xtrace")) {
      for (const [name, value] of values) traceLine(shell, `${name}=${quoteTrace(value)}`);
      trace(shell, words, declared);
    }
    const keeps = shell.has("posix") && SPECIAL.has(words[0] ?? "");
    const depth = shell.variables.depth;
    try {
      return yield* runWords(shell, words, {}, declared);
    } finally {
      while (shell.variables.depth > depth) shell.variables.pop();
      shell.variables.pop();
      if (keeps)
        for (const [name] of values) shell.variables.setText(name, frame.names.get(name)?.text ?? "");
    }
  }

  function* runAssignments(shell: Shell, node: Simple): Task<number> {
    let failed = false;
    for (const assignment of node.assignments) {
      try {
        yield* assign(shell, assignment);
      } catch (error) {
        if (!(error instanceof AssignProblem)) throw error;
        shell.complain(error.message);
        if (shell.has("posix")) throw new ExitShell(1);
        throw new Discard(1);
      }
    }
    if (node.redirects.length > 0) {
      try {
        restore(shell, yield* applyRedirects(shell, node.redirects));
      } catch (error) {
        if (!(error instanceof RedirectProblem)) throw error;
        shell.complain(error.message);
        failed = true;
      }
    }
    shell.lastArgument = "";
    return failed ? 1 : (shell.substitutionStatus ?? 0);
  }

  function* runWords(
    shell: Shell,
    words: readonly string[],
    options: RunWordsOptions = {},
    declared: readonly Declared[] = [],
  ): Task<number> {
    const [name = ""] = words;
    if (options.functions !== "skip" && options.kinds !== "builtins" && shell.functions.has(name)) {
      const isSpecial = shell.has("posix") && SPECIAL.has(name);
      if (!isSpecial) {
        const status = yield* callFunction(shell, name, words.slice(1));
        shell.lastArgument = words.at(-1) ?? "";
        return status;
      }
    }
    // A path to a shell means this shell, started anew.
    const builtin = builtins.get(/^\/(?:usr\/)?bin\/(?:ba)?sh$/.test(name) ? "bash" : name);
    if (builtin !== undefined) {
      const called = options.as === undefined ? words : [options.as, ...words.slice(1)];
      const status = yield* runBuiltin(shell, builtin, called, declared);
      shell.lastArgument = shownWord(words.at(-1) ?? "", declared);
      return status;
    }
    if (options.kinds === "builtins") {
      shell.complain(`builtin: ${name}: not a shell builtin`);
      return 1;
    }
    shell.lastArgument = words.at(-1) ?? "";
    return yield* runExternal(shell, words, options.as);
  }

  function* runBuiltin(
    shell: Shell,
    builtin: Builtin,
    words: readonly string[],
    declared: readonly Declared[],
  ): Task<number> {
    try {
      const result = builtin(shell, words, declared);
      return typeof result === "number" ? result : yield* result;
    } catch (error) {
      if (error instanceof BrokenPipe) {
        if (shell.subshellDepth > 0) throw new ExitShell(141, true);
        shell.complain(`${words[0] ?? ""}: write error: Broken pipe`);
        return 1;
      }
      if (error instanceof FileSystemError) {
        shell.complain(`${words[0] ?? ""}: write error: ${error.message}`);
        return 1;
      }
      throw error;
    }
  }

  function* callFunction(shell: Shell, name: string, args: readonly string[]): Task<number> {
    const body = shell.functions.get(name);
    if (body === undefined) return 127;
    const { positional, calls, flow, loopDepth, file, line } = shell;
    if (calls.length >= shell.runtime.limits.depth) {
      exceed(
        "depth_limit",
        `Functions call each other more than ${String(shell.runtime.limits.depth)} deep.`,
      );
    }
    const limit = Number(shell.variables.text("FUNCNEST") ?? "0");
    if (limit > 0 && calls.length >= limit) {
      shell.complain(`${name}: maximum function nesting level exceeded (${String(limit)})`);
      throw new Discard(1);
    }
    const depth = shell.variables.depth;
    shell.variables.push("function");
    shell.calls = [...calls, { name, source: body.file, line: shell.line, kind: "function" }];
    shell.positional = args;
    shell.loopDepth = 0;
    shell.file = body.file;
    const hidden: (readonly [string, string])[] = [];
    if (!shell.has("functrace") && !body.trace) {
      for (const trap of ["DEBUG", "RETURN"]) {
        const action = shell.traps.get(trap);
        if (action !== undefined) hidden.push([trap, action]);
        shell.traps.delete(trap);
      }
    }
    if (!shell.has("errtrace")) {
      const action = shell.traps.get("ERR");
      if (action !== undefined) hidden.push(["ERR", action]);
      shell.traps.delete("ERR");
    }
    try {
      let status = yield* shell.engine.runNode(shell, body.body);
      const after = shell.flow;
      if (after?.kind === "return") status = after.status;
      shell.flow = flow;
      if (shell.traps.has("RETURN")) {
        shell.status = status;
        yield* shell.engine.runTrap(shell, "RETURN");
      }
      return status;
    } finally {
      while (shell.variables.depth > depth) shell.variables.pop();
      shell.calls = calls;
      shell.positional = positional;
      shell.loopDepth = loopDepth;
      shell.file = file;
      shell.line = line;
      for (const [trap, action] of hidden) if (!shell.traps.has(trap)) shell.traps.set(trap, action);
    }
  }

  function* runExternal(shell: Shell, words: readonly string[], as?: string): Task<number> {
    const [name = ""] = words;
    const found = findCommand(shell, name);
    if (found.kind === "missing") {
      if (shell.functions.has("command_not_found_handle") && !name.includes("/")) {
        return yield* callFunction(shell, "command_not_found_handle", words);
      }
      shell.complain(found.message);
      return found.status;
    }
    rememberCommand(shell, name, 1);
    if (found.kind === "script") return yield* runFile(shell, words, found.path);
    const leave = shell.runtime.enter();
    const channels = new Map(shell.descriptors.entries());
    const closed = CLOSED;
    try {
      const signal = AbortSignal.any([shell.runtime.signal, shell.process.abort.signal]);
      const status = yield* wait(
        found.command.run({
          argv: as === undefined ? words : [as, ...words.slice(1)],
          env: { ...shell.variables.environment(), _: found.command.path },
          cwd: shell.cwd,
          stdin: channels.get(0) ?? closed,
          stdout: channels.get(1) ?? closed,
          stderr: channels.get(2) ?? closed,
          descriptors: channels,
          fileSystem: shell.runtime.fileSystem,
          umask: shell.umask,
          signal,
        }),
      );
      return status;
    } catch (error) {
      if (error instanceof BrokenPipe) return 141;
      const { reason } = shell.process.abort.signal as { reason: unknown };
      if (reason instanceof Killed) throw new ExitShell(reason.status, true);
      throw error;
    } finally {
      leave();
    }
  }

  return {
    runSimple,
    runWords: (shell, words, options) => runWords(shell, words, options, options?.declared),
    callFunction,
  };
}

const CLOSED = {
  readable: false,
  writable: false,
  isTerminal: false,
  read: () => new Uint8Array(0),
  write: () => undefined,
  unread: () => undefined,
  hold: () => CLOSED,
  release: () => undefined,
} as Channel;

/** `go on`: `exec` keeps other ends open, which would never end. */
export function* closeSubstituted(shell: Shell, from: number, then: "wait" | "go on"): Task<void> {
  const mine = shell.substituted.splice(from);
  for (const { descriptor } of mine) shell.descriptors.close(descriptor);
  if (then === "go on") return;
  // What `>(…)` does with its input is still part of the command, as far as one can see it; nobody waits for what has
  // written to it.
  for (const { direction, done } of mine) if (direction === ">") yield* wait(done);
}

/** A command as `BASH_COMMAND` shows it: as it is written, but for the blanks. */
function shownCommand({ assignments, words, redirects, source, pos, end }: Simple): string {
  if (assignments.length > 0 || redirects.some(({ operator }) => operator === "<<"))
    return source.slice(pos, end);
  const shown = words.map((word) => word.plain.text);
  for (const { descriptor, operator, target } of redirects) {
    const before = typeof descriptor === "string" ? `{${descriptor}}` : String(descriptor ?? "");
    shown.push(`${before}${operator}${operator.endsWith("&") ? "" : " "}${target.text}`);
  }
  return shown.join(" ");
}

function shownSubscript({ subscript }: Assignment): string {
  return typeof subscript === "object" ? subscript.text : (subscript ?? "");
}

/** The elements of a list as they are written. */
const shownElements = (list: ArrayLiteral): string =>
  list.elements
    .map((element) => (element.kind === "keyed" ? element.plain : element.argument.plain).text)
    .join(" ");

/** An assignment among the arguments of `declare`: what it has is expanded before anything is declared. */
function* expandDeclared(shell: Shell, assignment: Assignment, before: readonly string[]): Task<Declared> {
  const { name, append, value } = assignment;
  if (value.kind === "array") {
    const letters = before.filter((word) => /^-[A-Za-z]/.test(word)).join("");
    const shape = letters.includes("A") ? "associative" : letters.includes("a") ? "indexed" : undefined;
    return { name, subscript: undefined, append, value: yield* expandElements(shell, name, value, shape) };
  }
  const subscript = yield* expandSubscript(shell, name, assignment.subscript);
  const text = yield* expandText(shell, value);
  return { name, subscript: typeof subscript === "object" ? subscript.text : subscript, append, value: text };
}

/** Assigns as `x=…`, `x[…]=…` and `x=(…)` do. */
export function* assign(shell: Shell, assignment: Assignment): Task<void> {
  const { name, value } = assignment;
  const how = assignment.append ? "append" : "replace";
  if (value.kind === "array") {
    if (assignment.subscript !== undefined)
      throw new AssignProblem(`${name}[${shownSubscript(assignment)}]: cannot assign list to array member`);
    const elements = yield* expandElements(shell, name, value);
    if (shell.has("xtrace"))
      traceLine(shell, `${name}${assignment.append ? "+" : ""}=(${shownElements(value)})`);
    assignArray(shell, name, elements, how);
    return;
  }
  if (typeof assignment.subscript === "object" && assignment.subscript.text === "")
    throw new AssignProblem(`${name}[]: bad array subscript`);
  const subscript = yield* expandSubscript(shell, name, assignment.subscript);
  const text = yield* expandText(shell, value);
  const key = typeof subscript === "object" ? subscript.text : subscript;
  if (key === "@" || key === "*") {
    if (shell.variables.find(name)?.shape !== "associative")
      throw new AssignProblem(`${name}[${key}]: bad array subscript`);
  }
  if (shell.has("xtrace"))
    traceLine(
      shell,
      `${name}${key === undefined ? "" : `[${key}]`}${assignment.append ? "+" : ""}=${quoteTrace(text)}`,
    );
  assignText(shell, name, key, text, how);
}

/** Runs a file of the file system as a script, in a shell of its own that has only the environment. */
function* runFile(shell: Shell, words: readonly string[], path: string): Task<number> {
  const text = decodeBytes(shell.runtime.fileSystem.readFile(path));
  const first = /^#!\s*(\S+)(?:\s+(.*))?\n?/.exec(text);
  const interpreter = first?.[1]?.split("/").pop() ?? "bash";
  const isOurs =
    /^(?:ba|da|z|k)?sh$/.test(interpreter) ||
    (interpreter === "env" && /^(?:ba)?sh\b/.test(first?.[2] ?? ""));
  if (!isOurs && first !== null) {
    const rest = first[2] === undefined || first[2] === "" ? [] : [first[2].trim()];
    const command = interpreter === "env" ? (first[2] ?? "").trim().split(/\s+/) : [first[1] ?? "", ...rest];
    return yield* shell.engine.runWords(shell, [...command, path, ...words.slice(1)], { functions: "skip" });
  }
  return yield* shell.engine.runFresh(shell, { text, name: words[0] ?? path, args: words.slice(1) });
}
