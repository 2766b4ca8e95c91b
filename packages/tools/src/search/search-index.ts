import type { CatalogueTool } from "../catalogue.ts";
import { isOutdated, routeOf, toolCore, toolDeeds, toolDepth } from "./tool-shape.ts";
import { toolWords } from "./tool-words.ts";
import type { Deed } from "./verbs.ts";

/** Which tools have a term, and how much it says of each. */
export interface Postings {
  readonly tools: Uint32Array;
  readonly amounts: Float32Array;
  /** How much of what a tool is about the term names: 0 to 255. */
  readonly shares: Uint8Array;
  /** How telling the term is, where no namespace counts for its size. */
  readonly rarity: number;
}

/** Terms and the tools that have them; tools are numbers, in the order of the list. */
export interface SearchIndex {
  readonly size: number;
  postingsOf(term: string): Postings | undefined;
  /** Terms that begin with this, itself left out; never more than `limit`. */
  termsWith(beginning: string, limit: number): readonly string[];
  deedOf(tool: number, deed: Deed): boolean;
  shapeOf(tool: number): { readonly depth: number; readonly single: boolean; readonly outdated: boolean };
  /** The tools at or under a first name, such as `github`: from, and up to, not including. */
  readonly namespaces: ReadonlyMap<string, Range>;
}
export type Range = readonly [from: number, to: number];

const DEEDS: Readonly<Record<Deed, number>> = { read: 1, create: 2, update: 4, delete: 8 };
const SINGLE = 16;
const OUTDATED = 32;

interface Gathered {
  readonly tools: number[];
  readonly amounts: number[];
  readonly core: boolean[];
}

/** `tools` are sorted by path. */
export function buildIndex(tools: readonly CatalogueTool[]): SearchIndex {
  const gathered = new Map<string, Gathered>();
  const kinds = new Uint8Array(tools.length);
  const depths = new Uint8Array(tools.length);
  const namespaces = new Map<string, [number, number]>();
  tools.forEach((tool, at) => {
    const route = routeOf(tool);
    const core = toolCore(tool, route);
    for (const [term, amount] of toolWords(tool, route)) {
      let list = gathered.get(term);
      if (list === undefined) gathered.set(term, (list = { tools: [], amounts: [], core: [] }));
      list.tools.push(at);
      list.amounts.push(amount);
      list.core.push(core.has(term));
    }
    let kind = (route?.single === true ? SINGLE : 0) | (isOutdated(tool) ? OUTDATED : 0);
    for (const deed of toolDeeds(tool, route)) kind |= DEEDS[deed];
    kinds[at] = kind;
    depths[at] = toolDepth(route);
    const [namespace = ""] = tool.path.split(".", 1);
    const range = namespaces.get(namespace);
    if (range === undefined) namespaces.set(namespace, [at, at + 1]);
    else range[1] = at + 1;
  });
  const packed = packPostings(gathered, tools.length, [...namespaces.values()]);
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
    shapeOf: (tool) => ({
      depth: depths[tool] ?? 0,
      single: ((kinds[tool] ?? 0) & SINGLE) !== 0,
      outdated: ((kinds[tool] ?? 0) & OUTDATED) !== 0,
    }),
    deedOf: (tool, deed) => ((kinds[tool] ?? 0) & DEEDS[deed]) !== 0,
  };
}

function packPostings(
  gathered: Map<string, Gathered>,
  size: number,
  ranges: readonly Range[],
): ReadonlyMap<string, Postings> {
  const namespaceOf = new Uint16Array(size);
  ranges.forEach(([from, to], at) => namespaceOf.fill(at, from, to));
  // A namespace counts with the root of its size: one of thousands shall not decide what is rare in all.
  const each = ranges.map(([from, to]) => 1 / Math.sqrt(to - from));
  const whole = ranges.reduce((sum, [from, to]) => sum + Math.sqrt(to - from), 0);
  const mass = new Float32Array(size);
  const counts = new Float64Array(ranges.length);
  const local = (at: number): number => {
    const [from, to] = ranges[namespaceOf[at] ?? 0] ?? [0, 0];
    return Math.log(1 + (to - from) / (counts[namespaceOf[at] ?? 0] ?? 1));
  };
  const count = (list: Gathered): void => {
    counts.fill(0);
    for (const at of list.tools) counts[namespaceOf[at] ?? 0]! += 1;
  };
  for (const list of gathered.values()) {
    if (!list.core.includes(true)) continue;
    count(list);
    list.tools.forEach((at, n) => {
      if (list.core[n] === true) mass[at] = (mass[at] ?? 0) + local(at);
    });
  }
  const packed = new Map<string, Postings>();
  for (const [term, list] of gathered) {
    count(list);
    let has = 0;
    for (const at of list.tools) has += each[namespaceOf[at] ?? 0] ?? 0;
    const unit = whole / size;
    packed.set(term, {
      tools: Uint32Array.from(list.tools),
      amounts: Float32Array.from(list.amounts),
      shares: Uint8Array.from(list.tools, (at, n) =>
        list.core[n] === true ? Math.round((255 * local(at)) / (mass[at] ?? 1)) : 0,
      ),
      rarity: Math.log(1 + (whole - has + unit / 2) / (has + unit / 2)),
    });
    gathered.delete(term);
  }
  return packed;
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
