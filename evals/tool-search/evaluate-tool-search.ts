import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { openCorpus } from "../openapi/corpus.ts";
import { formatTable } from "../table.ts";
import { FRESH_INTENTS } from "./fresh-intents.ts";
import { type Intent, type Intents, INTENTS } from "./intents.ts";
import { loadSpecs, SPECS, type SpecName } from "./specs.ts";

const AMONG_FIRST = 5;
const MIN_RECALL = 0.9;
const MAX_MISSES_SHOWN = 40;

/** How an intent fared: the place of the first right tool, from 1; undefined where none was among the first ten. */
export interface Finding {
  readonly service: SpecName;
  readonly text: string;
  readonly place: number | undefined;
  readonly found: readonly string[];
}

/**
 * How often the right tool is among the first five, with all services registered together. Prints a table; resolves
 * with whether the target holds for the intents that the search was tuned by; how others fare is told beside it. Skipped where there are no specs, and says so; where DEPUTY_CI is set, that fails.
 */
export async function evaluateToolSearch(): Promise<boolean> {
  let directory: string;
  try {
    directory = await openCorpus();
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    console.log(`SKIPPED tool-search: the specs could not be had from the npm registry (${why}).`);
    return process.env["DEPUTY_CI"] === undefined;
  }
  const services = Object.keys(SPECS).filter(isService);
  const catalogue = await loadSpecs(directory, services);
  const findings = findAll(catalogue, services, INTENTS);
  const fresh = findAll(catalogue, services, FRESH_INTENTS);
  console.log(
    `\nTool search: ${findings.length} intents over ${catalogue.list().length} tools of ${services.length} specs`,
  );
  const rows = Object.entries({ tuned: findings, fresh }).map(([part, found]) => [
    part,
    found.length,
    recallAt(found, 1).toFixed(3),
    recallAt(found, AMONG_FIRST).toFixed(3),
    recallAt(found, 10).toFixed(3),
  ]);
  console.log(formatTable(["intents", "count", "recall@1", "recall@5", "recall@10"], rows));
  // Of the fresh ones only the number is told: whoever reads them has looked at them.
  const misses = findings.filter(({ place }) => place === undefined || place > AMONG_FIRST);
  for (const { service, text, found } of misses.slice(0, MAX_MISSES_SHOWN))
    console.log(`  missed (${service}) “${text}”: ${found.slice(0, 3).join(", ")}`);
  const holds = recallAt(findings, AMONG_FIRST) >= MIN_RECALL;
  console.log(`\ntool-search: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

export function recallAt(findings: readonly Finding[], among: number): number {
  return findings.filter(({ place }) => place !== undefined && place <= among).length / findings.length;
}

export function findAll(
  catalogue: Catalogue,
  services: readonly SpecName[],
  intents: Intents,
): readonly Finding[] {
  return services.flatMap((service) => intents[service].map((intent) => find(catalogue, service, intent)));
}

function find(catalogue: Catalogue, service: SpecName, [text, ...accepted]: Intent): Finding {
  const tests = accepted.map((pattern) => readPattern(service, pattern));
  const isRight = (tool: CatalogueTool): boolean => {
    const operation = tool.description.split("\n").at(-1) ?? "";
    return tests.some((test) => tool.path.startsWith(`${test.service}.`) && test.operation.test(operation));
  };
  if (!catalogue.list().some(isRight)) throw new Error(`No operation does “${text}”`);
  const found = catalogue.search(text, 10);
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

function isService(name: string): name is SpecName {
  return Object.hasOwn(SPECS, name);
}
