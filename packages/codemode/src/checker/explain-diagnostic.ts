import type { Diagnostic } from "@deputy/protocol";
import { placeInCell } from "../wrap-cell.ts";

/** A diagnostic as TypeScript reports it, positions in the wrapped text. */
export interface CompilerDiagnostic {
  readonly pos: number;
  readonly code: number;
  readonly text: string;
  readonly messageChain?: readonly CompilerDiagnostic[] | undefined;
}

const AVAILABLE = "A cell has only tools, console and the language itself (JSON, Math, Date, …)";
const NO_MODULES = `A cell cannot import or export. ${AVAILABLE}; return the result instead of exporting it.`;
const NO_SUCH_API = `${AVAILABLE}; use a tool for everything else.`;

/** Codes whose own words would send a reader the wrong way: to a tsconfig, or to npm. */
const IN_OUR_WORDS: ReadonlyMap<number, string> = new Map([
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

/** "Cannot find name 'x'. Do you need to install …": the first sentence is true, the advice is not. */
const ADVISED: ReadonlySet<number> = new Set([2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2868]);
/** "Cannot find name 'x'.": a slip, unless it is one of these. */
const UNADVISED = 2304;
const ELSEWHERE =
  /^Cannot find name '(?:fetch|setTimeout|setInterval|setImmediate|clearTimeout|window|self|URL|URLSearchParams|TextEncoder|TextDecoder|structuredClone|crypto|performance|navigator|XMLHttpRequest|WebSocket|atob|btoa|localStorage|Deno|Bun|__dirname|__filename)'/;

const MAX_MESSAGE_CHARS = 2_000;

export function explainDiagnostic(code: string, wrapped: string, diagnostic: CompilerDiagnostic): Diagnostic {
  const message = words(wrapped, diagnostic);
  return {
    ...placeInCell(code, diagnostic.pos),
    code: `TS${diagnostic.code}`,
    message: message.slice(0, MAX_MESSAGE_CHARS),
  };
}

function words(wrapped: string, diagnostic: CompilerDiagnostic): string {
  const own = IN_OUR_WORDS.get(diagnostic.code);
  if (own !== undefined) return own;
  const isElsewhere = diagnostic.code === UNADVISED && ELSEWHERE.test(diagnostic.text);
  if (!isElsewhere && !ADVISED.has(diagnostic.code)) return flatten(diagnostic, 0);
  // The specifier of a dynamic import is reported as if it were a name.
  if (/^(?:["'`]|require\b)/.test(wrapped.slice(diagnostic.pos, diagnostic.pos + 8))) return NO_MODULES;
  const [first = ""] = diagnostic.text.split(/(?<=\.) (?=Do you need)/);
  return `${first} ${NO_SUCH_API}`;
}

/** The chain of reasons under a message, each level a little further in. */
function flatten(diagnostic: CompilerDiagnostic, depth: number): string {
  const reasons = diagnostic.messageChain ?? [];
  return [
    `${"  ".repeat(depth)}${diagnostic.text}`,
    ...reasons.map((reason) => flatten(reason, depth + 1)),
  ].join("\n");
}
