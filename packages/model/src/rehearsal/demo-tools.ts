import type { ToolResult } from "../model.ts";
import { isObject, parseJson, textIn } from "../wire/json.ts";

/** Tools of the demo say so in their descriptions. */
const DEMO_MARK = "demo: the folder demo in Deputy's home";

/** True if the found tools are the demo's own; the rehearsal must not use the user's tools. */
export function hasDemoTools(found: ToolResult, paths: readonly string[]): boolean {
  const tools = found.isError ? undefined : parseJson(found.text);
  if (!Array.isArray(tools)) return false;
  return paths.every((path) =>
    tools.some(
      (tool) =>
        isObject(tool) && textIn(tool, "path") === path && textIn(tool, "description").includes(DEMO_MARK),
    ),
  );
}
