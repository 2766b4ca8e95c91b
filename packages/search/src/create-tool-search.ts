import { throwIfAborted } from "@deputy/kit";
import type { SearchableTool } from "./searchable-tool.ts";
import type { MeaningSearch } from "./meaning-search.ts";
import { rank } from "./rank.ts";
import { readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";

export interface ToolSearch<Tool extends SearchableTool> {
  /** Searches by words only. The first call builds the index in one go. */
  search(query: string, limit: number): readonly Tool[];
  /**
   * The same, and by meaning if there is an embedder. The first call builds the index in steps, so that other
   * work can run in between. Rejects with the signal's reason on abort.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly Tool[]>;
}

/** How many of each list are fused. */
const FUSED = 50;
/** Of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): a larger number makes a first place worth less. */
const RANK_OFFSET = 60;

/** Ranks tools by BM25 over path, description and parameters. `tools` are sorted by path. */
export function createToolSearch<Tool extends SearchableTool>(
  tools: readonly Tool[],
  meaning?: MeaningSearch,
): ToolSearch<Tool> {
  let index: SearchIndex | undefined;
  let steps: ReturnType<typeof buildIndex> | undefined;
  let byPath: ReadonlyMap<string, Tool> | undefined;
  /** Searches that arrive meanwhile share the same work. */
  const step = (): SearchIndex | undefined => {
    if (index !== undefined) return index;
    steps ??= buildIndex(tools);
    const { done, value } = steps.next();
    if (done === true) index = value;
    return index;
  };

  const byWords = (built: SearchIndex, text: string, most: number): readonly Tool[] => {
    const query = readQuery(text, built);
    // Without words there is nothing to rank by: return everything, in its order.
    if (query.concepts.length + query.namespaces.size === 0) return tools.slice(0, most);
    return rank(built, query, most).flatMap((at) => tools[at] ?? []);
  };
  const exactFirst = (text: string, ranked: readonly Tool[], most: number): readonly Tool[] => {
    byPath ??= new Map(tools.map((tool) => [tool.path, tool]));
    const exact = byPath.get(text.trim());
    if (exact === undefined) return ranked.slice(0, most);
    return [exact, ...ranked.filter((tool) => tool !== exact)].slice(0, most);
  };

  return {
    search(text, limit) {
      const most = Math.max(Math.floor(limit), 0);
      let built = step();
      while (built === undefined) built = step();
      return exactFirst(text, byWords(built, text, most), most);
    },
    async find(text, limit, signal) {
      const most = Math.max(Math.floor(limit), 0);
      let built = step();
      while (built === undefined) {
        await otherWork();
        throwIfAborted(signal);
        built = step();
      }
      const ranked = byWords(built, text, Math.max(most, FUSED));
      if (meaning === undefined || text.trim() === "") return exactFirst(text, ranked, most);
      const near = await meaning.nearest(text, [...new Set([...ranked, ...tools])], FUSED, signal);
      return exactFirst(text, near.length === 0 ? ranked : fuseRanks([ranked.slice(0, FUSED), near]), most);
    },
  };
}

/** One list of several, each with the best first: an item that many lists have early comes first. */
function fuseRanks<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const worth = new Map<Item, number>();
  for (const list of lists)
    list.forEach((item, at) => worth.set(item, (worth.get(item) ?? 0) + 1 / (RANK_OFFSET + at + 1)));
  return [...worth].sort((a, b) => b[1] - a[1]).map(([item]) => item);
}

/** Yields to other work. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
