import { KitError } from "../keyed-lane.ts";
import type { CharTest, PatternNode } from "./pattern-tree.ts";

const MOST_CHARS = 1_000;
const MOST_REPEATS = 1_000;
const DEEPEST = 50;

/**
 * Parses a regular expression in JavaScript's syntax, without what cannot be matched in linear time: no
 * look-around, no back references. Throws `pattern_invalid`.
 */
export function parsePattern(source: string, letters: "exact" | "any-case"): PatternNode {
  const chars = Array.from(source);
  let at = 0;
  const fail = (why: string): KitError =>
    new KitError("pattern_invalid", `The pattern cannot be used: ${why}`, {
      hint: "Look-around and back references are not supported; literal: true searches for plain text.",
    });
  if (chars.length > MOST_CHARS) throw fail(`it is longer than ${MOST_CHARS} characters`);

  const folded = (accepts: CharTest): CharTest => (letters === "exact" ? accepts : inAnyCase(accepts));
  const char = (accepts: CharTest): PatternNode => ({ kind: "char", accepts });
  const one = (text: string): PatternNode => ({
    kind: "char",
    accepts: folded(isChar(text)),
    ...(letters === "exact" ? { literal: text } : {}),
  });

  const parseChoice = (depth: number): PatternNode => {
    if (depth > DEEPEST) throw fail("it nests too deeply");
    const options = [parseSequence(depth)];
    while (chars[at] === "|") {
      at++;
      options.push(parseSequence(depth));
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  };
  const parseSequence = (depth: number): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < chars.length && chars[at] !== "|" && chars[at] !== ")") parts.push(parseRepeat(depth));
    return { kind: "sequence", parts };
  };
  const parseRepeat = (depth: number): PatternNode => {
    const of = parseAtom(depth);
    const bounds = parseBounds();
    if (bounds === undefined) return of;
    if (of.kind === "assert") throw fail("an anchor cannot be repeated");
    if (chars[at] === "?") at++; // Lazy or not, the same lines match.
    if (parseBounds() !== undefined) throw fail("a repetition cannot be repeated");
    return { kind: "repeat", of, ...bounds };
  };
  const parseBounds = (): { readonly least: number; readonly most: number } | undefined => {
    const mark = chars[at];
    if (mark === "*" || mark === "+" || mark === "?") {
      at++;
      return { least: mark === "+" ? 1 : 0, most: mark === "?" ? 1 : Number.POSITIVE_INFINITY };
    }
    const [whole, least, comma, most] =
      /^\{(\d+)(?:(,)(\d+)?)?\}/.exec(chars.slice(at, at + 20).join("")) ?? [];
    if (whole === undefined) return undefined;
    at += whole.length;
    const from = Number(least);
    const to = comma === undefined ? from : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
    if (from > to) throw fail("the numbers of a repetition are out of order");
    if (from > MOST_REPEATS || (to > MOST_REPEATS && to !== Number.POSITIVE_INFINITY))
      throw fail(`a repetition count is above ${MOST_REPEATS}`);
    return { least: from, most: to };
  };
  const parseAtom = (depth: number): PatternNode => {
    const next = chars[at++] ?? "";
    if (next === "(") return parseGroup(depth);
    if (next === "[") return char(parseClass());
    if (next === ".") return char((code) => code !== 10 && code !== 13 && code !== 0x2028 && code !== 0x2029);
    if (next === "^") return { kind: "assert", what: "start" };
    if (next === "$") return { kind: "assert", what: "end" };
    if (next === "\\") return parseEscape();
    if ("*+?".includes(next)) throw fail(`there is nothing before ${next} to repeat`);
    return one(next);
  };
  const parseGroup = (depth: number): PatternNode => {
    if (chars[at] === "?") {
      const [head] = /^\?(?::|<[A-Za-z_$][\w$]*>)/.exec(chars.slice(at, at + 100).join("")) ?? [];
      if (head === undefined) throw fail("look-around and flags inside it are not supported");
      at += head.length;
    }
    const inner = parseChoice(depth + 1);
    if (chars[at++] !== ")") throw fail("a group is not closed");
    return inner;
  };
  const parseEscape = (): PatternNode => {
    const next = chars[at];
    if (next === undefined) throw fail("it ends in \\");
    if (next === "b" || next === "B") {
      at++;
      return { kind: "assert", what: next === "b" ? "boundary" : "no-boundary" };
    }
    if (/[1-9k]/.test(next)) throw fail("back references are not supported");
    const group = CLASSES[next];
    if (group !== undefined) {
      at++;
      return char(group);
    }
    const code = parseCharEscape();
    return one(String.fromCodePoint(code));
  };
  /** After a backslash: the single character that it stands for. */
  const parseCharEscape = (): number => {
    const rest = chars.slice(at, at + 12).join("");
    const [hex, short, long, braced] =
      /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\})/.exec(rest) ?? [];
    if (hex !== undefined) {
      at += hex.length;
      const code = Number.parseInt(short ?? long ?? braced ?? "", 16);
      if (code > 0x10ffff) throw fail("it names a character that does not exist");
      return code;
    }
    const next = chars[at++] ?? "";
    const control = CONTROLS[next];
    if (control !== undefined) return control;
    if (/[A-Za-z0-9]/.test(next)) throw fail(`\\${next} is not supported`);
    return next.codePointAt(0) ?? 0;
  };
  const parseClass = (): CharTest => {
    const isNegated = chars[at] === "^";
    if (isNegated) at++;
    const tests: CharTest[] = [];
    for (;;) {
      const from = parseClassAtom();
      if (from === undefined) break;
      const to = chars[at] === "-" && chars[at + 1] !== "]" && typeof from === "number" ? range() : from;
      if (typeof to === "function") tests.push(to);
      else if (typeof from === "number") {
        if (to < from) throw fail("a range in [ ] is out of order");
        tests.push((code) => code >= from && code <= to);
      }
      if (typeof from === "function") tests.push(from);
    }
    const isOne = folded((code) => tests.some((test) => test(code)));
    return isNegated ? (code) => !isOne(code) : isOne;
  };
  const range = (): number => {
    at++;
    const end = parseClassAtom();
    if (typeof end !== "number") throw fail("a range in [ ] has no end");
    return end;
  };
  /** Undefined at the closing bracket. */
  const parseClassAtom = (): number | CharTest | undefined => {
    const next = chars[at++];
    if (next === undefined) throw fail("a [ is not closed");
    if (next === "]") return undefined;
    if (next !== "\\") return next.codePointAt(0) ?? 0;
    const group = CLASSES[chars[at] ?? ""];
    if (group !== undefined) {
      at++;
      return group;
    }
    if (chars[at] === "b") {
      at++;
      return 8;
    }
    return parseCharEscape();
  };

  const tree = parseChoice(0);
  if (at < chars.length) throw fail("a ) has no group");
  return tree;
}

export function isWordChar(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}

function isChar(text: string): CharTest {
  const code = text.codePointAt(0);
  return (other) => other === code;
}

function inAnyCase(accepts: CharTest): CharTest {
  return (code) => {
    if (accepts(code)) return true;
    const text = String.fromCodePoint(code);
    const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
    const alike = (other: string): boolean =>
      other !== text && Array.from(other).length === 1 && accepts(other.codePointAt(0) ?? 0);
    return alike(lower) || alike(upper);
  };
}

const isDigit: CharTest = (code) => code >= 48 && code <= 57;
const isSpace: CharTest = (code) => /\s/u.test(String.fromCodePoint(code));
const CLASSES: Readonly<Record<string, CharTest>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isWordChar,
  W: (code) => !isWordChar(code),
  s: isSpace,
  S: (code) => !isSpace(code),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };
