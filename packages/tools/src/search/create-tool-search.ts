import type { CatalogueTool } from "../catalogue.ts";
import { type Concept, type Query, readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";

/** Of BM25: how soon more of the same word says no more. */
const SATURATION = 2;
/** Beyond it a word is no more telling for being rarer: it may be a name, or what the tool is to work on. */
const MAX_RARITY = 7;
/** How much a word is worth that stands for the one asked for. */
const SYNONYM = 0.75;
/** The same of two words that are written as one. */
const PAIR = 0.9;
/** How much a word that only begins like the one asked for is worth. */
const BEGINNING = 0.4;
const MIN_BEGINNING = 4;
const MAX_BEGINNINGS = 12;
/** How much of a score depends on how many of the concepts were found. */
const COVERAGE_SHARE = 0.75;
const NAMED_NAMESPACE = 4;
const SAME_DEED = 1.35;
const OTHER_DEED = 0.75;
/** What takes something away comes late unless that was asked for. */
const UNASKED_DELETE = 0.5;
/** Of two that fit alike the one is meant that lies less deep: `/events` rather than `/calendars/{id}/events`. */
const DEEPER = 0.94;
/** Each further tool of a namespace that fits in just the same way is worth less, so that others show up too. */
const ALIKE = 0.86;
/** How far down the list likeness is looked at. */
const LOOKED_AT = 200;

/**
 * Ranks tools by BM25 over path, description and parameters. Its index is built with the first search, and each
 * tool's part of it depends on that tool alone.
 */
export function createToolSearch(
  tools: readonly CatalogueTool[],
): (query: string, limit: number) => readonly CatalogueTool[] {
  let index: SearchIndex | undefined;
  let byPath: ReadonlyMap<string, CatalogueTool> | undefined;
  return (text, limit) => {
    index ??= buildIndex(tools);
    byPath ??= new Map(tools.map((tool) => [tool.path, tool]));
    const most = Math.max(Math.floor(limit), 0);
    const known = index.namespaces;
    const query = readQuery(text, (word) => known.has(word));
    const exact = byPath.get(text.trim());
    // Without words there is nothing to rank by: everything, as it is listed.
    const ranked =
      query.concepts.length + query.namespaces.size === 0 && exact === undefined
        ? tools
        : rank(index, query, tools, most).flatMap((at) => tools[at] ?? []);
    if (exact === undefined) return ranked.slice(0, most);
    return [exact, ...ranked.filter((tool) => tool !== exact)].slice(0, most);
  };
}

/** Numbers of tools that have anything of it, the best first: all, or at least as many as are wanted. */
function rank(
  index: SearchIndex,
  query: Query,
  tools: readonly CatalogueTool[],
  most: number,
): readonly number[] {
  const scores = new Float32Array(index.size);
  const covered = new Float32Array(index.size);
  const fits = new Uint32Array(index.size);
  const best = new Float32Array(index.size);
  let whole = 0;
  query.concepts.forEach((concept, bit) => {
    const touched = matchConcept(index, concept, best);
    let strongest = 0;
    for (const at of touched) strongest = Math.max(strongest, best[at] ?? 0);
    const worth = concept.weight * strongest;
    whole += worth;
    for (const at of touched) {
      const score = concept.weight * (best[at] ?? 0);
      scores[at] = (scores[at] ?? 0) + score;
      covered[at] = (covered[at] ?? 0) + score;
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31));
      best[at] = 0;
    }
  });
  for (const name of query.namespaces) {
    const [from, to] = index.namespaces.get(name) ?? [0, 0];
    for (let at = from; at < to; at++) scores[at] = ((scores[at] ?? 0) + 0.01) * NAMED_NAMESPACE;
  }
  const found: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (score <= 0) continue;
    const coverage = whole === 0 ? 1 : (covered[at] ?? 0) / whole;
    scores[at] =
      score *
      (1 - COVERAGE_SHARE + COVERAGE_SHARE * coverage) *
      deedFactor(index, query, at) *
      DEEPER ** index.depthOf(at);
    found.push(at);
  }
  const enough = most <= LOOKED_AT ? bestOf(found, scores) : found;
  enough.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...spread(enough.slice(0, LOOKED_AT), scores, fits, tools), ...enough.slice(LOOKED_AT)];
}

/** Those that may be among the first, in no order: to sort thousands takes longer than to score them. */
function bestOf(found: number[], scores: Float32Array): number[] {
  if (found.length <= LOOKED_AT) return found;
  const sorted = Float32Array.from(found, (at) => scores[at] ?? 0).sort();
  const least = sorted[sorted.length - LOOKED_AT] ?? 0;
  return found.filter((at) => (scores[at] ?? 0) >= least);
}

/** Puts into `best` what the concept is worth for each tool that has it, and gives those tools. */
function matchConcept(index: SearchIndex, concept: Concept, best: Float32Array): readonly number[] {
  const touched: number[] = [];
  // What stands for a word is worth no more than the word itself.
  const own = index.postingsOf(concept.term)?.tools.length;
  const limit = Math.min(own === undefined ? MAX_RARITY : rarityOf(index, own), MAX_RARITY);
  const match = (term: string, share: number, most: number): void => {
    const postings = index.postingsOf(term);
    if (postings === undefined) return;
    const { tools, amounts } = postings;
    const rarity = Math.min(rarityOf(index, tools.length), most);
    for (let n = 0; n < tools.length; n++) {
      const at = tools[n] ?? 0;
      const amount = amounts[n] ?? 0;
      const score = (share * rarity * amount * (SATURATION + 1)) / (amount + SATURATION);
      const before = best[at] ?? 0;
      if (before === 0) touched.push(at);
      if (score > before) best[at] = score;
    }
  };
  match(concept.term, 1, limit);
  for (const term of concept.synonyms) match(term, SYNONYM, limit);
  for (const term of concept.pairs) match(term, PAIR, MAX_RARITY);
  if (concept.term.length >= MIN_BEGINNING)
    for (const term of index.termsWith(concept.term, MAX_BEGINNINGS)) match(term, BEGINNING, limit);
  return touched;
}

function rarityOf({ size }: SearchIndex, count: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5));
}

function deedFactor(index: SearchIndex, { deeds }: Query, at: number): number {
  if (deeds.size === 0) return 1;
  for (const deed of deeds) if (index.deedOf(at, deed)) return SAME_DEED;
  return index.deedOf(at, "delete") ? UNASKED_DELETE : OTHER_DEED;
}

function spread(
  found: readonly number[],
  scores: Float32Array,
  fits: Uint32Array,
  tools: readonly CatalogueTool[],
): readonly number[] {
  const alike = new Map<string, number>();
  const weighed = found.map((at) => {
    const key = `${tools[at]?.path.split(".", 1)[0]} ${fits[at]}`;
    const before = alike.get(key) ?? 0;
    alike.set(key, before + 1);
    return { at, score: (scores[at] ?? 0) * ALIKE ** before };
  });
  return weighed.sort((a, b) => b.score - a.score || a.at - b.at).map(({ at }) => at);
}
