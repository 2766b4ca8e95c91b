import { throwIfAborted } from "@deputy/kit";
import type { CatalogueTool } from "../catalogue.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import type { MeaningSearch } from "./meaning-search.ts";
import { rank } from "./rank.ts";
import { readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";

export interface ToolSearch {
  /** By words alone. The first builds the index, at one go. */
  search(query: string, limit: number): readonly CatalogueTool[];
  /**
   * The same, and by meaning where that can be told. The first builds the index, in steps: other work goes on between
   * them. Rejects with the signal's reason on abort.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly CatalogueTool[]>;
}

/** How many of each list are fused. */
const FUSED = 50;

/** Ranks tools by BM25 over path, description and parameters. */
export function createToolSearch(tools: readonly CatalogueTool[], meaning?: MeaningSearch): ToolSearch {
  let index: SearchIndex | undefined;
  let steps: ReturnType<typeof buildIndex> | undefined;
  let byPath: ReadonlyMap<string, CatalogueTool> | undefined;
  /** Whoever searches meanwhile goes on with the same work. */
  const step = (): SearchIndex | undefined => {
    if (index !== undefined) return index;
    steps ??= buildIndex(tools);
    const { done, value } = steps.next();
    if (done === true) index = value;
    return index;
  };

  const byWords = (built: SearchIndex, text: string, most: number): readonly CatalogueTool[] => {
    const query = readQuery(text, built);
    // Without words there is nothing to rank by: everything, as it is listed.
    if (query.concepts.length + query.namespaces.size === 0) return tools.slice(0, most);
    return rank(built, query, tools, most).flatMap((at) => tools[at] ?? []);
  };
  const exactFirst = (
    text: string,
    ranked: readonly CatalogueTool[],
    most: number,
  ): readonly CatalogueTool[] => {
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

/** Lets whatever waits have its turn. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
