import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { NOT_RUN } from "../cell/draft-cell.ts";
import { type ScriptSearch, UNCLOSED } from "../turn/ask-model.ts";
import type { AgentMode } from "../turn/offer.ts";
import type { CellEvents } from "./recorded-turn.ts";

/** The functions for looking around that a model is offered in every mode except functions. */
const DISCOVERY: ReadonlySet<string> = new Set(["search_tools", "describe_tools"]);

/** The agent's mode in a turn, as far as its cells show it. */
export function modeOf(cells: readonly CellEvents[]): AgentMode | undefined {
  if (cells.some(({ submitted: { data } }) => data.isScript === true)) return "script";
  // A refused call does not show what was offered.
  const offered = cells.filter(
    ({ checked }) => !checked?.data.diagnostics.some(({ code }) => code === NOT_RUN),
  );
  const submitted = offered.map((cell) => cell.submitted.data);
  if (submitted.some(({ call }) => call !== undefined && !DISCOVERY.has(call.name))) return "functions";
  return submitted.some(({ call }) => call === undefined) ? "code" : undefined;
}

/** What became of programs in the text then. */
export function scriptsOf(cells: readonly CellEvents[]): ScriptSearch {
  const isLeft = cells.some(
    ({ submitted: { data }, checked }) =>
      data.isScript === true &&
      data.apart !== true &&
      !checked?.data.diagnostics.some(({ code }) => code === NOT_RUN),
  );
  if (isLeft) return "left_in";
  const isUnclosedLeft = cells.some(
    ({ submitted: { data }, checked }) =>
      data.isScript === true &&
      data.unclosed !== true &&
      checked?.data.diagnostics.some(({ code, message }) => code === NOT_RUN && message === UNCLOSED) ===
        true,
  );
  return isUnclosedLeft ? "closed_taken_out" : "taken_out";
}

/** Today's tools, and for each that was called then and is gone, one that has nothing but its path. */
export function withToolsOfThen(catalogue: Catalogue, called: ReadonlySet<string>): Catalogue {
  const gone = [...called].filter((path) => catalogue.get(path) === undefined).map(toolOfThen);
  const { get, find, declarations, describe, aliases } = catalogue;
  return { get, find, declarations, describe, aliases, list: () => [...catalogue.list(), ...gone] };
}

function toolOfThen(path: string): CatalogueTool {
  return {
    path,
    description: "",
    approval: "required",
    effect: "write",
    idempotent: false,
    critical: "all",
    limits: {},
    examples: [],
    inputSchema: { type: "object" },
    parseInput: (input) => ({ kind: "ok", input }),
    run: () => Promise.reject(new Error("A replay runs no tool")),
    preview: () => ({ title: path }),
  };
}
