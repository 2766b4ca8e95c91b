import { FileSystemError } from "@deputy/vfs";
import { expandArgument, ifsOf } from "../expand/expand-word.ts";
import { absolutePath } from "../files/paths.ts";
import { createCollector } from "../io/channel.ts";
import { compileText } from "../parse/compile-words.ts";
import { findSubstitutionEnd } from "../parse/find-end.ts";
import { parseScript } from "../parse/parse-script.ts";
import { compilePattern } from "../patterns/pattern.ts";
import { Discard } from "../run/flow.ts";
import { SIGNALS } from "../run/process.ts";
import { exceed } from "../run/runtime.ts";
import type { Shell } from "../run/shell.ts";
import { ALL_SHOPTS, SET_OPTIONS } from "../run/shell-options.ts";
import type { Task } from "../run/task.ts";
import { decodeBytes } from "../text/bytes.ts";
import { quoteSingle } from "../text/quote.ts";
import { type BuiltinTable, refuse, say } from "./builtin.ts";

/** What `complete` was told about a command, and what `compgen` is asked. */
export interface CompletionSpec {
  readonly options: readonly string[];
  readonly actions: readonly string[];
  /** The values of -G, -W, -P, -S, -X, -F and -C. */
  readonly values: ReadonlyMap<string, string>;
}

/** The actions that have letters of their own. */
const LETTERS: Readonly<Record<string, string>> = {
  a: "alias",
  b: "builtin",
  c: "command",
  d: "directory",
  e: "export",
  f: "file",
  g: "group",
  j: "job",
  k: "keyword",
  s: "service",
  u: "user",
  v: "variable",
};
const OPTIONS = new Set("bashdefault default dirnames filenames noquote nosort nospace plusdirs".split(" "));
const KEYWORDS =
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(
    " ",
  );

interface Names {
  readonly builtins: () => ReadonlySet<string>;
}

/** In the order in which bash lists them, whatever the order in which they are asked for. */
function actionsOf(
  names: Names,
): readonly (readonly [string, (shell: Shell, word: string) => readonly string[]])[] {
  const variables = (shell: Shell, test: (name: string) => boolean): readonly string[] =>
    [...shell.variables.visible().keys()].filter(test).sort();
  const find = (shell: Shell, name: string) => shell.variables.find(name);
  const nothing = (): readonly string[] => [];
  const user = (shell: Shell): readonly string[] => [shell.variables.text("USER") ?? "user"];
  return [
    ["alias", (shell) => [...shell.aliases.keys()].sort()],
    ["arrayvar", (shell) => variables(shell, (name) => (find(shell, name)?.shape ?? "text") !== "text")],
    ["binding", nothing],
    ["builtin", () => [...names.builtins()].sort()],
    ["disabled", nothing],
    ["enabled", () => [...names.builtins()].sort()],
    ["export", (shell) => variables(shell, (name) => find(shell, name)?.exported === true)],
    ["function", (shell) => [...shell.functions.keys()].sort()],
    ["helptopic", () => [...new Set([...names.builtins(), ...KEYWORDS])].sort()],
    ["hostname", (shell) => [shell.variables.text("HOSTNAME") ?? "localhost"]],
    ["job", (shell) => shell.jobs.map(({ text }) => text)],
    ["keyword", () => KEYWORDS],
    ["running", (shell) => shell.jobs.filter(({ status }) => status === undefined).map(({ text }) => text)],
    ["setopt", () => Object.keys(SET_OPTIONS).sort()],
    ["shopt", () => [...ALL_SHOPTS].sort()],
    ["signal", () => Object.keys(SIGNALS).map((name) => `SIG${name}`)],
    ["stopped", nothing],
    ["variable", (shell) => variables(shell, (name) => find(shell, name)?.isSet === true)],
    ["command", (shell, word) => commandNames(shell, names, word)],
    ["file", (shell, word) => fileNames(shell, word, "all")],
    ["user", user],
    ["group", user],
    ["service", nothing],
    ["directory", (shell, word) => fileNames(shell, word, "directories")],
  ];
}

function commandNames(shell: Shell, names: Names, word: string): readonly string[] {
  const files = new Set(shell.runtime.commands.names());
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    for (const name of listFolder(shell, absolutePath(shell.cwd, folder))) {
      if (name.startsWith(word)) files.add(name);
    }
  }
  return [
    ...[...shell.aliases.keys()].sort(),
    ...KEYWORDS,
    ...[...shell.functions.keys()].sort(),
    ...[...names.builtins()].sort(),
    ...[...files].sort(),
  ];
}

function listFolder(shell: Shell, path: string): readonly string[] {
  try {
    return shell.runtime.fileSystem.readDirectory(path).map(({ name }) => name);
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}

/** Paths that begin with the word, as it was written. */
function fileNames(shell: Shell, word: string, which: "all" | "directories"): readonly string[] {
  const head = word.slice(0, word.lastIndexOf("/") + 1);
  const folder = absolutePath(shell.cwd, head === "" ? "." : head);
  const found = listFolder(shell, folder)
    .filter((name) => name !== "." && name !== ".." && (head + name).startsWith(word))
    .sort();
  if (which === "all") return found.map((name) => head + name);
  return found.filter((name) => isFolder(shell, absolutePath(folder, name))).map((name) => head + name);
}

function isFolder(shell: Shell, path: string): boolean {
  try {
    return shell.runtime.fileSystem.stat(path, "follow").kind === "directory";
  } catch (error) {
    if (error instanceof FileSystemError) return false;
    throw error;
  }
}

interface Request {
  readonly spec: CompletionSpec;
  readonly rest: readonly string[];
  readonly flags: ReadonlySet<string>;
}

/** Undefined, with bash's words, if it cannot be read. */
function readRequest(shell: Shell, words: readonly string[], own: string, known: readonly string[]) {
  const [name = ""] = words;
  const options: string[] = [];
  const actions: string[] = [];
  const values = new Map<string, string>();
  const flags = new Set<string>();
  let i = 1;
  for (; /^-./.test(words[i] ?? ""); i += 1) {
    const word = words[i] ?? "";
    if (word === "--") {
      i += 1;
      break;
    }
    for (let k = 1; k < word.length; k += 1) {
      const letter = word.charAt(k);
      if (letter in LETTERS) actions.push(LETTERS[letter] ?? "");
      else if (own.includes(letter)) flags.add(letter);
      else if ("oAGWFCXPS".includes(letter)) {
        const attached = word.slice(k + 1);
        const value = attached === "" ? words[(i += 1)] : attached;
        if (value === undefined) {
          shell.complain(`${name}: -${letter}: option requires an argument`);
          return undefined;
        }
        if (letter === "o") {
          if (!OPTIONS.has(value)) return shell.complain(`${name}: ${value}: invalid option name`);
          options.push(value);
        } else if (letter === "A") {
          if (!known.includes(value)) return shell.complain(`${name}: ${value}: invalid action name`);
          actions.push(value);
        } else values.set(letter, value);
        break;
      } else return shell.complain(`${name}: -${letter}: invalid option`);
    }
  }
  const request: Request = { spec: { options, actions, values }, rest: words.slice(i), flags };
  return request;
}

/** The text of `-W`, split at the delimiters that are not quoted. */
function splitWords(shell: Shell, text: string): readonly string[] {
  const ifs = ifsOf(shell);
  const pieces: string[] = [];
  let piece = "";
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    let end = i;
    if (char === "\\") end = i + 1;
    else if (char === "'" || char === '"' || char === "`") end = text.indexOf(char, i + 1);
    else if (char === "$" && text.charAt(i + 1) === "(") end = findSubstitutionEnd(text, i + 2);
    else if (char === "$" && text.charAt(i + 1) === "{") end = text.indexOf("}", i);
    else if (ifs.includes(char)) {
      pieces.push(piece);
      piece = "";
      continue;
    }
    const stop = end === -1 ? text.length : end + 1;
    piece += text.slice(i, stop);
    i = stop - 1;
  }
  return [...pieces, piece].filter((each) => each !== "");
}

function* expandWords(shell: Shell, text: string): Task<readonly string[]> {
  const words: string[] = [];
  const context = { parseNested: parseScript, line: shell.line };
  for (const piece of splitWords(shell, text)) {
    yield* expandArgument(shell, compileText(piece, context), words);
  }
  return words;
}

/** The line that is being completed, for functions and commands that complete. */
interface CompletedLine {
  readonly words: readonly string[];
  readonly index: number;
  readonly line: string;
  readonly point: number;
}

const NO_LINE: CompletedLine = { words: [], index: -1, line: "", point: 0 };

/** All that a specification gives for a word. */
function* complete(
  shell: Shell,
  names: Names,
  request: { readonly spec: CompletionSpec; readonly word: string; readonly line?: CompletedLine },
): Task<readonly string[]> {
  const { spec, word } = request;
  const found: string[] = [];
  const begins = (each: string): boolean => each.startsWith(word);
  for (const [action, list] of actionsOf(names)) {
    if (spec.actions.includes(action)) found.push(...list(shell, word).filter(begins));
  }
  const list = spec.values.get("W");
  if (list !== undefined) found.push(...(yield* expandWords(shell, list)).filter(begins));
  const line = request.line ?? NO_LINE;
  const command = line.words[0] ?? "compgen";
  const before = line.words[line.index - 1] ?? "";
  const run = spec.values.get("F");
  if (run !== undefined) found.push(...(yield* askFunction(shell, run, [command, word, before], line)));
  const program = spec.values.get("C");
  if (program !== undefined) {
    const full = (): never => exceed("expansion_limit", "A completion is too large.");
    const collector = createCollector(shell.runtime.limits.expansionBytes, full);
    yield* shell.engine.runSubshell(shell, function* (inner) {
      inner.descriptors.set(1, collector);
      return yield* inner.engine.runText(inner, program);
    });
    found.push(...decodeBytes(collector.take()).split("\n").slice(0, -1));
  }
  const kept = found.filter((each) => !isFiltered(shell, spec.values.get("X"), word, each));
  if (kept.length === 0 && spec.options.includes("default")) kept.push(...fileNames(shell, word, "all"));
  if (kept.length === 0 && spec.options.includes("dirnames"))
    kept.push(...fileNames(shell, word, "directories"));
  if (spec.options.includes("plusdirs")) kept.push(...fileNames(shell, word, "directories"));
  const [prefix, suffix] = [spec.values.get("P") ?? "", spec.values.get("S") ?? ""];
  return kept.map((each) => prefix + each + suffix);
}

function* askFunction(
  shell: Shell,
  name: string,
  args: readonly string[],
  line: CompletedLine,
): Task<readonly string[]> {
  if (!shell.functions.has(name)) {
    shell.complain(`compgen: warning: -F option may not work as you expect`);
    return [];
  }
  const { variables } = shell;
  variables.setList("COMP_WORDS", line.words);
  variables.setText("COMP_CWORD", String(line.index));
  variables.setText("COMP_LINE", line.line);
  variables.setText("COMP_POINT", String(line.point));
  variables.unset("COMPREPLY");
  shell.completing = true;
  try {
    yield* shell.engine.callFunction(shell, name, args);
  } finally {
    shell.completing = false;
    for (const each of ["COMP_WORDS", "COMP_CWORD", "COMP_LINE", "COMP_POINT"]) variables.unset(each);
  }
  const reply = variables.find("COMPREPLY");
  const found = reply === undefined ? [] : [...reply.values()];
  variables.unset("COMPREPLY");
  return found;
}

function isFiltered(shell: Shell, filter: string | undefined, word: string, each: string): boolean {
  if (filter === undefined || filter === "") return false;
  const negated = filter.startsWith("!");
  const text = (negated ? filter.slice(1) : filter).replaceAll(/(?<!\\)&/g, word);
  return (
    compilePattern(shell.runtime.patterns, text, { extglob: true, ignoreCase: false }).matches(each) !==
    negated
  );
}

function specText(name: string, spec: CompletionSpec): string {
  let text = "complete";
  for (const option of spec.options) text += ` -o ${option}`;
  const letters = new Map(Object.entries(LETTERS).map(([letter, action]) => [action, letter]));
  for (const action of spec.actions) {
    const letter = letters.get(action);
    text += letter === undefined ? ` -A ${action}` : ` -${letter}`;
  }
  for (const letter of "GWPSXFC") {
    const value = spec.values.get(letter);
    if (value !== undefined) text += ` -${letter} ${letter === "F" ? value : quoteSingle(value)}`;
  }
  return `${text} ${name}\n`;
}

export function completionBuiltins(builtins: () => ReadonlySet<string>): BuiltinTable {
  const names: Names = { builtins };
  const known = actionsOf(names).map(([action]) => action);
  return {
    *compgen(shell, words) {
      const request = readRequest(shell, words, "", known);
      if (request === undefined) return 2;
      let found: readonly string[];
      try {
        found = yield* complete(shell, names, { spec: request.spec, word: request.rest[0] ?? "" });
      } catch (error) {
        if (error instanceof Discard) return 1;
        throw error;
      }
      if (found.length === 0) return 1;
      const said = say(shell, found.map((each) => `${each}\n`).join(""));
      return typeof said === "number" ? said : yield* said;
    },
    complete(shell, words) {
      const request = readRequest(shell, words, "prDEI", known);
      if (request === undefined) return 2;
      const { spec, flags } = request;
      const special = ["D", "E", "I"].filter((letter) => flags.has(letter)).map((letter) => `-${letter}`);
      const rest = [...special, ...request.rest];
      if (words.length === 1 || flags.has("p")) {
        const shown = rest.length === 0 ? [...shell.completions.keys()] : rest;
        let status = 0;
        let text = "";
        for (const name of shown) {
          const each = shell.completions.get(name);
          if (each === undefined) status = refuse(shell, "complete", `${name}: no completion specification`);
          else text += specText(name, each);
        }
        return say(shell, text, status);
      }
      if (flags.has("r")) {
        if (rest.length === 0) shell.completions.clear();
        for (const name of rest) shell.completions.delete(name);
        return 0;
      }
      if (rest.length === 0) {
        shell.writeError(
          "complete: usage: complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]\n",
        );
        return 2;
      }
      for (const name of rest) shell.completions.set(name, spec);
      return 0;
    },
    compopt(shell, words) {
      const plain = words.map((word, i) => (i > 0 && word === "+o" ? "-o" : word));
      if (readRequest(shell, plain, "DEI", known) === undefined) return 2;
      return shell.completing ? 0 : refuse(shell, "compopt", "not currently executing completion function");
    },
  };
}
