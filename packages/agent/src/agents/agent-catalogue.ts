import { type Catalogue, createCatalogue, discoverySource } from "@deputy/tools";
import type { SkillShelf } from "../skills/read-skills.ts";
import { skillSource } from "../skills/skill-source.ts";
import { createToolSet } from "./tool-set.ts";

/**
 * The tools of one agent: those of its tool set, and those by which it looks for tools in this catalogue
 * and reads its skills; these only read. Throws `duplicate_tool` where one of `tools` has their path.
 */
export function createAgentCatalogue(
  tools: Catalogue,
  patterns: readonly string[],
  shelves: readonly SkillShelf[],
): Catalogue {
  const set = createToolSet(patterns);
  const chosen = tools.list().filter(({ path }) => set.has(path));
  const catalogue: Catalogue = createCatalogue(
    [discoverySource(() => catalogue), skillSource(shelves)],
    chosen,
    tools.seen,
    tools.meaning,
  );
  return catalogue;
}
