import { ABSENT_GLOBALS } from "./cell-library.ts";
import type { CompilerDiagnostic } from "./compiler-diagnostic.ts";

const AVAILABLE = "A cell has only tools, console and the language itself (JSON, Math, Date, …)";
const NO_MODULES = `A cell cannot import or export. ${AVAILABLE}; return the result instead of exporting it.`;
const BY_TOOL = "use a tool for everything else.";
const BY_HAND =
  "format numbers by hand (toFixed, padStart), and dates with tools.time.format or .convert if you have them; Date itself knows UTC only.";
const NO_EVAL = "text never becomes code: write the code itself.";
const NO_WAITING = "there is nothing to wait for but a tool's call.";

/** Codes whose own message would mislead a reader: to a tsconfig, or to npm. */
const BY_CODE: ReadonlyMap<number, string> = new Map([
  [1184, NO_MODULES], // "Modifiers cannot appear here": export, declare
  [1231, NO_MODULES], // export =
  [1232, NO_MODULES], // import … from
  [1233, NO_MODULES], // export { … }
  [1258, NO_MODULES], // export default
  [2306, NO_MODULES], // "File … is not a module"
  [2307, NO_MODULES], // "Cannot find module"
  [2792, NO_MODULES],
  [2846, NO_MODULES],
  [1294, "Enums, namespaces, parameter properties and <T>casts are not available: types must be erasable."],
  [1235, "Namespaces are not available in a cell."],
]);

/** "Cannot find name 'x'. Do you need to install …" */
const ADVISED: ReadonlySet<number> = new Set([2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2868]);
/**
 * "Cannot find name", "only refers to a type", "Cannot use namespace as a value": a typo, unless it is one of
 * `INSTEAD`.
 */
const NO_VALUE: ReadonlySet<number> = new Set([2304, 2552, 2693, 2708]);
const WRONG_ARGUMENT_COUNT = 2554;

/** Names that exist elsewhere, and what to do without them. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ...names(ABSENT_GLOBALS, BY_TOOL),
  ...names(
    ["fetch", "XMLHttpRequest", "WebSocket", "crypto", "performance", "navigator", "localStorage"],
    BY_TOOL,
  ),
  ...names(
    ["window", "self", "global", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "Deno", "Bun"],
    BY_TOOL,
  ),
  ...names(["__dirname", "__filename"], BY_TOOL),
  ...names(["atob", "btoa"], "use Uint8Array.fromBase64(text) and bytes.toBase64()."),
  ["structuredClone", "copy with JSON.parse(JSON.stringify(value))."],
  ...names(
    ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "requestAnimationFrame"],
    NO_WAITING,
  ),
  ...names(["eval", "Function"], NO_EVAL),
  ["Intl", BY_HAND],
]);

function names(all: readonly string[], instead: string): readonly (readonly [string, string])[] {
  return all.map((name) => [name, instead] as const);
}

/** Our own message for a diagnostic if TypeScript's would not help; otherwise undefined. */
export function ownWords(wrapped: string, diagnostic: CompilerDiagnostic): string | undefined {
  const { code, pos, end } = diagnostic;
  const byCode = BY_CODE.get(code);
  if (byCode !== undefined) return byCode;
  // The specifier of a dynamic import is reported as if it were a name.
  const isSpecifier = /^(?:["'`]|require\b)/.test(wrapped.slice(pos, pos + 8));
  if (code === WRONG_ARGUMENT_COUNT && isLocaleArgument(wrapped, pos)) {
    return `Locales and their options have no effect in a cell, which has no Intl: ${BY_HAND}`;
  }
  if (ADVISED.has(code) && isSpecifier) return NO_MODULES;
  const name = wrapped.slice(pos, end);
  const instead = INSTEAD.get(name) ?? (ADVISED.has(code) ? BY_TOOL : undefined);
  if (instead === undefined || !(ADVISED.has(code) || NO_VALUE.has(code))) return undefined;
  return `'${name}' does not exist here. ${AVAILABLE}; ${instead}`;
}

function isLocaleArgument(wrapped: string, pos: number): boolean {
  return /\.(?:toLocale\w+|localeCompare)\([^()]*$/.test(wrapped.slice(0, pos));
}
