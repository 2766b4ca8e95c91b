import { filesTools } from "../../../packages/builtins/src/files/files-tools.ts";
import { taskTools } from "../../../packages/builtins/src/own-tools/task-tools.ts";
import { webTools } from "../../../packages/builtins/src/web/web-tools.ts";
import { type CatalogueTool, createCatalogue, type ToolSource } from "@deputy/tools";
import { isObject } from "../slots.ts";
import type { SuiteTool } from "../suite.ts";

/** The tools of sources as the gate knows them. */
export function toolsFrom(sources: readonly ToolSource[]): ReadonlyMap<string, SuiteTool> {
  const tools = createCatalogue(sources).list();
  return new Map(tools.map((tool) => [tool.path, toolFromCatalogue(tool)]));
}

export function toolFromCatalogue(tool: CatalogueTool): SuiteTool {
  const { inputSchema, trust = "untrusted" } = tool;
  return { ...tool, trust, inputSchema: isObject(inputSchema) ? inputSchema : {} };
}

/** Deputy's own tools for files, the web and tasks, with their own labels. None of them is ever run. */
export function ownTools(): ReadonlyMap<string, SuiteTool> {
  const absent = (): never => {
    throw new Error("Nothing runs here.");
  };
  const tree = {
    files: filesTools(absent, absent),
    web: webTools({ fetch: absent, search: absent }),
    tasks: taskTools(absent),
  };
  return toolsFrom([{ source: "deputy", tree }]);
}
