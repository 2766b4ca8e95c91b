import { type Catalogue, type CatalogueTool, descriptionsOf } from "@deputy/tools";
import type { Author } from "./labelled-text.ts";

type Described = Pick<CatalogueTool, "describedBy">;
type ToolAuthor = Extract<Author, { kind: "tools" | "other" }>;

/** The author of what a tool says about itself: description, parameters, examples. */
export function wordsBy({ describedBy }: Described): ToolAuthor {
  if (describedBy === undefined) return { kind: "tools" };
  return { kind: "other", source: descriptionsOf([describedBy]), weight: "text" };
}

/** The author of a tool's name alone. */
export function namesBy({ describedBy }: Described): ToolAuthor {
  if (describedBy === undefined) return { kind: "tools" };
  return { kind: "other", source: descriptionsOf([describedBy]), weight: "names" };
}

/** `tools` on its own, from where every type can be reached. */
const ALL_TOOLS = /\btools\b(?!\s*[?!]?\.\s*[\p{L}_$])/u;

/**
 * Whose words may be in what a check says about a program: it quotes the types of tools, and so what others have
 * written into them. All authors whose tools the program mentions count, as nobody can tell which words are whose.
 */
export function quotedByCheck(code: string, catalogue: Pick<Catalogue, "list">): readonly string[] {
  const words = new Set(code.match(/[\p{L}\p{N}_$]+/gu));
  const isAnywhere = ALL_TOOLS.test(code);
  const authors = catalogue
    .list()
    .filter(({ path }) => isAnywhere || words.has(path.split(".", 1)[0] ?? path))
    .flatMap(({ describedBy }) => describedBy ?? []);
  return [...new Set(authors)].toSorted().map((author) => descriptionsOf([author]));
}
