import type { Catalogue, CatalogueTool } from "@deputy/tools";

/** A tool that must be there. */
export function requireTool(catalogue: Catalogue, path: string): CatalogueTool {
  const tool = catalogue.get(path);
  if (tool === undefined) throw new Error(`There is no ${path}`);
  return tool;
}
