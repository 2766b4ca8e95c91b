import { isTrue } from "../arithmetic/value.ts";
import { FileSystemError } from "@deputy/vfs";
import { absolutePath } from "../files/paths.ts";
import { Discard, ExitShell } from "../run/flow.ts";
import { findOnPath } from "../run/find-command.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { statPath } from "../files/file-tests.ts";
import { decodeBytes } from "../text/bytes.ts";
import { evaluate } from "../variables/assign.ts";
import { type Builtin, type BuiltinTable, refuse } from "./builtin.ts";

function jump(kind: "break" | "continue"): Builtin {
  return (shell, words) => {
    const [, count = "1", ...more] = words[1] === "--" ? [words[0] ?? "", ...words.slice(2)] : words;
    if (shell.loopDepth === 0) {
      shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
      return 0;
    }
    if (!/^[+-]?\d+$/.test(count)) {
      shell.complain(`${kind}: ${count}: numeric argument required`);
      throw new ExitShell(128);
    }
    if (more.length > 0) {
      shell.complain(`${kind}: too many arguments`);
      throw new Discard(1, "all");
    }
    if (Number(count) < 1) {
      shell.complain(`${kind}: ${count}: loop count out of range`);
      shell.flow = { kind: "break", levels: shell.loopDepth };
      return 1;
    }
    shell.flow = { kind, levels: Math.min(Number(count), shell.loopDepth) };
    return 0;
  };
}

function statusOf(shell: Shell, words: readonly string[]): number {
  const args = words[1] === "--" ? words.slice(2) : words.slice(1);
  const [text, ...more] = args;
  if (text === undefined) return shell.status;
  if (!/^\s*[+-]?\d+\s*$/.test(text)) {
    shell.complain(`${words[0] ?? ""}: ${text}: numeric argument required`);
    return 2;
  }
  if (more.length > 0) {
    shell.complain(`${words[0] ?? ""}: too many arguments`);
    throw new Discard(1, "all");
  }
  return Number(BigInt.asUintN(8, BigInt(text.trim().replace(/^\+/, ""))));
}

function* source(shell: Shell, words: readonly string[]): Task<number> {
  const args = words[1] === "--" ? words.slice(2) : words.slice(1);
  const [file, ...rest] = args;
  if (file === undefined) {
    shell.complain(`${words[0] ?? "."}: filename argument required`);
    shell.writeError(`${words[0] ?? "."}: usage: ${words[0] ?? "."} filename [arguments]\n`);
    return 2;
  }
  const path = file.includes("/") ? file : (searchPath(shell, file) ?? file);
  let text: string;
  const special = /^\/dev\/(?:fd\/(\d+)|stdin)$/.exec(path);
  try {
    if (special !== null) text = yield* readAll(shell, Number(special[1] ?? 0));
    else text = decodeBytes(shell.runtime.fileSystem.readFile(absolutePath(shell.cwd, path)));
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    shell.complain(
      error.code === "EISDIR" ? `${words[0] ?? "."}: ${file}: is a directory` : `${file}: ${error.message}`,
    );
    return 1;
  }
  const { positional, calls, file: from, line, loopDepth } = shell;
  if (rest.length > 0) shell.positional = rest;
  const sets = shell.positionalSets;
  shell.calls = [...calls, { name: "source", source: path, line, kind: "source" }];
  shell.file = path;
  try {
    let status = yield* shell.engine.runText(shell, text, 1);
    if (shell.flow?.kind === "return") {
      status = shell.flow.status;
      shell.flow = undefined;
    }
    if (shell.traps.has("RETURN")) {
      shell.status = status;
      yield* shell.engine.runTrap(shell, "RETURN");
    }
    return status;
  } finally {
    shell.calls = calls;
    shell.file = from;
    shell.line = line;
    shell.loopDepth = loopDepth;
    if (rest.length > 0 && shell.positionalSets === sets) shell.positional = positional;
  }
}

function searchPath(shell: Shell, file: string): string | undefined {
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    const path = absolutePath(folder === "" ? shell.cwd : folder, file);
    if (statPath(shell, path)?.kind === "file") return path;
  }
  return undefined;
}

function* readAll(shell: Shell, descriptor: number): Task<string> {
  const chunks: number[] = [];
  const channel = shell.channel(descriptor);
  if (channel === undefined) throw new FileSystemError("ENOENT");
  for (;;) {
    const read = channel.read(65_536);
    const bytes = read instanceof Uint8Array ? read : ((yield read) as Uint8Array);
    if (bytes.length === 0) return decodeBytes(Uint8Array.from(chunks));
    for (const byte of bytes) chunks.push(byte);
  }
}

function* exec(shell: Shell, words: readonly string[]): Task<number> {
  let i = 1;
  let as: string | undefined;
  for (; /^-[cla]/.test(words[i] ?? ""); i += 1) {
    if (words[i] !== "-a") continue;
    i += 1;
    as = words[i];
  }
  if (words[i] === "--") i += 1;
  if (i >= words.length) return 0;
  const name = words[i] ?? "";
  const found =
    /^(?:ba)?sh$/.test(name) ||
    name.includes("/") ||
    findOnPath(shell, name) !== undefined ||
    shell.runtime.commands.find(name) !== undefined;
  if (!found) {
    shell.complain(`exec: ${name}: not found`);
    throw new ExitShell(127);
  }
  const status = yield* shell.engine.runWords(shell, words.slice(i), {
    functions: "skip",
    ...(as !== undefined && { as }),
  });
  shell.traps.delete("EXIT");
  throw new ExitShell(status);
}

export const flowBuiltins: BuiltinTable = {
  break: jump("break"),
  continue: jump("continue"),
  return(shell, words) {
    if (shell.calls.length === 0) {
      shell.complain("return: can only `return' from a function or sourced script");
      return 2;
    }
    const status = statusOf(shell, words);
    shell.flow = { kind: "return", status };
    return status;
  },
  exit(shell, words) {
    throw new ExitShell(statusOf(shell, words));
  },
  *eval(shell, words) {
    const args = words[1] === "--" ? words.slice(2) : words.slice(1);
    if (/^-./.test(args[0] ?? "") && words[1] !== "--")
      return refuse(shell, "eval", `${args[0] ?? ""}: invalid option`, 2);
    const text = args.join(" ");
    if (text.trim() === "") return 0;
    return yield* shell.engine.runText(shell, text);
  },
  source,
  ".": source,
  exec,
  shift(shell, words) {
    const count = words[1] ?? "1";
    if (!/^\d+$/.test(count)) {
      shell.complain(
        `shift: ${count}: ${/^-\d+$/.test(count) ? "shift count out of range" : "numeric argument required"}`,
      );
      return 1;
    }
    if (words.length > 2) return refuse(shell, "shift", "too many arguments");
    if (Number(count) > shell.positional.length) return 1;
    shell.positional = shell.positional.slice(Number(count));
    return 0;
  },
  let(shell, words) {
    if (words.length < 2) return refuse(shell, "let", "expression expected");
    let value: number | bigint = 0;
    try {
      for (const text of words.slice(1)) value = evaluate(shell, text);
    } catch (error) {
      if (error instanceof Discard) return 1;
      throw error;
    }
    return isTrue(value) ? 0 : 1;
  },
};
