import { resolve } from "node:path";
import { createSystemClock, makeVisible } from "@deputy/kit";
import type { MeaningSearch } from "@deputy/search/meaning";
import type { Catalogue } from "@deputy/tools";
import { AppError } from "../../app-error.ts";
import { toolSourcesOf } from "../../config/tool-source-schema.ts";
import { openHomeEmbedders } from "../../embedders/home-embedders.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadCatalogue } from "../../load-catalogue.ts";
import { openMeaning } from "../../sources/open-meaning.ts";
import { selectTools } from "./select-tools.ts";

/** How long a search waits for tools that have not been read by meaning yet. What was read is kept for the next one. */
const PATIENCE_MS = 3_000;

interface PluginOptions {
  readonly tools?: readonly string[];
}

/** `deputy tools list [NAMESPACE]`: how many tools each namespace has, or the tools at or under one. */
export async function listTools(
  invocation: Invocation,
  namespace: string | undefined,
  options: PluginOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const catalogue = await open(invocation, options);
  if (namespace !== undefined) {
    for (const path of selectTools(catalogue, [namespace])) tell(invocation, catalogue, path);
    return EXIT.done;
  }
  const counts = new Map<string, number>();
  for (const { path } of catalogue.list()) {
    const [name = path] = path.split(".", 1);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const longest = Math.max(0, ...[...counts.keys()].map((name) => name.length));
  for (const [name, count] of counts) {
    output.result(`${name.padEnd(longest)}  ${count === 1 ? "1 tool" : `${count} tools`}`);
    output.object({ type: "namespace", name, tools: count });
  }
  output.note("`deputy tools list NAMESPACE` shows its tools, `deputy tools search WORDS` finds some.");
  return EXIT.done;
}

/** `deputy tools search WORDS…`: as a model searches. */
export async function searchTools(
  invocation: Invocation,
  words: readonly string[],
  options: PluginOptions & { readonly limit: number },
): Promise<ExitCode> {
  const query = words.join(" ").trim();
  if (query === "")
    throw new AppError("usage", "There are no words to search for", {
      hint: "`deputy tools list` shows the namespaces there are.",
    });
  const { env, warn, output } = invocation;
  const home = openHome(invocation.homeDirectory, warn);
  const clock = createSystemClock();
  await using embedders = openHomeEmbedders({ home, env, clock, learn: () => undefined });
  const embedder = embedders.named(home.config.tools.search.embeddingModel);
  await using meaning =
    embedder &&
    openMeaning({
      home: home.directory,
      embedder: async () => embedder,
      clock,
      patienceMs: PATIENCE_MS,
      warn,
    });
  const catalogue = await open(invocation, options, meaning);
  const found = await catalogue.find(query, options.limit, invocation.signal);
  for (const { path } of found.tools) tell(invocation, catalogue, path);
  if (found.tools.length === 0) output.note("No matching tool.");
  if (found.why !== undefined) output.note(`Searched by words alone: ${makeVisible(found.why)}.`);
  return EXIT.done;
}

/** `deputy tools describe PATH…`: as a model reads it. */
export async function describeTools(
  invocation: Invocation,
  paths: readonly string[],
  options: PluginOptions & { readonly whole?: true },
): Promise<ExitCode> {
  const { output } = invocation;
  const catalogue = await open(invocation, options);
  const tools = selectTools(catalogue, paths);
  const declarations = catalogue.describe(tools, options.whole === true ? "whole" : "brief");
  output.result(declarations.trimEnd());
  output.object({ type: "types", tools, declarations });
  return EXIT.done;
}

async function open(
  invocation: Invocation,
  { tools = [] }: PluginOptions,
  meaning?: MeaningSearch,
): Promise<Catalogue> {
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const plugins = tools.map((plugin) => resolve(plugin));
  return await loadCatalogue([...toolSourcesOf(home.config), ...plugins], home, invocation, meaning);
}

function tell({ output }: Invocation, catalogue: Catalogue, path: string): void {
  const tool = catalogue.get(path);
  if (tool === undefined) return;
  const { description, effect, approval } = tool;
  const summary = description.split("\n", 1)[0] ?? "";
  const asks = approval === "required" ? ", asks" : "";
  output.result(`${path}  (${effect}${asks})  ${makeVisible(summary)}`);
  output.object({ type: "tool", path, description, effect, approval });
}
