import { type Catalogue, createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import type { AgentMode } from "../offer.ts";
import type { CellEvents } from "./recorded-turn.ts";

/** What models are offered to look around, in every mode but functions. */
const DISCOVERY: ReadonlySet<string> = new Set(["search_tools", "describe_tools"]);

/** How the agent acted in a turn, where its cells tell. */
export function modeOf(cells: readonly CellEvents[]): AgentMode | undefined {
  const submitted = cells.map((cell) => cell.submitted.data);
  if (submitted.some(({ isScript }) => isScript === true)) return "script";
  if (submitted.some(({ call }) => call !== undefined && !DISCOVERY.has(call.name))) return "functions";
  return submitted.some(({ call }) => call === undefined) ? "code" : undefined;
}

/** Today's tools, and in the place of each that was called then and is gone, one that only has its path. */
export function withToolsOfThen(catalogue: Catalogue, called: ReadonlySet<string>): Catalogue {
  const gone = [...called].filter((path) => catalogue.get(path) === undefined);
  return createCatalogue([{ source: "the record", tree: treeOf(gone) }], catalogue.list());
}

function treeOf(paths: readonly string[]): ToolTree {
  const tree: Record<string, ToolTree> = {};
  ...
}
