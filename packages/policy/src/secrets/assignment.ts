import {
  type Anchor,
  type Detect,
  isCut,
  isOpen,
  MORE,
  NONE,
  secret,
  type Verdict,
  type View,
} from "./detector.ts";
import { isSecretName, isSecretValue, isPassword } from "./named-secret.ts";
import { isCamelCase, isExample, isReference, isWordy } from "./plausible.ts";
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
/** Values of names that leave no doubt may hold anything. */
const PASSWORD_VALUES: readonly (readonly [pattern: RegExp, form: "quoted" | "bare"])[] = [
  [/[\s=]{0,5}\\?"((?:[^"\n\\]|\\[^"]){6,128})(?=\\?")/y, "quoted"],
  [/[\s=]{0,5}\\?'((?:[^'\n\\]|\\[^']){6,128})(?=\\?')/y, "quoted"],
  [/[\s=]{0,5}`([^`\n]{6,128})(?=`)/y, "quoted"],
  [/[\x60'"\s=]{0,5}["'`]([\w=-]{8,64})(?=["'`])/y, "quoted"],
  [GENERIC_VALUE, "quoted"],
  [/[\s=]{0,3}([^\s"'`;,<>()[\]{}]{6,128})(?=;)/y, "bare"],
  [/[\s=]{0,3}([^\s"'`;,&<>()[\]{}]{6,128})(?=[\s"'`;,&<>)}\]]|$)/y, "bare"],
];
/** May have characters beyond ASCII, which end other values. */
const BARE_RUN = /[\s=]{0,3}[^\s"'`;,<>()[\]{}]{0,160}/y;
const LONGEST_BARE = 160;
/** `<add key="password" value="…"/>` */
const ATTRIBUTE = /["']\s{0,40}value\s{0,3}=\s{0,3}(["'])((?:(?!\1)[^\n]){6,200})\1/iy;
const HEADER_BEFORE = /(?:-H|--header)[= \t]{0,6}["'][\w-]{0,60}$/i;
const HEADER_VALUE = /[ \t]{0,5}([\w=~@.+/-]{8,512})(?=["'\s\\]|$)/y;

const GENERIC_WORDS = ["access", "auth", "api", "credential", "creds", "key", "secret", "token"];
const PASSWORD_WORDS = ["password", "passwd", "passphrase", "pwd"];

/** `name = value`, by vendors' names and by words for secrets. */
export function assignmentAnchors(): Anchor[] {
  return [
    ...VENDOR_ROWS.flatMap(([names, shapes, rule]) => {
      const detect = detectVendor(shapes, rule);
      return names.split(" ").map((literal) => ({ literal, detect }));
    }),
    ...GENERIC_WORDS.map((literal) => ({ literal, detect: detectGeneric })),
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

const detectPassword: Detect = (view, at, end) => {
  const { text } = view;
  ATTRIBUTE.lastIndex = end;
  const attribute = ATTRIBUTE.exec(text);
  if (attribute?.[2] !== undefined)
    return isReference(attribute[2]) || isExample(attribute[2])
      ? NONE
      : secret(ATTRIBUTE.lastIndex - 1 - attribute[2].length, ATTRIBUTE.lastIndex - 1);
  if (
    !view.isFinal &&
    text.length - end < 300 &&
    /^["']\s{0,40}(?:v\w{0,5}\s{0,3}=?[^\n]*)?$/i.test(text.slice(end))
  )
    return MORE;
  return withValue(view, end, (valueAt, rest) => {
    const name = nameAround(text, at, end) + rest;
    if (!isSecretName(name)) return NONE;
    if (isCut(view, BARE_RUN, valueAt, LONGEST_BARE)) return MORE;
    for (const [pattern, form] of PASSWORD_VALUES) {
      const value = valueBy(pattern, text, valueAt);
      if (value !== undefined && isPassword(value, form))
        return secret(pattern.lastIndex - value.length, pattern.lastIndex);
    }
    return NONE;
  });
};

/** Goes on where the value begins, once all of it is there. */
function withValue(view: View, end: number, judge: (valueAt: number, rest: string) => Verdict): Verdict {
  const { text } = view;
  const nameEnd = endOfName(text, end);
  OPERATOR.lastIndex = nameEnd;
  if (OPERATOR.exec(text) === null) {
    const rest = view.isFinal ? "" : text.slice(end, end + LONGEST_OPERATOR);
    return !view.isFinal && rest.length < LONGEST_OPERATOR && STILL_NAME.test(rest) ? MORE : NONE;
  }
  const valueAt = OPERATOR.lastIndex;
  BEFORE_VALUE.lastIndex = valueAt;
  BEFORE_VALUE.exec(text);
  const from = BEFORE_VALUE.lastIndex;
  if (!view.isFinal && from >= text.length) return MORE;
  if (isOpen(view, from, 2 * LONGEST_VALUE)) return MORE;
  if (!view.isFinal && isUnclosed(text, valueAt)) return MORE;
  return judge(valueAt, text.slice(end, nameEnd));
}

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
