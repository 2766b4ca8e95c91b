import type { Diagnostic } from "@deputy/protocol";
import { placeInCell } from "../wrap-cell.ts";
import type { PlacedDiagnostic } from "./compiler-diagnostic.ts";
import { explainDiagnostic, type Explanation } from "./explain-diagnostic.ts";
import { fitMessages } from "./fit-messages.ts";
import { sourceExcerpt } from "./source-excerpt.ts";

/** A problem that occurs in several places is reported once. */
interface Problem extends Explanation {
  readonly first: PlacedDiagnostic;
  /** `line:column` */
  readonly others: string[];
}

/**
 * The checker's findings for whoever has to correct the code: in order of place, duplicates merged,
 * consequences of others left out, bounded in number and size. `notLooked` more were found. The same findings
 * always give the same text.
 */
export function explainDiagnostics(
  code: string,
  wrapped: string,
  found: readonly PlacedDiagnostic[],
  notLooked: number,
): readonly Diagnostic[] {
  const problems = mergeProblems(code, wrapped, withoutConsequences(found));
  const messages = fitMessages(
    problems.map((problem) => writeProblem(code, wrapped, problem)),
    notLooked,
  );
  return problems.slice(0, messages.length).map(({ first }, index) => {
    const { line, column } = placeInCell(code, first.pos);
    return { line, column, code: `TS${first.code}`, message: messages[index] ?? "" };
  });
}

function withoutConsequences(found: readonly PlacedDiagnostic[]): readonly PlacedDiagnostic[] {
  const places = new Set(found.filter((one) => one.facts.followsFrom === undefined).map((one) => one.pos));
  return found.filter(({ facts }) => facts.followsFrom === undefined || !places.has(facts.followsFrom));
}

function mergeProblems(
  code: string,
  wrapped: string,
  found: readonly PlacedDiagnostic[],
): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const diagnostic of found) {
    const { headline, notes } = explainDiagnostic(wrapped, diagnostic);
    const key = JSON.stringify([headline, notes]);
    const known = problems.get(key);
    if (known === undefined) problems.set(key, { headline, notes, first: diagnostic, others: [] });
    else {
      const { line, column } = placeInCell(code, diagnostic.pos);
      known.others.push(`${line}:${column}`);
    }
  }
  return [...problems.values()];
}

const MAX_OTHERS = 5;

function writeProblem(
  code: string,
  wrapped: string,
  problem: Problem,
): { readonly full: string; readonly brief: string } {
  const { pos, end } = problem.first;
  const chars = wrapped.slice(pos, end).split("\n")[0]?.length ?? 1;
  const brief = [
    problem.headline,
    sourceExcerpt(code, { ...placeInCell(code, pos), chars }),
    ...alsoAt(problem.others),
  ].join("\n");
  return { brief, full: [brief, ...problem.notes].join("\n") };
}

function alsoAt(places: readonly string[]): readonly string[] {
  if (places.length === 0) return [];
  const more = places.length - MAX_OTHERS;
  const shown = places.slice(0, MAX_OTHERS).join(", ");
  return [`Also at ${shown}${more > 0 ? ` and ${more} more` : ""}.`];
}
