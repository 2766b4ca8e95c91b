import { FileSystemError } from "@deputy/vfs";
import { absolutePath } from "../files/paths.ts";
import type { Shell } from "../run/shell.ts";
import { SET_OPTIONS } from "../run/shell-options.ts";
import type { Task } from "../run/task.ts";
import { decodeBytes } from "../text/bytes.ts";
import type { BuiltinTable } from "./builtin.ts";
import { readLine } from "./read-line.ts";

const BY_LETTER = new Map(
  Object.entries(SET_OPTIONS)
    .filter(([, letter]) => letter !== "")
    .map(([name, letter]) => [letter, name]),
);
const WITH_FILE = new Set(["--rcfile", "--init-file"]);
const LONG = new Set([
  "--debug",
  "--debugger",
  "--login",
  "--noediting",
  "--noprofile",
  "--norc",
  "--posix",
  "--restricted",
  "--verbose",
]);
const USAGE = `GNU bash, version 5.2.15(1)-release-(x86_64-pc-linux-gnu)
Usage:\tbash [GNU long option] [option] ...
\tbash [GNU long option] [option] script-file ...
`;

interface Asked {
  readonly options: string[];
  readonly shopts: string[];
  flags: "" | "i";
  wantsText: boolean;
  /** What follows are arguments of what comes by the input. */
  wantsInput: boolean;
  rcFile: string | undefined;
  /** What stands behind the options. */
  rest: readonly string[];
}

/** The options of a command line; a text if it has one that does not exist. */
function readOptions(words: readonly string[]): Asked | string {
  const asked: Asked = {
    options: [],
    shopts: [],
    flags: "",
    wantsText: false,
    wantsInput: false,
    rcFile: undefined,
    rest: [],
  };
  let i = 1;
  for (; /^--./.test(words[i] ?? ""); i += 1) {
    const word = words[i] ?? "";
    if (WITH_FILE.has(word)) asked.rcFile = words[(i += 1)];
    else if (word === "--posix" || word === "--verbose") asked.options.push(word.slice(2));
    else if (!LONG.has(word)) return word;
  }
  for (; /^[-+]./.test(words[i] ?? ""); i += 1) {
    const word = words[i] ?? "";
    if (word === "--") break;
    if (word.startsWith("--") && WITH_FILE.has(word)) {
      asked.rcFile = words[(i += 1)];
      continue;
    }
    if (LONG.has(word)) continue;
    if (word.startsWith("--")) return word;
    for (const letter of word.slice(1)) {
      const name = BY_LETTER.get(letter);
      if (letter === "c") asked.wantsText = true;
      else if (letter === "s") asked.wantsInput = true;
      else if (letter === "i") asked.flags = "i";
      else if (letter === "o") asked.options.push(words[(i += 1)] ?? "");
      else if (letter === "O") {
        i += 1;
        if (word.startsWith("-")) asked.shopts.push(words[i] ?? "");
      } else if (name !== undefined) asked.options.push(name);
      else if (!"lrD".includes(letter)) return `-${letter}`;
    }
  }
  if (words[i] === "--" || words[i] === "-") i += 1;
  asked.rest = words.slice(i);
  return asked;
}

/** `bash -c 'text'`, `bash file`, and `bash` that reads its stdin. */
function* startShell(shell: Shell, words: readonly string[]): Task<number> {
  const called = words[0] ?? "bash";
  const refuse = (message: string, status: number): number => {
    shell.writeError(`${called}: ${message}\n`);
    return status;
  };
  if (words[1] === "--help" || words[1] === "--version") {
    void shell.channel(1)?.write(new TextEncoder().encode(USAGE));
    return 0;
  }
  const asked = readOptions(words);
  if (typeof asked === "string") return refuse(`${asked}: invalid option`, 2);
  const { options, shopts, flags, wantsText, wantsInput, rcFile, rest } = asked;
  const wrong = options.find((name) => !(name in SET_OPTIONS));
  if (wrong !== undefined) return refuse(`${wrong}: invalid option name`, 2);
  const common = { options, shopts, ...(flags === "i" && rcFile !== undefined && { rcFile }) };
  const [first] = rest;
  if (wantsText) {
    if (first === undefined) return refuse("-c: option requires an argument", 2);
    const [, name = called, ...args] = rest;
    return yield* shell.engine.runFresh(shell, { ...common, text: first, name, args, flags: `${flags}c` });
  }
  if (first === undefined || wantsInput) {
    const lines: string[] = [];
    for (let line = yield* readLine(shell, 0); line !== undefined; line = yield* readLine(shell, 0))
      lines.push(line);
    const text = `${lines.join("\n")}\n`;
    return yield* shell.engine.runFresh(shell, {
      ...common,
      text,
      name: called,
      args: rest,
      flags: `${flags}s`,
    });
  }
  const read = readFile(shell, first);
  if (typeof read !== "string") return refuse(`${first}: ${read.problem}`, read.status);
  return yield* shell.engine.runFresh(shell, {
    ...common,
    text: read,
    name: first,
    args: rest.slice(1),
    flags,
  });
}

function readFile(
  shell: Shell,
  file: string,
): string | { readonly problem: string; readonly status: number } {
  try {
    const bytes = shell.runtime.fileSystem.readFile(absolutePath(shell.cwd, file));
    const newline = bytes.indexOf(10);
    const isBinary = bytes.subarray(0, newline === -1 ? undefined : newline).includes(0);
    return isBinary
      ? { problem: "cannot execute binary file", status: 126 }
      : decodeBytes(bytes.filter((byte) => byte !== 0));
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    return { problem: error.message, status: error.code === "EISDIR" ? 126 : 127 };
  }
}

export const shellBuiltins: BuiltinTable = { bash: startShell, sh: startShell };
