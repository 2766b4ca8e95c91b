import type { Diagnostic } from "@deputy/protocol";
import { makeVisible } from "@deputy/kit";
import { placeInCell } from "../wrap-cell.ts";
import type { PlacedDiagnostic } from "./compiler-diagnostic.ts";
import { explainDiagnostic, type Explanation } from "./explain-diagnostic.ts";

const MAX_LINE_CHARS = 100;

/** How much of a long line is shown before the place. */
const LEAD_CHARS = 60;

const MAX_MESSAGES = 8;

const MAX_BYTES = 4_096;

/** For the count of the rest. */
const RESERVED_BYTES = 64;

/** A problem that occurs in several places is reported once. */
interface Problem extends Explanation {
  readonly first: PlacedDiagnostic;
  /** `line:column` */
  readonly others: string[];
}

/**
 * The checker's findings for the author of the code: in order of place, duplicates merged, consequences of
 * others left out, bounded in number and size. `notLooked` more were found. The same findings always give the
 * same text.
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

/**
 * As many messages as are worth reading at once: in full while there is room, then briefly. The last one says
 * how many are left out, including `more` that are not among these.
 */
export function fitMessages(
  messages: readonly { readonly full: string; readonly brief: string }[],
  more: number,
): readonly string[] {
  const fitting: string[] = [];
  let left = MAX_BYTES - RESERVED_BYTES;
  for (const { full, brief } of messages.slice(0, MAX_MESSAGES)) {
    const fits = [full, brief].find((candidate) => utf8Bytes(candidate) <= left);
    if (fits === undefined && fitting.length > 0) break;
    const text = fits ?? cutToBytes(brief, left);
    fitting.push(text);
    left -= utf8Bytes(text);
  }
  const rest = messages.length - fitting.length + more;
  const last = fitting.pop();
  if (last === undefined) return [];
  return [
    ...fitting,
    rest === 0 ? last : `${last}\n(${rest} more ${rest === 1 ? "problem" : "problems"} not shown)`,
  ];
}

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text).slice(0, maxBytes - 3);
  return `${new TextDecoder().decode(bytes).replace(/\ufffd+$/, "")}…`;
}

export interface ExcerptPlace {
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly chars: number;
}

/** The line of code with the place marked below; invisible characters are made visible. */
export function sourceExcerpt(code: string, place: ExcerptPlace): string {
  const text = (code.split("\n")[place.line - 1] ?? "").replace(/\r$/, "").replaceAll("\t", " ");
  const at = Math.min(place.column - 1, text.length);
  const start = text.length <= MAX_LINE_CHARS ? 0 : Math.max(0, at - LEAD_CHARS);
  const end = Math.min(text.length, start + MAX_LINE_CHARS);
  const before = `${start > 0 ? "…" : ""}${makeVisible(text.slice(start, at))}`;
  const marked = makeVisible(text.slice(at, Math.min(at + place.chars, end)));
  const after = `${makeVisible(text.slice(Math.min(at + place.chars, end), end))}${end < text.length ? "…" : ""}`;
  const margin = `  ${place.line} | `;
  return [
    `${margin}${before}${marked}${after}`.trimEnd(),
    `${" ".repeat(margin.length - 2)}| ${" ".repeat(before.length)}${"^".repeat(Math.max(marked.length, 1))}`,
  ].join("\n");
}
