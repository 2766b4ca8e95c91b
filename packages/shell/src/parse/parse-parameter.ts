/* oxlint-disable no-unmodified-loop-condition -- one condition says which form it is */
/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import { findBracketEnd } from "./find-end.ts";
import type { ParameterOperator, ParameterPart, Subscript } from "./word.ts";
import { findParameterEnd, parseWord, skipNested, type WordContext, type WordMode } from "./word-parser.ts";

const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y;

/** Parses `${…}`; `at` is at the `$`. Gives the place behind the closing brace. */
export function parseParameter(
  text: string,
  at: number,
  mode: WordMode,
  context: WordContext,
): { readonly part: ParameterPart; readonly end: number } {
  const isWord = mode === "word";
  const close = findParameterEnd(text, at + 2, isWord ? "word" : "double");
  const body = text.slice(at + 2, close);
  const source = text.slice(at, close + 1);
  const read = readBody(body, mode, context);
  const part: ParameterPart =
    read === undefined
      ? {
          kind: "parameter",
          name: "",
          subscript: undefined,
          prefix: "",
          operator: { kind: "none" },
          source,
          bad: true,
        }
      : { kind: "parameter", ...read, source, bad: false };
  return { part, end: close + 1 };
}

type Body = Pick<ParameterPart, "name" | "subscript" | "prefix" | "operator">;

function readBody(body: string, mode: WordMode, context: WordContext): Body | undefined {
  let prefix: Body["prefix"] = "";
  let i = 0;
  if (body.startsWith("#") && isLength(body)) {
    prefix = "#";
    i = 1;
  } else if (body.startsWith("!") && /^![A-Za-z0-9_@*#?!-]/.test(body) && body !== "!-") {
    prefix = "!";
    i = 1;
  }
  NAME.lastIndex = i;
  const name = NAME.exec(body)?.[0];
  if (name === undefined) return undefined;
  i += name.length;

  let subscript: Subscript | undefined;
  if (body.charAt(i) === "[" && /^[A-Za-z_]/.test(name)) {
    const end = findBracketEnd(body, i + 1);
    if (end >= body.length) return undefined;
    const inner = body.slice(i + 1, end);
    if (inner === "") return undefined;
    subscript = inner === "@" || inner === "*" ? inner : parseWord(inner, "word", context);
    i = end + 1;
  }
  const operator = readOperator(body, i, prefix, mode, context);
  if (operator === undefined) return undefined;
  if (prefix === "#" && operator.kind !== "none") return undefined;
  return { name, subscript, prefix, operator };
}

/** `${#x}` is a length; `${#}`, `${#-x}` and `${#:1}` are about `$#`. */
function isLength(body: string): boolean {
  if (body.length === 1) return false;
  return /^#(?:[A-Za-z_0-9@*]|[?$!#-]$)/.test(body);
}

function readOperator(
  body: string,
  at: number,
  prefix: Body["prefix"],
  mode: WordMode,
  context: WordContext,
): ParameterOperator | undefined {
  if (at === body.length) return { kind: "none" };
  const operandMode: WordMode = mode === "word" ? "word" : mode === "document" ? "double" : "double";
  const operand = (from: number) => parseWord(body.slice(from), operandMode, context);
  /** In patterns single quotes quote, even between double quotes. */
  const pattern = (from: number, to?: number) => parseWord(body.slice(from, to), "word", context);
  const char = body.charAt(at);
  const next = body.charAt(at + 1);
  const rest = body.slice(at);
  if (prefix === "!" && (rest === "@" || rest === "*")) return { kind: "names", join: rest };
  switch (char) {
    case ":":
      if (next !== "" && "-=+?".includes(next)) {
        return { kind: "default", test: "null", action: next as "-", operand: operand(at + 2) };
      }
      return at + 1 === body.length ? undefined : readSlice(body, at + 1, context);
    case "-":
    case "=":
    case "+":
    case "?":
      return { kind: "default", test: "unset", action: char, operand: operand(at + 1) };
    case "#":
    case "%": {
      const twice = next === char;
      const side = twice ? (`${char}${char}` as "##") : char;
      return { kind: "remove", side, pattern: pattern(at + (twice ? 2 : 1)) };
    }
    case "/":
      return readReplace(body, at, mode, context);
    case "^":
    case ",":
    case "~": {
      const twice = next === char;
      const from = at + (twice ? 2 : 1);
      const how = twice ? (`${char}${char}` as "^^") : char;
      return { kind: "case", how, pattern: from === body.length ? undefined : pattern(from) };
    }
    case "@":
      return /^@[A-Za-z]$/.test(rest) ? { kind: "transform", how: next } : undefined;
    default:
      return undefined;
  }
}

function readSlice(body: string, from: number, context: WordContext): ParameterOperator {
  let i = from;
  let depth = 0;
  let questions = 0;
  while (i < body.length) {
    const char = body.charAt(i);
    if (char === "(" || char === "[") depth += 1;
    else if (char === ")" || char === "]") depth -= 1;
    else if (char === "?") questions += 1;
    else if (char === ":" && depth === 0) {
      if (questions === 0) break;
      questions -= 1;
    }
    i = skipNested(body, i, "word");
  }
  const offset = parseWord(body.slice(from, i), "arithmetic", context);
  const length = i < body.length ? parseWord(body.slice(i + 1), "arithmetic", context) : undefined;
  return { kind: "slice", offset, length };
}

function readReplace(body: string, at: number, mode: WordMode, context: WordContext): ParameterOperator {
  let from = at + 1;
  let where: "/" | "//" | "/#" | "/%" = "/";
  const next = body.charAt(from);
  if (next === "/") where = "//";
  else if (next === "#") where = "/#";
  else if (next === "%") where = "/%";
  if (where !== "/") from += 1;
  let i = from;
  while (i < body.length && (body.charAt(i) !== "/" || (i === from && (where === "/" || where === "//")))) {
    i = body.charAt(i) === '"' ? skipNested(body, i, "word") : skipNested(body, i, "word");
  }
  const pattern = parseWord(body.slice(from, i), "word", context);
  const operandMode: WordMode = mode === "word" ? "word" : "double";
  const replacement = parseWord(
    body.slice(Math.min(i + 1, body.length)),
    operandMode === "word" ? "word" : "word",
    context,
  );
  return { kind: "replace", where, pattern, replacement };
}
