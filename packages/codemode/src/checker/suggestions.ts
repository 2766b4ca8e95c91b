import type { PlacedDiagnostic } from "./compiler-diagnostic.ts";
import { nearestNames, nearestPaths } from "./nearest-names.ts";
import { proposalOf } from "./shorten-message.ts";
import { toolExpression } from "./tool-expression.ts";

/** What was probably meant, as one would write it: at most three, best first, only what is really there. */
export function suggestionsFor(wrapped: string, diagnostic: PlacedDiagnostic): readonly string[] {
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
export function excessProperty(wrapped: string, { code, pos, end }: PlacedDiagnostic): string | undefined {
  return EXCESS_PROPERTY.has(code) ? wrapped.slice(pos, end).replaceAll(/["']/g, "") : undefined;
}

const EXCESS_PROPERTY: ReadonlySet<number> = new Set([2353, 2561]);
const MAX_SUGGESTIONS = 3;

function withFirst(first: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set([...first, ...others])].slice(0, MAX_SUGGESTIONS);
}
