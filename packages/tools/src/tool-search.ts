import type { CatalogueTool } from "./catalogue.ts";

/** How much a word counts by where it stands. */
const WEIGHTS = { path: 4, parameters: 2, description: 1 } as const;
/** How much of that counts when only part of the word agrees. */
const PARTIAL = 0.5;
/** Who gives a tool's own path means that tool, whatever others say of themselves. */
const EXACT_PATH = Number.POSITIVE_INFINITY;

interface Entry {
  readonly tool: CatalogueTool;
  readonly words: Readonly<Record<keyof typeof WEIGHTS, ReadonlySet<string>>>;
}

/** Ranks tools by the query's words in path, parameter names and description, each as much as its place counts. */
export function createToolSearch(
  tools: readonly CatalogueTool[],
): (query: string, limit: number) => readonly CatalogueTool[] {
  let index: readonly Entry[] | undefined;
  return (query, limit) => {
    index ??= tools.map(indexTool);
    const wanted = [...new Set(wordsOf(query))];
    const scoreOf = (entry: Entry): number => {
      if (entry.tool.path === query) return EXACT_PATH;
      // Without words there is nothing to rank by: everything, as it is listed.
      return wanted.length === 0 ? 1 : wanted.reduce((sum, word) => sum + scoreWord(entry, word), 0);
    };
    return index
      .map((entry) => ({ entry, score: scoreOf(entry) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, Math.max(limit, 0))
      .map(({ entry }) => entry.tool);
  };
}

function indexTool(tool: CatalogueTool): Entry {
  return {
    tool,
    words: {
      path: new Set(wordsOf(tool.path)),
      parameters: new Set(parameterNames(tool).flatMap(wordsOf)),
      description: new Set(wordsOf(tool.description)),
    },
  };
}

function scoreWord({ words }: Entry, word: string): number {
  const places = Object.entries(WEIGHTS).map(([place, weight]) => {
    const there = words[place as keyof typeof WEIGHTS];
    if (there.has(word)) return weight;
    const isPart = [...there].some(
      (other) => other.includes(word) || (other.length > 3 && word.includes(other)),
    );
    return isPart ? weight * PARTIAL : 0;
  });
  return places.reduce((sum, score) => sum + score, 0);
}

/** Lower-case words without the endings that grammar adds: `closeIssues` → `clos`, `issu`. */
function wordsOf(text: string): readonly string[] {
  const spaced = text.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ies|ed|es|s|y|e)$/, "") : word;
}

function parameterNames({ inputSchema }: CatalogueTool): readonly string[] {
  const properties = typeof inputSchema === "object" ? inputSchema["properties"] : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
