import { createToolSearch, type ToolSearch } from "@deputy/search";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { openCorpus } from "../openapi/corpus.ts";
import { formatTable } from "../table.ts";
import { DEVELOPMENT_INTENTS } from "./development-intents.ts";
import { FRESH_INTENTS } from "./fresh-intents.ts";
import { FURTHER_INTENTS } from "./further-intents.ts";
import { HELD_BACK_INTENTS } from "./held-back-intents.ts";
import { type Intent, type Intents, INTENTS } from "./intents.ts";
import { DEVELOPMENT_SPECS, FURTHER_SPECS, HELD_BACK_SPECS, loadSpecs, SPECS, TRADE_SPECS } from "./specs.ts";
import { TRADE_INTENTS } from "./trade-intents.ts";

const AMONG_FIRST = 5;
/** Of sets whose misses nobody has looked at. What the search was made with shows how well it was fitted, no more. */
const MIN_RECALL = { fresh: 0.85, "held back": 0.7 } as const;
const MAX_MISSES_SHOWN = 40;

/** How an intent fared: the place of the first right tool, from 1; undefined where none was among the first ten. */
export interface Finding {
  readonly service: string;
  readonly text: string;
  readonly place: number | undefined;
  readonly found: readonly string[];
}

/**
 * How often the right tool is among the first five, with all services of a set registered together. Prints a table and
 * resolves with whether the targets hold. Skipped where there are no specs, and says so; where DEPUTY_CI is set, that
 * fails. A smoke asks for the intents that were held back alone, whose target must hold as in full.
 */
export async function evaluateToolSearch(size: "full" | "smoke"): Promise<boolean> {
  let directory: string;
  try {
    directory = await openCorpus();
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    console.log(`SKIPPED tool-search: the specs could not be had from the npm registry (${why}).`);
    return process.env["DEPUTY_CI"] === undefined;
  }
  if (size === "smoke") {
    const found = findAll(await loadSpecs(directory, HELD_BACK_SPECS), HELD_BACK_INTENTS);
    const recall = recallAt(found, AMONG_FIRST);
    console.log(`tool-search: recall@${AMONG_FIRST} of the intents held back ${recall.toFixed(3)}`);
    return recall >= MIN_RECALL["held back"];
  }
  const catalogues = {
    first: await loadSpecs(directory, SPECS),
    second: await loadSpecs(directory, DEVELOPMENT_SPECS),
    third: await loadSpecs(directory, FURTHER_SPECS),
    fourth: await loadSpecs(directory, HELD_BACK_SPECS),
    fifth: await loadSpecs(directory, TRADE_SPECS),
  };
  const findings = {
    tuned: findAll(catalogues.first, INTENTS),
    development: findAll(catalogues.second, DEVELOPMENT_INTENTS),
    "further development": findAll(catalogues.third, FURTHER_INTENTS),
    fresh: findAll(catalogues.first, FRESH_INTENTS),
    "held back": findAll(catalogues.fourth, HELD_BACK_INTENTS),
    "other trades": findAll(catalogues.fifth, TRADE_INTENTS),
  };
  const sizes = Object.values(catalogues).map((catalogue) => catalogue.list().length);
  console.log(`\nTool search: catalogues of ${sizes.join(", ")} tools`);
  const rows = Object.entries(findings).map(([part, found]) => [
    part,
    found.length,
    recallAt(found, 1).toFixed(3),
    recallAt(found, AMONG_FIRST).toFixed(3),
    recallAt(found, 10).toFixed(3),
  ]);
  console.log(formatTable(["intents", "count", "recall@1", "recall@5", "recall@10"], rows));
  // Of the others only the number is told: whoever reads their misses has looked at them.
  const misses = [...findings.tuned, ...findings.development].filter(
    ({ place }) => place === undefined || place > AMONG_FIRST,
  );
  for (const { service, text, found } of misses.slice(0, MAX_MISSES_SHOWN))
    console.log(`  missed (${service}) “${text}”: ${found.slice(0, 3).join(", ")}`);
  const holds =
    recallAt(findings.fresh, AMONG_FIRST) >= MIN_RECALL.fresh &&
    recallAt(findings["held back"], AMONG_FIRST) >= MIN_RECALL["held back"];
  console.log(`\ntool-search: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

export function recallAt(findings: readonly Finding[], among: number): number {
  return findings.filter(({ place }) => place !== undefined && place <= among).length / findings.length;
}

export function findAll(catalogue: Catalogue, intents: Intents): readonly Finding[] {
  const tools = catalogue.list();
  const { search } = createToolSearch(tools);
  const operations = new Map(tools.map((tool) => [tool, tool.description.split("\n").at(-1) ?? ""]));
  return Object.entries(intents).flatMap(([service, each]) =>
    each.map((intent) => find(tools, search, operations, service, intent)),
  );
}

function find(
  tools: readonly CatalogueTool[],
  search: ToolSearch<CatalogueTool>["search"],
  operations: ReadonlyMap<CatalogueTool, string>,
  service: string,
  [text, ...accepted]: Intent,
): Finding {
  const tests = accepted.map((pattern) => readPattern(service, pattern));
  const isRight = (tool: CatalogueTool): boolean =>
    tests.some(
      (test) => tool.path.startsWith(`${test.service}.`) && test.operation.test(operations.get(tool) ?? ""),
    );
  if (!tools.some(isRight)) throw new Error(`No operation does “${text}”`);
  const found = search(text, 10);
  const at = found.findIndex(isRight);
  return { service, text, place: at < 0 ? undefined : at + 1, found: found.map(({ path }) => path) };
}

function readPattern(
  service: string,
  pattern: string,
): { readonly service: string; readonly operation: RegExp } {
  const [, other, operation = ""] = /^(?:(\w+): )?(.*)$/.exec(pattern) ?? [];
  const source = RegExp.escape(operation).replaceAll("\\{\\}", "\\{[^{}]*\\}").replaceAll("\\*", ".*");
  return { service: other ?? service, operation: new RegExp(`^${source}$`) };
}
