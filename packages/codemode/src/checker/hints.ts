import type { CompilerDiagnostic, PlacedDiagnostic, PlaceFacts } from "./compiler-diagnostic.ts";

const FORGOT_AWAIT = 2773;
const MARK_ASYNC = 1356;
const POSSIBLY_NOTHING: ReadonlySet<number> = new Set([
  2531, 2532, 2533, 2721, 2722, 2723, 18047, 18048, 18049,
]);
const IS_UNKNOWN: ReadonlySet<number> = new Set([2571, 18046]);
const IMPLICIT_ANY: ReadonlySet<number> = new Set([7006, 7031]);
const ARGUMENT_COUNT = 2554;

/** What to do, if the code alone does not say it: one or two sentences at most. */
export function hintFor(diagnostic: PlacedDiagnostic): string | undefined {
  const { code, facts } = diagnostic;
  if (relates(diagnostic, FORGOT_AWAIT) || facts.lookup?.owner.kind === "promise") return awaitHint(facts);
  if (relates(diagnostic, MARK_ASYNC)) return "Mark the function around it async, and await its calls.";
  if (IS_UNKNOWN.has(code) || isUnknown(facts)) return unknownHint(facts);
  if (POSSIBLY_NOTHING.has(code)) return "Check it first (if, ??), or use ?. to go on only when it is there.";
  if (IMPLICIT_ANY.has(code)) return "Give it a type, as in (item: { id: number }) => …";
  if (facts.toolGroup !== undefined) return "Call one of its tools.";
  if (code === ARGUMENT_COUNT && facts.call !== undefined)
    return "A tool takes one object, with everything in it.";
  const reason = lastReason(diagnostic).text;
  if (WIDENED.test(reason)) {
    return "The text in a variable is any string: write `as const` after it, or put it into the call itself.";
  }
  return NOTHING_GIVEN.test(reason)
    ? "It may be missing: check it first, or say what else to use with ??"
    : undefined;
}

function relates(diagnostic: CompilerDiagnostic, code: number): boolean {
  return diagnostic.relatedInformation?.some((related) => related.code === code) ?? false;
}

function awaitHint({ lookup }: PlaceFacts): string {
  if (lookup === undefined) return "This is a Promise: put await before it.";
  return `${lookup.on} is a Promise: await it first, as in (await ${lookup.on}).${lookup.name}`;
}

function isUnknown({ lookup, given }: PlaceFacts): boolean {
  return lookup?.owner.kind === "unknown" || given?.kind === "unknown";
}

function unknownHint({ unknownFrom }: PlaceFacts): string {
  if (unknownFrom?.kind === "catch") {
    return "What is caught has no type: use (error as ToolError).code and .message, or error instanceof Error.";
  }
  const what = unknownFrom === undefined ? "This value" : `The result of ${unknownFrom.callee}`;
  return `${what} has no declared type. Return it once to see what it is, or say what you expect: value as { items: { id: number }[] }`;
}

/** `const q = { state: "open" }` has `state: string`. */
const WIDENED = /^Type 'string(?:\[\])?' is not assignable to type '\(?"/;
const NOTHING_GIVEN = /^Type '(?:undefined|null)' is not assignable to /;

function lastReason(diagnostic: CompilerDiagnostic): CompilerDiagnostic {
  const next = diagnostic.messageChain?.at(-1);
  return next === undefined ? diagnostic : lastReason(next);
}
