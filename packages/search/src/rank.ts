import type { Naming, Query } from "./read-query.ts";
import { scoreConcepts } from "./score-concepts.ts";
import type { SearchIndex } from "./search-index.ts";

/** The share of a score that depends on how many of the concepts were found. */
const COVERAGE_SHARE = 0.75;
/** The share that depends on how much of the tool's subject was asked for. */
const PRECISION_SHARE = 0.7;
/** The share that depends on how much of the tool's namespace is about the concepts. */
const HOME_SHARE = 0.6;
/** Puts a named service before others. */
const NAMED: Readonly<Record<Naming, number>> = { sure: 12, "by name": 4, "by brand": 2.5 };
/** What any tool of a named service scores, even if nothing else matches. */
const LEAST_NAMED = 0.3;
const SAME_DEED = 1.45;
const OTHER_DEED = 0.8;
/**
 * A tool that deletes comes late unless that was asked for: this does not improve the results, but a wrong
 * choice does more harm.
 */
const UNASKED_DELETE = 0.5;
/** People who ask to see something seldom have its id. */
const ONE_OF_MANY = 0.93;
const OWN = 1.25;
/** Each further tool of a namespace that has the same concepts is worth less, so that others show up too. */
const ALIKE = 0.86;
/** How far down the list tools are compared with those before them. */
const COMPARED = 200;

/** Numbers of the tools that match at all, best first: all of them, or at least as many as requested. */
export function rank(index: SearchIndex, query: Query, most: number): readonly number[] {
  const ranges = [...query.namespaces].map(([name, naming]) => {
    const [from, to] = index.namespaces.get(name) ?? [0, 0];
    return { from, to, boost: NAMED[naming] };
  });
  const { scores, shares, fits, homes, whole } = scoreConcepts(
    index,
    query,
    ranges.map(({ from, to }) => [from, to]),
  );
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    let score = scores[at] ?? 0;
    const range = ranges.find(({ from, to }) => at >= from && at < to);
    if (score <= 0 && range === undefined) continue;
    const coverage = whole === 0 ? 1 : Math.min(score / whole, 1);
    const home = whole === 0 ? 1 : Math.min((homes[index.namespaceOf(at)] ?? 0) / whole, 1);
    score *= partly(COVERAGE_SHARE, coverage);
    score *= partly(PRECISION_SHARE, Math.min((shares[at] ?? 0) / 255, 1));
    score *= partly(HOME_SHARE, home);
    if (range !== undefined) score = (score + LEAST_NAMED) * range.boost;
    scores[at] = score * kindFactor(index, query, at);
    found.push(at);
  }
  const byScore = (a: number, b: number): number => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b;
  const sorted = (most <= COMPARED ? bestOf(found, scores) : found).sort(byScore);
  const first = sorted.slice(0, COMPARED);
  const seen = new Map<string, number>();
  for (const at of first) {
    const key = `${index.namespaceOf(at)} ${fits[at]}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    scores[at] = (scores[at] ?? 0) * ALIKE ** before;
  }
  return [...first.sort(byScore), ...sorted.slice(COMPARED)];
}

/** A factor that depends on `much` only to this share. */
function partly(share: number, much: number): number {
  return 1 - share + share * much;
}

/** Rates whether it is the kind of operation that was asked for. */
function kindFactor(index: SearchIndex, { deeds, own }: Query, at: number): number {
  let factor = 1;
  if (deeds.has("read") && index.isSingle(at)) factor *= ONE_OF_MANY;
  if (own && index.isOwn(at)) factor *= OWN;
  if (deeds.size === 0) return factor;
  for (const deed of deeds) if (index.isDeed(at, deed)) return factor * SAME_DEED;
  return factor * (index.isDeed(at, "delete") ? UNASKED_DELETE : OTHER_DEED);
}

/** Those that may be among the first, unsorted: sorting thousands takes longer than scoring them. */
function bestOf(found: number[], scores: Float32Array): number[] {
  if (found.length <= COMPARED) return found;
  const sorted = Float32Array.from(found, (at) => scores[at] ?? 0).sort();
  const least = sorted[sorted.length - COMPARED] ?? 0;
  return found.filter((at) => (scores[at] ?? 0) >= least);
}
