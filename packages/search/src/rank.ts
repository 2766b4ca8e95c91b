import type { SearchableTool } from "./searchable-tool.ts";
import type { Naming } from "./names-in-query.ts";
import type { Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";
import { spread } from "./spread.ts";
import { weighConcepts } from "./weigh-concepts.ts";

/** How much of a score depends on how many of the concepts were found. */
const COVERAGE_SHARE = 0.75;
/** How much of it depends on how much of what a tool is about was asked for. */
const PRECISION_SHARE = 0.7;
/** How much of it depends on how much of its namespace is about them. */
const HOME_SHARE = 0.6;
/** A service that is named goes before others. */
const NAMED: Readonly<Record<Naming, number>> = { sure: 12, maybe: 4, hint: 2.5 };
/** What any tool of it has, where nothing else is found. */
const LEAST_NAMED = 0.3;
const SAME_DEED = 1.45;
const OTHER_DEED = 0.8;
/** What takes something away comes late unless that was asked for. */
const UNASKED_DELETE = 0.5;
/** Who asks seldom has the number of one. */
const ONE_OF_MANY = 0.93;
const OWN = 1.25;
const OUTDATED = 0.8;
/** Who looks for something by words is served by what searches. */
const SEARCH = 1.5;
/** Of two that fit alike the one is meant that lies less deep: `/events` rather than `/calendars/{id}/events`. */
const DEEPER = 0.94;
/** How far down the list likeness is looked at. */
const LOOKED_AT = 200;

/** Numbers of tools that have anything of it, the best first: all, or at least as many as are wanted. */
export function rank(
  index: SearchIndex,
  query: Query,
  tools: readonly SearchableTool[],
  most: number,
): readonly number[] {
  const ranges = rangesOf(index, query);
  const { scores, shares, fits, homes, whole } = weighConcepts(
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
  const enough = most <= LOOKED_AT ? bestOf(found, scores) : found;
  enough.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...spread(enough.slice(0, LOOKED_AT), scores, fits, tools), ...enough.slice(LOOKED_AT)];
}

/** A factor of which only this share depends on how much there is. */
function partly(share: number, much: number): number {
  return 1 - share + share * much;
}

function rangesOf(index: SearchIndex, { namespaces }: Query) {
  return [...namespaces].map(([name, naming]) => {
    const [from, to] = index.namespaces.get(name) ?? [0, 0];
    return { from, to, boost: NAMED[naming] };
  });
}

/** Whether it is the kind of operation that was asked for. */
function kindFactor(index: SearchIndex, { deeds, own, seeks }: Query, at: number): number {
  let factor = DEEPER ** index.depthOf(at);
  if (deeds.has("read") && index.isSingle(at)) factor *= ONE_OF_MANY;
  if (own && index.isOwn(at)) factor *= OWN;
  if (seeks && index.isSearch(at)) factor *= SEARCH;
  if (index.isOutdated(at)) factor *= OUTDATED;
  if (deeds.size === 0) return factor;
  for (const deed of deeds) if (index.deedOf(at, deed)) return factor * SAME_DEED;
  return factor * (index.deedOf(at, "delete") ? UNASKED_DELETE : OTHER_DEED);
}

/** Those that may be among the first, in no order: to sort thousands takes longer than to score them. */
function bestOf(found: number[], scores: Float32Array): number[] {
  if (found.length <= LOOKED_AT) return found;
  const sorted = Float32Array.from(found, (at) => scores[at] ?? 0).sort();
  const least = sorted[sorted.length - LOOKED_AT] ?? 0;
  return found.filter((at) => (scores[at] ?? 0) >= least);
}
