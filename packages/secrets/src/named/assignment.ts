import {
  type Anchor,
  type Detect,
  isOpen,
  MORE,
  NONE,
  secret,
  type Verdict,
  type View,
} from "../detector.ts";
import { isSecretName, isSecretValue, isPassword } from "./named-secret.ts";
import { judgeColumn } from "./named-column.ts";
import { judgeNamed, mayHaveValue, nameAt } from "./named-value.ts";
import { isCamelCase, isExample, isReference, isWordy } from "../plausible.ts";
import { shapeOf, VENDOR_ROWS } from "./vendor-rules.ts";

/** What may follow a value. */
const END = String.raw`(?=[\x60'"\s;,)}\]&<|]|\\[nrt"']|$)`;
const QUOTES = String.raw`(?:\\?[\x60'"]|[\s=]){0,5}`;
/** From a name's end to where its value begins. */
const OPERATOR = /(?:(?:\\?['"]|[\s\]]){0,3}|['"]\s{0,40})(?:=>|:{1,3}=|\|\||\?=|[=>:,])/y;
const BEFORE_VALUE = /(?:\\?[`'"]|[\s=]){0,5}/y;
const STILL_NAME = /^[ \t\w.\s'"\]\\:=|?>,-]*$/;
const LONGEST_OPERATOR = 90;
const LONGEST_VALUE = 512;
const LONGEST_NAME = 50;
/** How long the rest of a name may be, after the word that marks it as a secret. */
const LONGEST_REST = 32;

const GENERIC_VALUE = new RegExp(
  `${QUOTES}([\\w.=-]{10,${LONGEST_VALUE}}|[a-z0-9][a-z0-9+/]{11,${LONGEST_VALUE}}={0,3})${END}`,
  "iy",
);
const QUOTED_VALUE = /[\x60'"\s=]{0,5}["'`]([\w=-]{8,64})(?=["'`])/y;
const HEADER_BEFORE = /(?:-H|--header)[= \t]{0,6}["'][\w-]{0,60}$/i;
const HEADER_VALUE = /[ \t]{0,5}([\w=~@.+/-]{8,512})(?=["'\s\\]|$)/y;

const GENERIC_WORDS = ["access", "auth", "api", "credential", "creds", "_pat"];
/** Names that say it end with one of these. */
const TELLING_WORDS = ["key", "secret", "token"];
const PASSWORD_WORDS = ["pass", "pwd", "psk"];
/** `name = value`, by vendors' names and by words for secrets. */
export function assignmentAnchors(): Anchor[] {
  return [
    ...VENDOR_ROWS.flatMap(([names, shapes, rule]) => {
      const detect = detectVendor(shapes, rule);
      return names.split(" ").map((literal) => ({ literal, detect }));
    }),
    ...GENERIC_WORDS.map((literal) => ({ literal, detect: detectGeneric })),
    ...TELLING_WORDS.map((literal) => ({ literal, detect: detectTelling })),
    ...PASSWORD_WORDS.map((literal) => ({ literal, detect: detectPassword })),
  ];
}

function detectVendor(shapes: string, rule: "only" | undefined): Detect {
  let pattern: RegExp | undefined;
  return (view, at, end) =>
    withValue(view, end, (valueAt) => {
      if (rule === "only" && !/^.?[a-z_-]+$|^[A-Z_-]+$/.test(view.text.slice(at, end))) return NONE;
      pattern ??= new RegExp(`${QUOTES}(${shapeOf(shapes)})${END}`, rule === "only" ? "y" : "iy");
      const value = valueBy(pattern, view.text, valueAt);
      if (value === undefined || isExample(value) || (isCamelCase(value) && isWordy(value))) return NONE;
      return secret(pattern.lastIndex - value.length, pattern.lastIndex);
    });
}

const detectTelling: Detect = (view, at, end) => judgeByName(view, at, end) ?? detectGeneric(view, at, end);

const detectGeneric: Detect = (view, at, end) =>
  withValue(view, end, (valueAt, rest) => {
    const { text } = view;
    const name = nameAround(text, at, end) + rest;
    const isHeader =
      !/^authorization/i.test(name) && HEADER_BEFORE.test(text.slice(Math.max(0, at - 80), at));
    if (!isHeader && !isSecretName(name)) return NONE;
    const pattern = isHeader ? HEADER_VALUE : GENERIC_VALUE;
    const value = valueBy(pattern, text, valueAt);
    if (value === undefined) return NONE;
    if (isHeader ? isReference(value) || isExample(value) : !isSecretValue(value, name)) return NONE;
    return secret(
      pattern.lastIndex - value.length,
      pattern.lastIndex,
      value.length >= LONGEST_VALUE ? "token" : undefined,
    );
  });

/** What the name alone decides; undefined where the value must be looked at. */
function judgeByName(view: View, at: number, end: number): Verdict | undefined {
  if (!mayHaveValue(view, at, end)) return undefined;
  const name = nameAt(view.text, at, end);
  if (!view.isFinal && name.end >= view.text.length) return MORE;
  if (name.tells === "no") return undefined;
  const column = judgeColumn(view, at, end);
  return column.kind === "none" ? judgeNamed(view, name.start, name.end, name.tells) : column;
}

const detectPassword: Detect = (view, at, end) =>
  judgeByName(view, at, end) ??
  withValue(view, end, (valueAt, rest) => {
    if (!/passw/i.test(view.text.slice(at, end + 2)) || !isSecretName(nameAround(view.text, at, end) + rest))
      return NONE;
    const value = valueBy(QUOTED_VALUE, view.text, valueAt);
    return value === undefined || !isPassword(value)
      ? NONE
      : secret(QUOTED_VALUE.lastIndex - value.length, QUOTED_VALUE.lastIndex);
  });

/** Goes on where the value begins, once all of it is there. */
function withValue(view: View, end: number, judge: (valueAt: number, rest: string) => Verdict): Verdict {
  const { text } = view;
  const nameEnd = endOfName(text, end);
  const pair = findPair(view, end);
  if (pair === "open") return MORE;
  OPERATOR.lastIndex = pair ?? nameEnd;
  if (pair !== undefined) return judgeFrom(view, pair, text.slice(end, nameEnd), judge);
  if (OPERATOR.exec(text) === null) {
    const rest = view.isFinal ? "" : text.slice(end, end + LONGEST_OPERATOR);
    return !view.isFinal && rest.length < LONGEST_OPERATOR && STILL_NAME.test(rest) ? MORE : NONE;
  }
  return judgeFrom(view, OPERATOR.lastIndex, text.slice(end, nameEnd), judge);
}

/** `name: X, value: …`, `x: Type = …`, `variable "x" { default = …`: where the value begins, if it is one of these. */
function findPair({ text, isFinal }: View, end: number): number | "open" | undefined {
  WORD.lastIndex = end;
  WORD.exec(text);
  if (WORD.lastIndex < text.length && !PAIR_SIGNS.has(text.charAt(WORD.lastIndex))) return undefined;
  const rest = text.slice(end, end + LONGEST_PAIR);
  for (const [pair, begun] of PAIRS) {
    const found = pair.exec(rest)?.[0];
    if (found !== undefined) return end + found.length;
    if (!isFinal && rest.length < LONGEST_PAIR && begun.test(rest)) return "open";
  }
  return undefined;
}

function judgeFrom(
  view: View,
  valueAt: number,
  rest: string,
  judge: (valueAt: number, rest: string) => Verdict,
): Verdict {
  const { text } = view;
  BEFORE_VALUE.lastIndex = valueAt;
  BEFORE_VALUE.exec(text);
  const from = BEFORE_VALUE.lastIndex;
  if (!view.isFinal && from >= text.length) return MORE;
  if (isOpen(view, from, 2 * LONGEST_VALUE)) return MORE;
  if (!view.isFinal && isUnclosed(text, valueAt)) return MORE;
  return judge(valueAt, rest);
}

const LONGEST_PAIR = 240;
const WORD = /\w{0,20}/y;
/** What a pair goes on with, behind the name. */
const PAIR_SIGNS = new Set(["'", '"', "\\", ",", "\n", "\r", ":"]);
/** What stands between a name and its value, and how that may begin. */
const PAIRS: readonly (readonly [whole: RegExp, begun: RegExp])[] = [
  [
    /^\w{0,20}\\?["']?,?\s{1,40}\\?["']?value\\?["']?\s{0,3}[:=]/i,
    /^\w{0,20}\\?["']?,?\s{0,40}\\?["']?(?:v(?:a(?:l(?:ue?)?)?)?)?\\?["']?\s{0,3}$/i,
  ],
  [
    /^\w{0,20}:\s{0,3}[A-Za-z_][\w<>[\]?]{0,30}\s{0,3}=(?![=>])/,
    /^\w{0,20}:\s{0,3}(?:[A-Za-z_][\w<>[\]?]{0,30}\s{0,3})?$/,
  ],
  [
    /^\w{0,20}"\s{0,3}\{\s{0,20}(?:(?:type|description|sensitive|nullable)\s{0,9}=[^\n]{0,80}\n\s{0,20}){0,4}default\s{0,9}=/,
    /^\w{0,20}"\s{0,3}\{[^}]*$/,
  ],
];

function endOfName(text: string, from: number): number {
  const to = Math.min(from + LONGEST_REST, text.length);
  let at = from;
  while (at < to && isOfName(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits, `_`, `-`, `.`, space and tab. */
function isOfName(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 45 && unit <= 57 && unit !== 47) ||
    unit === 95 ||
    unit === 32 ||
    unit === 9
  );
}

/** True if a quoted value has begun and not ended yet. */
function isUnclosed(text: string, valueAt: number): boolean {
  const rest = text.slice(valueAt, valueAt + 160);
  return rest.length < 160 && /^[\s=]{0,5}\\?(["'`])(?:(?!\1)[^\n])*$/.test(rest);
}

function nameAround(text: string, at: number, end: number): string {
  const least = Math.max(0, at - LONGEST_NAME);
  let from = at;
  while (from > least && isOfName(text.charCodeAt(from - 1)) && text.charCodeAt(from - 1) > 32) from--;
  return text.slice(from, end);
}

function valueBy(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1];
}
