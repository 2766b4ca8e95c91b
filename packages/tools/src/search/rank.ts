import type { CatalogueTool } from "../catalogue.ts";
import { K } from "./knobs.ts";
import { matchConcept } from "./match-concept.ts";
import type { Query } from "./read-query.ts";
import type { Range, SearchIndex } from "./search-index.ts";
import { toolSignature } from "./tool-shape.ts";

/** How far down the list likeness is looked at. */
const LOOKED_AT = 200;

/** Numbers of tools that have anything of it, the best first: all, or at least as many as are wanted. */
export function rank(
  index: SearchIndex,
  query: Query,
  tools: readonly CatalogueTool[],
  most: number,
): readonly number[] {
  const scores = new Float32Array(index.size);
  const named = new Float32Array(index.size);
  const fits = new Uint32Array(index.size);
  const best = new Float32Array(index.size);
  const shares = new Uint8Array(index.size);
  const ranges = [...query.namespaces].map((name) => index.namespaces.get(name) ?? ([0, 0] as const));
  const isNamed = (at: number): boolean => ranges.some(([from, to]) => at >= from && at < to);
  let whole = 0;
  query.concepts.forEach((concept, bit) => {
    const touched: number[] = [];
    matchConcept(index, concept, { touched, best, shares });
    let strongest = 0;
    for (const at of touched)
      if (ranges.length === 0 || isNamed(at)) strongest = Math.max(strongest, best[at] ?? 0);
    whole += concept.weight * strongest;
    for (const at of touched) {
      scores[at] = (scores[at] ?? 0) + concept.weight * (best[at] ?? 0);
      named[at] = (named[at] ?? 0) + (shares[at] ?? 0) / 255;
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31));
      best[at] = 0;
      shares[at] = 0;
    }
  });
  const found: number[] = [];
  const boosts = ranges.map((range, at) => boostOf(index, [...query.namespaces][at] ?? "", range));
  for (let at = 0; at < scores.length; at++) {
    let score = scores[at] ?? 0;
    const inside = ranges.findIndex(([from, to]) => at >= from && at < to);
    if (score <= 0 && inside < 0) continue;
    const coverage = whole === 0 ? 1 : Math.min(score / whole, 1);
    score *= 1 - K.coverage! + K.coverage! * coverage;
    score *= 1 - K.precision! + K.precision! * Math.min(named[at] ?? 0, 1);
    if (inside >= 0) score = (score + 0.3) * (boosts[inside] ?? 1);
    const { depth, single, outdated } = index.shapeOf(at);
    if (single && query.many && query.deeds.has("read")) score *= K.single!;
    if (outdated) score *= K.outdated!;
    scores[at] = score * deedFactor(index, query, at) * K.deeper! ** depth;
    found.push(at);
  }
  const enough = most <= LOOKED_AT ? bestOf(found, scores) : found;
  enough.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...spread(enough.slice(0, LOOKED_AT), scores, fits, tools), ...enough.slice(LOOKED_AT)];
}

/** A name that others use as a word too, such as `calendar`, says less. */
function boostOf(index: SearchIndex, name: string, [from, to]: Range): number {
  let elsewhere = 0;
  for (const at of index.postingsOf(name)?.tools ?? []) if (at < from || at >= to) elsewhere++;
  return elsewhere > K.softCount! ? K.softNamed! : K.named!;
}

/** Those that may be among the first, in no order: to sort thousands takes longer than to score them. */
function bestOf(found: number[], scores: Float32Array): number[] {
  if (found.length <= LOOKED_AT) return found;
  const sorted = Float32Array.from(found, (at) => scores[at] ?? 0).sort();
  const least = sorted[sorted.length - LOOKED_AT] ?? 0;
  return found.filter((at) => (scores[at] ?? 0) >= least);
}

function deedFactor(index: SearchIndex, { deeds }: Query, at: number): number {
  if (deeds.size === 0) return 1;
  for (const deed of deeds) if (index.deedOf(at, deed)) return K.same!;
  return index.deedOf(at, "delete") ? K.unasked! : K.other!;
}

function spread(
  found: readonly number[],
  scores: Float32Array,
  fits: Uint32Array,
  tools: readonly CatalogueTool[],
): readonly number[] {
  const alike = new Map<string, number>();
  const nth = (key: string): number => {
    const before = alike.get(key) ?? 0;
    alike.set(key, before + 1);
    return before;
  };
  const weighed = found.map((at) => {
    const tool = tools[at];
    if (tool === undefined) return { at, score: 0 };
    const kin = nth(`${tool.path.split(".", 1)[0]} ${fits[at]}`);
    const twins = nth(toolSignature(tool));
    return { at, score: (scores[at] ?? 0) * K.alike! ** kin * K.twin! ** twins };
  });
  return weighed.sort((a, b) => b.score - a.score || a.at - b.at).map(({ at }) => at);
}
