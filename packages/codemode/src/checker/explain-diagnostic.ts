import type { PlacedDiagnostic } from "./compiler-diagnostic.ts";
import { hintFor } from "./hints.ts";
import { ownWords } from "./own-words.ts";
import { missingMembers, placeNotes } from "./place-notes.ts";
import { shortenMessage, proposalOf } from "./shorten-message.ts";
import { toolExpression } from "./tool-expression.ts";
import { nearestNames, nearestPaths } from "./nearest-names.ts";

const EXCESS_PROPERTY: ReadonlySet<number> = new Set([2353, 2561]);

const MAX_SUGGESTIONS = 3;

/** What is wrong at a place, in words for its author; independent of the place. */
export interface Explanation {
  /** Its first line says what is wrong, and what was probably meant. */
  readonly headline: string;
  /** One or two lines each. */
  readonly notes: readonly string[];
}

const MISSING_PROPERTY: ReadonlySet<number> = new Set([2739, 2740, 2741]);

const MAX_TYPE_CHARS = 120;

/** The limit for a type whose members are listed anyway. */
const MAX_OWNER_TYPE_CHARS = 60;

/** A longer enumeration does not fit into a sentence. */
const MAX_VALUES_SAID = 8;

export function explainDiagnostic(wrapped: string, diagnostic: PlacedDiagnostic): Explanation {
  const own = ownWords(wrapped, diagnostic);
  if (own !== undefined) return { headline: own, notes: [] };
  const [first = "", ...reasons] = problem(wrapped, diagnostic).split("\n");
  const proposal = didYouMean(suggestionsFor(wrapped, diagnostic));
  const headline = [`${first}${proposal}`, ...reasons].join("\n");
  const hint = hintFor(diagnostic);
  return {
    headline,
    notes: [...placeNotes(diagnostic, headline), ...(hint === undefined ? [] : [`Hint: ${hint}`])],
  };
}

function problem(wrapped: string, diagnostic: PlacedDiagnostic): string {
  const { missingTool, toolGroup, lookup } = diagnostic.facts;
  if (missingTool !== undefined) return `There is no tool ${toolExpression(missingTool.path)}.`;
  if (toolGroup !== undefined) return `${toolExpression(toolGroup.path)} is a group of tools, not a tool.`;
  const unknown = excessProperty(wrapped, diagnostic);
  if (unknown !== undefined) return `Unknown property '${unknown}'.`;
  const missing = MISSING_PROPERTY.has(diagnostic.code) ? missingMembers(diagnostic.facts) : [];
  if (missing.length > 0) {
    return `Missing required ${missing.length === 1 ? "property" : "properties"}: ${missing.join("; ")}.`;
  }
  const { expected, given } = diagnostic.facts;
  const [value, another] = given?.literals ?? [];
  const allowed = expected?.literals.length ?? 0;
  const isOne = value !== undefined && another === undefined;
  if (isOne && allowed > MAX_VALUES_SAID) return `${value} is none of the ${allowed} allowed values.`;
  return shortenMessage(diagnostic, lookup === undefined ? MAX_TYPE_CHARS : MAX_OWNER_TYPE_CHARS);
}

function didYouMean(suggestions: readonly string[]): string {
  const last = suggestions.at(-1);
  if (last === undefined) return "";
  const others = suggestions.slice(0, -1);
  return ` Did you mean ${others.length === 0 ? last : `${others.join(", ")} or ${last}`}?`;
}

/** Suggestions in code form: at most three, best first, only existing names. */
function suggestionsFor(wrapped: string, diagnostic: PlacedDiagnostic): readonly string[] {
  const { lookup, missingTool, bareTool, expected, given } = diagnostic.facts;
  if (missingTool !== undefined) {
    return nearestPaths(missingTool.path, missingTool.toolPaths).map(toolExpression);
  }
  if (bareTool !== undefined) {
    const { path, toolPaths } = bareTool;
    const paths = toolPaths.includes(path) ? [path] : nearestPaths(path, toolPaths);
    return paths.map(toolExpression);
  }
  const proposal = proposalOf(diagnostic.text);
  const proposed = proposal === undefined ? [] : [proposal];
  if (lookup !== undefined) return withFirst(proposed, nearestNames(lookup.name, lookup.owner.memberNames));
  const unknown = excessProperty(wrapped, diagnostic);
  if (unknown !== undefined) {
    const free = (expected?.memberNames ?? []).filter((other) => !given?.memberNames.includes(other));
    return withFirst(proposed, nearestNames(unknown, free));
  }
  const [literal] = given?.literals ?? [];
  if (literal === undefined || given?.literals.length !== 1) return proposed;
  return withFirst(proposed, nearestNames(literal, expected?.literals ?? []));
}

/** The property of an object literal that the type does not have. */
function excessProperty(wrapped: string, { code, pos, end }: PlacedDiagnostic): string | undefined {
  return EXCESS_PROPERTY.has(code) ? wrapped.slice(pos, end).replaceAll(/["']/g, "") : undefined;
}

function withFirst(first: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...first, ...others])].slice(0, MAX_SUGGESTIONS);
}
