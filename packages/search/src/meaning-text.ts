import type { SearchableTool } from "./searchable-tool.ts";
import { splitWords } from "./split-words.ts";
import { routeOf } from "./tool-shape.ts";

/** A longer text says less about what a tool is for, and takes longer. */
const SUMMARY_CHARS = 200;

/** What a model reads of a tool: the words of its path and its summary. A route is for machines. */
export function meaningText(tool: SearchableTool): string {
  const route = routeOf(tool);
  const [summary = ""] = tool.description.split("\n", 1);
  const isRoute = route !== undefined && summary === `${route.method} ${route.path}`;
  return `${splitWords(tool.path).join(" ")}. ${isRoute ? "" : summary.slice(0, SUMMARY_CHARS)}`;
}
