import type { PlacedDiagnostic } from "./compiler-diagnostic.ts";
import { hintFor } from "./hints.ts";
import { ownWords } from "./own-words.ts";
import { missingMembers, placeNotes } from "./place-notes.ts";
import { shortenMessage } from "./shorten-message.ts";
import { excessProperty, suggestionsFor } from "./suggestions.ts";
import { toolExpression } from "./tool-expression.ts";

/** What is wrong at a place, in words for whoever wrote it; the same wherever it stands. */
export interface Explanation {
  /** Its first line says what is wrong, and what was probably meant. */
  readonly headline: string;
  /** A line or two each. */
  readonly notes: readonly string[];
}

const MISSING_PROPERTY: ReadonlySet<number> = new Set([2739, 2740, 2741]);

const MAX_TYPE_CHARS = 120;
/** The limit for a type whose members are listed anyway. */
const MAX_OWNER_TYPE_CHARS = 60;
/** An enumeration beyond this does not fit into a sentence. */
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
