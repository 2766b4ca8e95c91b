/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import type { ParameterOperator, Word } from "../parse/word.ts";
import { compilePattern, type Pattern } from "../patterns/pattern.ts";
import { Discard } from "../run/flow.ts";
import type { Shell } from "../run/shell.ts";
import type { Task } from "../run/task.ts";
import { countChars, sliceChars } from "../text/bytes.ts";
import { expandArithmetic, expandText } from "./expand-word.ts";
import type { Expanded } from "./expand-parameter.ts";
import type { ParameterValue, Reference } from "./parameter-value.ts";

type Operator = Extract<ParameterOperator, { kind: "remove" | "replace" | "slice" | "case" }>;

/** `#`, `%`, `/`, `:`, `^` and `,`; of a list, each element. */
export function* applyOperator(
  shell: Shell,
  operator: Operator,
  reference: Reference,
  value: ParameterValue,
  quoted: boolean,
): Task<Expanded> {
  if (operator.kind === "slice") {
    return value.kind === "list"
      ? yield* sliceList(shell, operator, reference, value)
      : { kind: "text", text: yield* sliceText(shell, operator, value.text ?? "") };
  }
  const change = yield* prepare(shell, operator, quoted);
  if (value.kind === "text") return { kind: "text", text: change(value.text ?? "") };
  return { kind: "list", items: value.items.map((item) => change(item)), join: value.join };
}

function* patternOf(shell: Shell, word: Word): Task<Pattern> {
  const text = yield* expandText(shell, word, "pattern");
  return compilePattern(shell.runtime.patterns, text, {
    extglob: shell.shopts.has("extglob") || true,
    ignoreCase: false,
  });
}

function* prepare(
  shell: Shell,
  operator: Exclude<Operator, { kind: "slice" }>,
  quoted: boolean,
): Task<(text: string) => string> {
  if (operator.kind === "remove") {
    const pattern = yield* patternOf(shell, operator.pattern);
    const which = operator.side.length === 2 ? "longest" : "shortest";
    return (text) => {
      if (operator.side.startsWith("#")) {
        const end = pattern.prefix(text, which);
        return end === -1 ? text : text.slice(end);
      }
      const start = pattern.suffix(text, which);
      return start === -1 ? text : text.slice(0, start);
    };
  }
  if (operator.kind === "case") {
    const pattern = operator.pattern === undefined ? undefined : yield* patternOf(shell, operator.pattern);
    return (text) => changeCase(text, operator.how, pattern);
  }
  const source = yield* expandText(shell, operator.pattern, "pattern");
  const pattern = compilePattern(shell.runtime.patterns, source, {
    extglob: true,
    ignoreCase: shell.shopts.has("nocasematch"),
  });
  const mode = shell.shopts.has("patsub_replacement") ? "replacement" : "text";
  const replacement = yield* expandText(shell, operator.replacement, mode);
  void quoted;
  return (text) => replace(text, operator.where, pattern, source, replacement, mode);
}

function replace(
  text: string,
  where: "/" | "//" | "/#" | "/%",
  pattern: Pattern,
  source: string,
  replacement: string,
  mode: "replacement" | "text",
): string {
  const fill = (match: string): string => {
    if (mode === "text" || !/[\\&]/.test(replacement)) return replacement;
    return replacement.replaceAll(/\\([\\&])|&/g, (_, escaped: string | undefined) => escaped ?? match);
  };
  if (where === "/#") {
    const end = pattern.prefix(text, "longest");
    return end === -1 ? text : fill(text.slice(0, end)) + text.slice(end);
  }
  if (where === "/%") {
    const start = pattern.suffix(text, "longest");
    return start === -1 ? text : text.slice(0, start) + fill(text.slice(start));
  }
  if (source === "") return text;
  let out = "";
  let at = 0;
  while (at <= text.length) {
    const found = pattern.find(text, at);
    if (found === undefined) break;
    if (found.end === found.start) {
      // An empty match replaces nothing, except of an empty text.
      if (text === "") return fill("");
      if (found.start >= text.length) break;
      out += text.slice(at, found.start + 1);
      at = found.start + 1;
      continue;
    }
    out += text.slice(at, found.start) + fill(text.slice(found.start, found.end));
    at = found.end;
    if (where === "/") break;
  }
  return out + text.slice(at);
}

function changeCase(text: string, how: string, pattern: Pattern | undefined): string {
  const change = (char: string): string => {
    if (pattern !== undefined && !pattern.matches(char)) return char;
    if (how.startsWith("^")) return one(char, char.toUpperCase());
    if (how.startsWith(",")) return one(char, char.toLowerCase());
    return one(char, char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase());
  };
  const chars = Array.from(text);
  if (how.length === 2) return chars.map((char) => change(char)).join("");
  const [first = "", ...rest] = chars;
  return change(first) + rest.join("");
}

/** Letters whose other case is longer (`ß`) stay, as towupper has it. */
const one = (before: string, after: string): string =>
  countChars(after) === countChars(before) ? after : before;

function* sliceText(
  shell: Shell,
  operator: Extract<Operator, { kind: "slice" }>,
  text: string,
): Task<string> {
  const size = countChars(text);
  const offset = Number(yield* expandArithmetic(shell, operator.offset));
  const from = offset < 0 ? size + offset : offset;
  const length =
    operator.length === undefined ? undefined : Number(yield* expandArithmetic(shell, operator.length));
  if (from < 0 || from > size) return "";
  if (length === undefined) return sliceChars(text, from, size);
  const to = length < 0 ? size + length : from + length;
  if (to < from) {
    shell.complain(`${operator.length?.text.trim() ?? ""}: substring expression < 0`);
    throw new Discard(1);
  }
  return sliceChars(text, from, to);
}

function* sliceList(
  shell: Shell,
  operator: Extract<Operator, { kind: "slice" }>,
  reference: Reference,
  value: Extract<ParameterValue, { kind: "list" }>,
): Task<Expanded> {
  const offset = Number(yield* expandArithmetic(shell, operator.offset));
  const length =
    operator.length === undefined ? undefined : Number(yield* expandArithmetic(shell, operator.length));
  if (length !== undefined && length < 0) {
    shell.complain(`${operator.length?.text.trim() ?? ""}: substring expression < 0`);
    throw new Discard(1);
  }
  const take = (items: readonly string[], from: number): readonly string[] =>
    items.slice(from, length === undefined ? undefined : from + length);
  if (reference.name === "@" || reference.name === "*") {
    const all = [shell.name, ...value.items];
    const from = offset < 0 ? all.length + offset : offset;
    if (from < 0) return { kind: "list", items: [], join: value.join };
    return { kind: "list", items: take(from === 0 ? all : all, from), join: value.join };
  }
  const variable = shell.variables.find(shell.variables.resolve(reference.name) ?? reference.name);
  if (variable?.shape === "indexed") {
    // The offset counts by index, also over gaps.
    const from = offset < 0 ? (variable.list?.max ?? -1) + 1 + offset : offset;
    if (from < 0) return { kind: "list", items: [], join: value.join };
    const items = (variable.list?.entries() ?? []).filter(([key]) => key >= from).map(([, item]) => item);
    return { kind: "list", items: take(items, 0), join: value.join };
  }
  const from =
    offset < 0
      ? value.items.length + offset
      : variable?.shape === "associative" && offset > 0
        ? offset - 1
        : offset;
  if (from < 0) return { kind: "list", items: [], join: value.join };
  return { kind: "list", items: take(value.items, from), join: value.join };
}
