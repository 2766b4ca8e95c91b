import type * as unbash from "unbash";
import { expandBraces } from "./expand-braces.ts";
import { findBracketEnd } from "./find-end.ts";
import type { Source } from "./parse-script.ts";
import type { Argument, ArrayElement, ArrayLiteral, Assignment } from "./script.ts";
import type { Word } from "./word.ts";
import { parseWord, type WordContext } from "./word-parser.ts";

export function compileWord(word: unbash.Word, source: Source): Word {
  return parseWord(word.text, "word", source.context(word.pos));
}

const DECLARING = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** True if the arguments of this command may be assignments. */
export function isDeclaration(words: readonly (unbash.Word | unbash.Assignment)[]): boolean {
  return DECLARING.has(words[0]?.text ?? "");
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=/;

export function compileArgument(
  word: unbash.Word | unbash.Assignment,
  source: Source,
  kind: "plain" | "declares" = "plain",
): Argument {
  const context = source.context(word.pos);
  const plain = (): Word => parseWord(word.text, "word", context);
  if (kind === "declares") {
    if (word.type === "Assignment") {
      return { kind: "assignment", assignment: compileAssignment(word, source), plain: plain() };
    }
    const match = ASSIGNMENT.exec(word.text);
    if (match !== null) {
      const [whole, name = "", plus] = match;
      const value = parseWord(word.text.slice(whole.length), "assignment", context);
      return {
        kind: "assignment",
        assignment: { name, subscript: undefined, append: plus === "+", value },
        plain: plain(),
      };
    }
  }
  return compileText(word.text, context);
}

/** A word of a list, with its braces. */
export function compileText(text: string, context: WordContext): Argument {
  // `x=~/a` as an argument: bash expands the tilde after the first `=` of what looks like an assignment.
  const match = text.includes("~") ? ASSIGNMENT.exec(text) : null;
  const one = (each: string): Word => {
    if (match === null) return parseWord(each, "word", context);
    const value = parseWord(each.slice(match[0].length), "assignment", context);
    const head = { kind: "literal" as const, text: match[0], quoted: false };
    return { kind: "word", text: each, parts: [head, ...value.parts], constant: undefined };
  };
  const plain = one(text);
  if (!text.includes("{")) return { kind: "words", expanded: [plain], plain };
  const texts = expandBraces(text);
  if (texts === undefined) return { kind: "words", expanded: undefined, plain };
  if (texts.length === 1 && texts[0] === text) return { kind: "words", expanded: [plain], plain };
  return { kind: "words", expanded: texts.map((each) => parseWord(each, "word", context)), plain };
}

export function compileAssignment(node: unbash.Assignment, source: Source): Assignment {
  const context = source.context(node.pos);
  const value =
    node.value.type === "ArrayValue"
      ? compileArray(node.value, source)
      : parseWord(node.value.text, "assignment", context);
  return {
    name: node.name,
    subscript: node.index === undefined ? undefined : parseWord(node.index.text, "word", context),
    append: node.append === true,
    value,
  };
}

function compileArray(node: unbash.ArrayValue, source: Source): ArrayLiteral {
  return {
    kind: "array",
    elements: node.elements.map((element) => compileElement(element.text, source.context(element.pos))),
  };
}

export function compileElement(text: string, context: WordContext): ArrayElement {
  if (text.startsWith("[")) {
    const end = findBracketEnd(text, 1);
    const match = /^\](\+?)=/.exec(text.slice(end));
    if (match !== null) {
      return {
        kind: "keyed",
        subscript: parseWord(text.slice(1, end), "word", context),
        append: match[1] === "+",
        value: parseWord(text.slice(end + match[0].length), "assignment", context),
        plain: parseWord(text, "word", context),
      };
    }
  }
  return { kind: "words", argument: compileText(text, context) };
}
