/**
 * The standard library as a cell has it: TypeScript's own declarations (`lib.*.d.ts`) without what the
 * sandbox lacks or refuses. Types stay, because other declarations mention them; their values are removed.
 * Locale arguments are removed too: without `Intl` the engine would silently ignore them.
 */
export function cellLibrary(text: string): string {
  return withoutIntlValues(text)
    .replaceAll(ABSENT_VALUE, "")
    .replaceAll(LEGACY_REGEXP_STATIC, "")
    .replaceAll(/\b(toLocale\w*)\([^)]*\)/g, "$1()")
    .replaceAll(/\blocaleCompare\(that: string, [^)]*\)/g, "localeCompare(that: string)");
}

/** Globals of the language that a cell cannot use as a value. */
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

/** A namespace without a value is removed. */
function withoutIntlValues(text: string): string {
  return text.replaceAll(/^declare namespace Intl \{$.*?^\}$/gms, (namespace) =>
    namespace
      .replaceAll(/^ {4}(?:var|const) (\w+): /gm, "    type $1Value = ")
      .replaceAll(/^ {4}function .*;$/gm, ""),
  );
}
