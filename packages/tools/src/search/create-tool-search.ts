import type { CatalogueTool } from "../catalogue.ts";
import { rank } from "./rank.ts";
import { readQuery } from "./read-query.ts";
import { buildIndex, type SearchIndex } from "./search-index.ts";

/** Ranks tools by BM25 over path, description and parameters. Its index is built with the first search. */
export function createToolSearch(
  tools: readonly CatalogueTool[],
): (query: string, limit: number) => readonly CatalogueTool[] {
  let index: SearchIndex | undefined;
  let byPath: ReadonlyMap<string, CatalogueTool> | undefined;
  return (text, limit) => {
    index ??= buildIndex(tools);
    byPath ??= new Map(tools.map((tool) => [tool.path, tool]));
    const most = Math.max(Math.floor(limit), 0);
    const query = readQuery(text, index);
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
