import { basename, resolve } from "node:path";
import { CELL_GLOBALS } from "@deputy/codemode";
import { makeVisible } from "@deputy/kit";
import type { Catalogue } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { loadCatalogue } from "../load-catalogue.ts";
import { nearestNames } from "../nearest-names.ts";
import { writeGenerated } from "../write-generated.ts";

export interface TypesOptions {
  readonly tools?: readonly string[];
  readonly out?: string;
}

/** The file's first line, by which it is known as ours when it is written again. */
const HEADER =
  "// What a cell may use, as Deputy checks it. Written by `deputy tools types`: changes in here are lost.\n";

/** `deputy tools types [PATH…]`: the declarations that cells are checked against, for people and editors. */
export async function printTypes(
  invocation: Invocation,
  paths: readonly string[],
  options: TypesOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const plugins = (options.tools ?? []).map((plugin) => resolve(plugin));
  const catalogue = await loadCatalogue([...home.config.toolSources, ...plugins], home, invocation);
  const tools = selectTools(catalogue, paths);
  const declarations = paths.length === 0 ? catalogue.declarations() : catalogue.describe(tools);
  const text = `${HEADER}${CELL_GLOBALS}${declarations}`;
  for (const path of tools) {
    const presumed = catalogue.get(path)?.presumed;
    if (presumed !== undefined) output.note(`${path}: ${makeVisible(presumed)}`);
  }
  if (home.config.toolSources.length + plugins.length === 0) output.note(NO_TOOLS);

  if (options.out === undefined) {
    output.result(text.trimEnd());
    output.object({ type: "types", tools, declarations: text });
    return EXIT.done;
  }
  const file = resolve(options.out);
  writeGenerated(file, HEADER, text);
  output.result(`Wrote ${tools.length === 1 ? "1 tool" : `${tools.length} tools`} to ${makeVisible(file)}`);
  output.note(`A program beside it finds them by: /// <reference path="./${makeVisible(basename(file))}" />`);
  output.object({ type: "types", tools, file });
  return EXIT.done;
}

const NO_TOOLS =
  "Only Deputy's own tools are connected: name a plugin with --tools, or in the config's toolSources.";

/** The paths of all tools at or under the given names; all of them when there is none. Throws `unknown_tool`. */
function selectTools(catalogue: Catalogue, names: readonly string[]): readonly string[] {
  const all = catalogue.list().map(({ path }) => path);
  if (names.length === 0) return all;
  const wanted = names.map((name) => ({ name, found: all.filter((path) => isAtOrUnder(path, name)) }));
  const unknown = wanted.filter(({ found }) => found.length === 0).map(({ name }) => name);
  if (unknown.length === 0) return [...new Set(wanted.flatMap(({ found }) => found))].sort();

  const near = unknown.flatMap((name) => nearestNames(name, withNamespaces(all)));
  const known =
    near.length > 0 ? `Did you mean ${near.join(", ")}?` : "`deputy tools types` prints them all.";
  const quoted = unknown.map((name) => `“${makeVisible(name)}”`).join(", ");
  throw new AppError("unknown_tool", `There is no tool or namespace ${quoted}`, {
    hint: known,
  });
}

function isAtOrUnder(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

function withNamespaces(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => path.split(".").map((_, index, parts) => parts.slice(0, index + 1).join("."))),
  );
}
