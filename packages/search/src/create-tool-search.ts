import { throwIfAborted } from "@deputy/kit";
import { fuseMeaning } from "./fuse-meaning.ts";
import type { MeaningSearch } from "./meaning-search.ts";
import { rank, type Ranked } from "./rank.ts";
import { type Query, readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";
import type { SearchableTool } from "./searchable-tool.ts";

export interface ToolSearch<Tool extends SearchableTool> {
  /** Searches by words only. The first call builds the index in one go. */
  search(query: string, limit: number): readonly Tool[];
  /**
   * The same, and by meaning if there is an embedder. The first call builds the index in steps, so that other
   * work can run in between. Rejects with the signal's reason on abort.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<FoundTools<Tool>>;
}

export interface FoundTools<Tool> {
  /** The best first. */
  readonly tools: readonly Tool[];
  readonly by: "words and meaning" | "words";
  /** Why words alone were searched, although there is a search by meaning. */
  readonly why?: string;
}

/** How many that were found by words are compared with those that were found by meaning. */
const COMPARED = 200;
/** The share of the list that one service may have before others. */
const SHARE = 0.8;

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

  const rankAll = (built: SearchIndex, query: Query, most: number): readonly Ranked[] =>
    isEmpty(query) ? [] : rank(built, query, most);
  /** One service does not fill the list while others have something too, unless it was named. */
  const share = (
    built: SearchIndex,
    query: Query,
    numbers: readonly number[],
    most: number,
  ): readonly Tool[] => {
    const cap = query.namespaces.size > 0 ? most : Math.ceil(most * SHARE);
    const counts = new Map<number, number>();
    const further: number[] = [];
    const first = numbers.filter((at) => {
      const home = built.namespaceOf(at);
      const count = (counts.get(home) ?? 0) + 1;
      counts.set(home, count);
      if (count > cap) further.push(at);
      return count <= cap;
    });
    return [...first.slice(0, most), ...further].flatMap((at) => tools[at] ?? []);
  };
  const exactFirst = (text: string, ranked: readonly Tool[], most: number): readonly Tool[] => {
    byPath ??= new Map(tools.map((tool) => [tool.path, tool]));
    const exact = byPath.get(text.trim());
    if (exact === undefined) return ranked.slice(0, most);
    return [exact, ...ranked.filter((tool) => tool !== exact)].slice(0, most);
  };
  const byWords = (built: SearchIndex, text: string, most: number): readonly Tool[] => {
    const query = readQuery(text, built);
    // Without words there is nothing to rank by: return everything, in its order.
    if (isEmpty(query)) return exactFirst(text, tools, most);
    const found = rank(built, query, most).map(({ at }) => at);
    return exactFirst(text, share(built, query, found, most), most);
  };

  return {
    search(text, limit) {
      let built = step();
      while (built === undefined) built = step();
      return byWords(built, text, Math.max(Math.floor(limit), 0));
    },
    async find(text, limit, signal) {
      const most = Math.max(Math.floor(limit), 0);
      let built = step();
      while (built === undefined) {
        await otherWork();
        throwIfAborted(signal);
        built = step();
      }
      if (meaning === undefined || text.trim() === "")
        return { tools: byWords(built, text, most), by: "words" };
      const compared = await meaning.compare(text, tools, signal);
      if (compared.kind === "unknown")
        return { tools: byWords(built, text, most), by: "words", why: compared.why };
      const query = readQuery(text, built);
      const ranked = rankAll(built, query, Math.max(most, COMPARED)).slice(0, Math.max(most, COMPARED));
      const fused = fuseMeaning(built, query, ranked, compared.likeness);
      return { tools: exactFirst(text, share(built, query, fused, most), most), by: "words and meaning" };
    },
  };
}

function isEmpty({ concepts, namespaces }: Query): boolean {
  return concepts.length + namespaces.size === 0;
}

/** Yields to other work. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
