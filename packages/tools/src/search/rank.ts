import type { CatalogueTool } from "../catalogue.ts";
import { matchConcept } from "./match-concept.ts";
import type { Naming } from "./names-in-query.ts";
import type { Query } from "./read-query.ts";
import type { SearchIndex } from "./search-index.ts";
import { spread } from "./spread.ts";

/** How much of a score depends on how many of the concepts were found. */
const COVERAGE_SHARE = 0.75;
/** How much of it depends on how much of what a tool is about was asked for. */
const PRECISION_SHARE = 0.6;
/** A service that is named goes before others. */
const NAMED: Readonly<Record<Naming, number>> = { sure: 12, maybe: 4, hint: 2.5 };
/** What any tool of it has, where nothing else is found. */
const LEAST_NAMED = 0.3;
const SAME_DEED = 1.45;
const OTHER_DEED = 0.8;
/** What takes something away comes late unless that was asked for. */
const UNASKED_DELETE = 0.5;
/** Who asks for several is not told of one. */
const ONE_OF_MANY = 0.93;
const OWN = 1.1;
const OUTDATED = 0.8;
/** Of two that fit alike the one is meant that lies less deep: `/events` rather than `/calendars/{id}/events`. */
const DEEPER = 0.94;
/** How far down the list likeness is looked at. */
const LOOKED_AT = 200;

/** Numbers of tools that have anything of it, the best first: all, or at least as many as are wanted. */
export function rank(
  index: SearchIndex,
  query: Query,
  tools: readonly CatalogueTool[],
  most: number,
): readonly number[] {
  const { scores, shares, fits, whole } = weighConcepts(index, query);
  const ranges = rangesOf(index, query);
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    let score = scores[at] ?? 0;
    const range = ranges.find(({ from, to }) => at >= from && at < to);
    if (score <= 0 && range === undefined) continue;
    const coverage = whole === 0 ? 1 : Math.min(score / whole, 1);
    score *= 1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage;
    score *= 1 - PRECISION_SHARE + PRECISION_SHARE * Math.min((shares[at] ?? 0) / 255, 1);
    if (range !== undefined) score = (score + LEAST_NAMED) * range.boost;
    scores[at] = score * kindFactor(index, query, at);
    found.push(at);
  }
  const enough = most <= LOOKED_AT ? bestOf(found, scores) : found;
  enough.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...spread(enough.slice(0, LOOKED_AT), scores, fits, tools), ...enough.slice(LOOKED_AT)];
}

/** By tool: what its concepts are worth together, how much of it they name, and which they are; `whole`: the most. */
function weighConcepts(index: SearchIndex, query: Query) {
  const scores = new Float32Array(index.size);
  const shares = new Uint16Array(index.size);
  const fits = new Uint32Array(index.size);
  const worth = new Float32Array(index.size);
  const named = new Uint8Array(index.size);
  const ranges = rangesOf(index, query);
  let whole = 0;
  query.concepts.forEach((concept, bit) => {
    const touched: number[] = [];
    matchConcept(index, concept, { touched, worth, shares: named });
    let strongest = 0;
    for (const at of touched) {
      const score = worth[at] ?? 0;
      // What the named service has no word for does not count against its tools.
      if (score > strongest && (ranges.length === 0 || ranges.some(({ from, to }) => at >= from && at < to)))
        strongest = score;
      scores[at] = (scores[at] ?? 0) + concept.weight * score;
      shares[at] = (shares[at] ?? 0) + (named[at] ?? 0);
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31));
      worth[at] = 0;
      named[at] = 0;
    }
    whole += concept.weight * strongest;
  });
  return { scores, shares, fits, whole };
}

function rangesOf(index: SearchIndex, { namespaces }: Query) {
  return [...namespaces].map(([name, naming]) => {
    const [from, to] = index.namespaces.get(name) ?? [0, 0];
    return { from, to, boost: NAMED[naming] };
  });
}

/** Whether it is the kind of operation that was asked for. */
function kindFactor(index: SearchIndex, { deeds, many, own }: Query, at: number): number {
  let factor = DEEPER ** index.depthOf(at);
  if (many && deeds.has("read") && index.isSingle(at)) factor *= ONE_OF_MANY;
  if (own && index.isOwn(at)) factor *= OWN;
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
