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
const NAMED: Readonly<Record<Naming, number>> = { sure: 12, "by name": 4, "by brand": 2.5, "by part": 1.6 };
/** What any tool of a named service scores, even if nothing else matches. */
const LEAST_NAMED = 0.3;
const SAME_DEED = 1.45;
const OTHER_DEED = 0.8;
/**
 * A tool that deletes comes late unless that was asked for: this does not improve the results, but a wrong
 * choice does more harm.
 */
const UNASKED_DELETE = 0.4;
/** People who ask to see something seldom have its id, least of all those who ask for many. */
const ONE_OF_MANY = 0.93;
const ONE_FOR_MANY = 0.8;
/** For what gives or works on the very thing, and not on something that belongs to it. */
const SAME_HEAD = 1.2;
/** For what lists the things that are in it. */
const HELD = 2.5;
/** Deputy's own tools are for everyday requests; a service is connected for its own trade. */
const HOUSE = 1.8;
const OWN = 1.25;
/** Each further tool of a namespace that has the same concepts is worth less, so that others show up too. */
const ALIKE = 0.86;
/** What has less of what was asked for than this share of the best would only fill the list. */
const LEAST_COVERAGE = 0.1;
/** How far down the list tools are compared with those before them. */
const COMPARED = 200;

/** A tool that matches, by its number. */
export interface Ranked {
  readonly at: number;
  readonly score: number;
  /** How much of what was asked for it has, from 0 to 1. */
  readonly coverage: number;
}

/** The tools that match at all, best first: all of them, or at least as many as requested. */
export function rank(index: SearchIndex, query: Query, most: number): readonly Ranked[] {
  const ranges = namedRanges(index, query);
  const { scores, shares, fits, homes, whole } = scoreConcepts(
    index,
    query,
    ranges.map(({ from, to }) => [from, to]),
  );
  const coverages = new Float32Array(scores.length);
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    let score = scores[at] ?? 0;
    const range = ranges.find(({ from, to }) => at >= from && at < to);
    if (score <= 0 && range === undefined) continue;
    const coverage = whole === 0 ? 1 : Math.min(score / whole, 1);
    const home = whole === 0 ? 1 : Math.min((homes[index.namespaceOf(at)] ?? 0) / whole, 1);
    coverages[at] = coverage;
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
  const ranked = [...first.sort(byScore), ...sorted.slice(COMPARED)];
  const least = LEAST_COVERAGE * (coverages[ranked[0] ?? 0] ?? 0);
  return ranked.flatMap((at) => {
    const coverage = coverages[at] ?? 0;
    return coverage < least ? [] : { at, score: scores[at] ?? 0, coverage };
  });
}

/** The tools of services that a question names, and how much more they are worth for that. */
export function namedRanges(
  index: SearchIndex,
  query: Query,
): readonly { readonly from: number; readonly to: number; readonly boost: number }[] {
  return [...query.namespaces].map(([name, naming]) => {
    const [from, to] = index.namespaces.get(name) ?? [0, 0];
    return { from, to, boost: NAMED[naming] };
  });
}

/** A factor that depends on `much` only to this share. */
function partly(share: number, much: number): number {
  return 1 - share + share * much;
}

/** Rates whether a tool is the kind of operation that was asked for, on the kind of thing. */
export function kindFactor(index: SearchIndex, query: Query, at: number): number {
  const { deeds, own, many, namespaces } = query;
  let factor = 1;
  if (deeds.has("read") && index.isSingle(at)) factor *= many ? ONE_FOR_MANY : ONE_OF_MANY;
  if (own && index.isOwn(at)) factor *= OWN;
  if (namespaces.size === 0 && index.isHouse(at)) factor *= HOUSE;
  if (deeds.size === 0) return factor * thingFactor(index, query, at);
  for (const deed of deeds)
    if (index.isDeed(at, deed)) return factor * SAME_DEED * thingFactor(index, query, at);
  return factor * (index.isDeed(at, "delete") ? UNASKED_DELETE : OTHER_DEED * thingFactor(index, query, at));
}

function thingFactor(index: SearchIndex, { head, inside }: Query, at: number): number {
  if (head === undefined) return 1;
  if (inside) return index.holderOf(at) === head ? HELD : 1;
  return index.headsOf(at).includes(head) ? SAME_HEAD : 1;
}

/** Those that may be among the first, unsorted: sorting thousands takes longer than scoring them. */
function bestOf(found: number[], scores: Float32Array): number[] {
  if (found.length <= COMPARED) return found;
  const sorted = Float32Array.from(found, (at) => scores[at] ?? 0).sort();
  const least = sorted[sorted.length - COMPARED] ?? 0;
  return found.filter((at) => (scores[at] ?? 0) >= least);
}
