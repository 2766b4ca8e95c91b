/**
 * The standard library as a cell has it: TypeScript's own declarations (`lib.*.d.ts`) without what the
 * sandbox does not have, or has and refuses. Types stay, as other declarations mention them; their
 * values go. Locale arguments go as well: without `Intl` the engine ignores them, which would be wrong
 * in silence.
 */
export function cellLibrary(text: string): string {
  return withoutIntlValues(text)
    .replaceAll(ABSENT_VALUE, "")
    .replaceAll(LEGACY_REGEXP_STATIC, "")
    .replaceAll(/\b(toLocale\w*)\([^)]*\)/g, "$1()")
    .replaceAll(/\blocaleCompare\(that: string, [^)]*\)/g, "localeCompare(that: string)");
}

/** Globals of the language that no cell can use as a value. */
export const ABSENT_GLOBALS = [
  "Atomics",
  "FinalizationRegistry",
  "Function",
  "Intl",
  "SharedArrayBuffer",
  "WeakRef",
  "eval",
] as const;

const ABSENT_VALUE = new RegExp(`^declare (?:var|function) (?:${ABSENT_GLOBALS.join("|")})\\b.*$`, "gm");

/** `RegExp.$1` and the like. */
const LEGACY_REGEXP_STATIC =
  /^ {4}"(?:\$[^"]+|input|lastMatch|lastParen|leftContext|rightContext)": string;$/gm;

/** Without a value of its own, a namespace is none. */
function withoutIntlValues(text: string): string {
  return text.replaceAll(/^declare namespace Intl \{$.*?^\}$/gms, (namespace) =>
    namespace
      .replaceAll(/^ {4}(?:var|const) (\w+): /gm, "    type $1Value = ")
      .replaceAll(/^ {4}function .*;$/gm, ""),
  );
}
