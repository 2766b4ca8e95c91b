import type { SearchableTool } from "./searchable-tool.ts";
import type { Deed } from "./deeds.ts";
import { type Gathered, packPostings, type Postings, type Range } from "./pack-postings.ts";
import { createStemmer, stem } from "./stem.ts";
import { isOwn, routeOf, toolCore, toolDeeds, toolHeads, toolHolder } from "./tool-shape.ts";
import { toolWords } from "./tool-words.ts";

/** Terms and the tools that have them; a tool is its number in the list. */
export interface SearchIndex {
  readonly size: number;
  postingsOf(term: string): Postings | undefined;
  /** Terms that begin with this one, without itself; at most `limit`. */
  termsWith(beginning: string, limit: number): readonly string[];
  /** The number of its namespace, in the order of `namespaces`. */
  namespaceOf(tool: number): number;
  isDeed(tool: number, deed: Deed): boolean;
  /** True if it works on one of many. */
  isSingle(tool: number): boolean;
  /** True if it works on things of the calling user. */
  isOwn(tool: number): boolean;
  /** Stems of what it gives or works on. */
  headsOf(tool: number): readonly string[];
  /** The stem of what its own things are in: `calendar` of `/calendars/{id}/events`. */
  holderOf(tool: number): string | undefined;
  /** True if it is Deputy's own or the user's, and not of a service. */
  isHouse(tool: number): boolean;
  /** True if tools outside the namespace use the word too: `calendar`, but not `github`. */
  isWordOutside(namespace: string, word: string): boolean;
  /** The tools of a namespace, such as `github`: from this one, up to but not including that one. */
  readonly namespaces: ReadonlyMap<string, Range>;
}

const DEEDS: Readonly<Record<Deed, number>> = { read: 1, create: 2, update: 4, delete: 8 };
const SINGLE = 16;
const OWN = 32;
const HOUSE = 64;
/** How many tools elsewhere must use a namespace's name as a word for it to count as an ordinary word. */
const MIN_OUTSIDE = 20;

/** How many tools one step indexes. */
const TOOLS_AT_ONCE = 100;

/** Builds it in steps of some milliseconds, one for each `next`. `tools` are sorted by path. */
export function* buildIndex(tools: readonly SearchableTool[]): Generator<undefined, SearchIndex> {
  const stemOf = createStemmer();
  const gathered = new Map<string, Gathered>();
  const kinds = new Uint8Array(tools.length);
  const holders: (string | undefined)[] = [];
  const heads: (readonly string[])[] = [];
  const namespaces = new Map<string, [number, number]>();
  for (const [at, tool] of tools.entries()) {
    if (at > 0 && at % TOOLS_AT_ONCE === 0) yield;
    const route = routeOf(tool);
    const core = toolCore(tool, route, stemOf);
    for (const [term, amount] of toolWords(tool, route, stemOf)) {
      let list = gathered.get(term);
      if (list === undefined) gathered.set(term, (list = { tools: [], amounts: [], core: [] }));
      list.tools.push(at);
      list.amounts.push(amount);
      list.core.push(core.has(term));
    }
    let kind = route?.single === true ? SINGLE : 0;
    if (route !== undefined && isOwn(route)) kind |= OWN;
    for (const deed of toolDeeds(tool, route)) kind |= DEEDS[deed];
    if (tool.describedBy === undefined) kind |= HOUSE;
    kinds[at] = kind;
    holders.push(toolHolder(route, stemOf));
    heads.push(toolHeads(tool, route, stemOf));
    const [namespace = ""] = tool.path.split(".", 1);
    const range = namespaces.get(namespace);
    if (range === undefined) namespaces.set(namespace, [at, at + 1]);
    else range[1] = at + 1;
  }
  const homes = new Uint16Array(tools.length);
  [...namespaces.values()].forEach(([from, to], home) => homes.fill(home, from, to));
  const packed = yield* packPostings(gathered, tools.length, [...namespaces.values()]);
  const terms = [...packed.keys()].sort();
  return {
    size: tools.length,
    namespaces,
    postingsOf: (term) => packed.get(term),
    termsWith(beginning, limit) {
      const found: string[] = [];
      for (let at = firstNotBefore(terms, beginning); at < terms.length && found.length < limit; at++) {
        const term = terms[at] ?? "";
        if (!term.startsWith(beginning)) break;
        if (term !== beginning) found.push(term);
      }
      return found;
    },
    namespaceOf: (tool) => homes[tool] ?? 0,
    isSingle: (tool) => ((kinds[tool] ?? 0) & SINGLE) !== 0,
    isOwn: (tool) => ((kinds[tool] ?? 0) & OWN) !== 0,
    holderOf: (tool) => holders[tool],
    headsOf: (tool) => heads[tool] ?? [],
    isHouse: (tool) => ((kinds[tool] ?? 0) & HOUSE) !== 0,
    isWordOutside(namespace, word) {
      const [from, to] = namespaces.get(namespace) ?? [0, 0];
      let outside = 0;
      for (const at of packed.get(stem(word))?.tools ?? []) if (at < from || at >= to) outside++;
      return outside >= MIN_OUTSIDE;
    },
    isDeed: (tool, deed) => ((kinds[tool] ?? 0) & DEEDS[deed]) !== 0,
  };
}

function firstNotBefore(sorted: readonly string[], term: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < term) low = middle + 1;
    else high = middle;
  }
  return low;
}
