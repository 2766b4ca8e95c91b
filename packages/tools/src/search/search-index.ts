import type { CatalogueTool } from "../catalogue.ts";
import type { Deed } from "./thesaurus.ts";
import { toolDeeds, toolDepth, toolWords } from "./tool-words.ts";

/** Which tools have a term, and how much it says of each. */
export interface Postings {
  readonly tools: Uint32Array;
  readonly amounts: Float32Array;
}

/** Terms and the tools that have them; tools are numbers, in the order of the list. */
export interface SearchIndex {
  readonly size: number;
  postingsOf(term: string): Postings | undefined;
  /** Terms that begin with this, itself left out; never more than `limit`. */
  termsWith(beginning: string, limit: number): readonly string[];
  deedOf(tool: number, deed: Deed): boolean;
  /** How many things must be named to reach what it works on, beyond the first. */
  depthOf(tool: number): number;
  /** The tools at or under a first name, such as `github`: from, and up to, not including. */
  namespaces: ReadonlyMap<string, readonly [from: number, to: number]>;
}

const DEEDS: Readonly<Record<Deed, number>> = { read: 1, create: 2, update: 4, delete: 8 };

/** `tools` are sorted by path. */
export function buildIndex(tools: readonly CatalogueTool[]): SearchIndex {
  const gathered = new Map<string, { readonly tools: number[]; readonly amounts: number[] }>();
  const deeds = new Uint8Array(tools.length);
  const depths = new Uint8Array(tools.length);
  const namespaces = new Map<string, [number, number]>();
  tools.forEach((tool, at) => {
    for (const [term, amount] of toolWords(tool)) {
      let list = gathered.get(term);
      if (list === undefined) gathered.set(term, (list = { tools: [], amounts: [] }));
      list.tools.push(at);
      list.amounts.push(amount);
    }
    for (const deed of toolDeeds(tool)) deeds[at] = (deeds[at] ?? 0) | DEEDS[deed];
    depths[at] = toolDepth(tool);
    const [namespace = ""] = tool.path.split(".", 1);
    const range = namespaces.get(namespace);
    if (range === undefined) namespaces.set(namespace, [at, at + 1]);
    else range[1] = at + 1;
  });
  const packed = new Map<string, Postings>();
  for (const [term, list] of gathered) {
    packed.set(term, { tools: Uint32Array.from(list.tools), amounts: Float32Array.from(list.amounts) });
    gathered.delete(term);
  }
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
    depthOf: (tool) => depths[tool] ?? 0,
    deedOf: (tool, deed) => ((deeds[tool] ?? 0) & DEEDS[deed]) !== 0,
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
