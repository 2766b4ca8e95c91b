import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTurnKeeper } from "@deputy/agent";
import { type CellRunner, createTurnRunner } from "@deputy/agent/turns";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createProfiles } from "@deputy/engine/profiles";
import type { Model, ModelRequest } from "@deputy/model";
import { createRedactor } from "@deputy/secrets";
import { createToolSearch } from "@deputy/search";
import { createMemoryEventLog } from "@deputy/testing";
import { type Catalogue, createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { openAgents } from "../apps/deputy/src/agents/open-agents.ts";
import { seedAgents } from "../apps/deputy/src/agents/seed-agents.ts";
import { openHome } from "../apps/deputy/src/home.ts";
import { openCorpus } from "../evals/openapi/corpus.ts";
import { loadSpecs, pickSpecs } from "../evals/tool-search/specs.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

export const PROMPT_LIMIT_TOKENS = 900;
const CHARS_PER_TOKEN = 4;
const SERVICES = 40;

/** What “hi” costs on a new installation, with none and with many tools. */
export async function benchPrompt(): Promise<void> {
  const rows = [
    ["no tools", 0, "few"],
    ["500 tools", 500, "few"],
    ["2,000 tools", 2_000, "few"],
    ["2,000 tools of 2,000 services", 2_000, "many"],
  ] as const;
  for (const [what, count, services] of rows) {
    const { tokens } = await measurePrompt(count, services);
    reportLimit(`prompt for “hi”, ${what}`, tokens, "tokens", PROMPT_LIMIT_TOKENS);
  }
  await benchRealServices();
}

const SERVICES_OF_A_USER = sized(
  ["github", "stripe", "slack", "notion", "microsoft"] as const,
  ["github"] as const,
);
const DECLARATIONS_LIMIT_BYTES = 6_144;
/** What a model requests when it has to close stale issues, and what it then reads. */
const STALE_ISSUES = {
  queries: ["list the open issues of a github repository", "close a github issue"],
  read: ["github.issues.listForRepo", "github.issues.update"],
};

/** The same with the public specs of five services, and what a task costs then beside sending all schemas. */
async function benchRealServices(): Promise<void> {
  let directory: string;
  try {
    directory = await openCorpus();
  } catch {
    console.log("SKIPPED prompt with real services: the specs could not be had from the npm registry.");
    return;
  }
  const catalogue = await loadSpecs(directory, pickSpecs(SERVICES_OF_A_USER));
  const { tokens } = await measureRequest(catalogue);
  const what = `${SERVICES_OF_A_USER.length} services, ${catalogue.list().length} tools`;
  reportLimit(`prompt for “hi”, ${what}`, tokens, "tokens", PROMPT_LIMIT_TOKENS);
  const { search } = createToolSearch(catalogue.list());
  const found = new Set(STALE_ISSUES.queries.flatMap((query) => search(query, 10)).map(({ path }) => path));
  const missing = STALE_ISSUES.read.filter((path) => !found.has(path));
  if (missing.length > 0) console.log(`  NOT FOUND among the first ten: ${missing.join(", ")}`);
  const declarations = catalogue.describe(STALE_ISSUES.read);
  reportLimit("declarations to close stale issues", declarations.length, "bytes", DECLARATIONS_LIMIT_BYTES);
  const all = schemaBytes(catalogue);
  const used = tokens * CHARS_PER_TOKEN + declarations.length;
  console.log(
    `all tools as JSON Schema: ${(all / 1e6).toFixed(1)} MB; with search and describe ${used} bytes: ${(100 * (1 - used / all)).toFixed(3)} % less`,
  );
}

/** What a request with one function per tool would send: names, descriptions and inputs. */
function schemaBytes(catalogue: Catalogue): number {
  let bytes = 0;
  for (const { path, description, inputSchema } of catalogue.list())
    bytes += JSON.stringify({ name: path, description, parameters: inputSchema }).length;
  return bytes;
}

/** The whole request of a turn, and its size: system, tools and messages. */
export async function measurePrompt(
  toolCount: number,
  services: "few" | "many" = "few",
): Promise<{ readonly request: ModelRequest; readonly tokens: number }> {
  return await measureRequest(inventTools(toolCount, services));
}

async function measureRequest(
  tools: Catalogue,
): Promise<{ readonly request: ModelRequest; readonly tokens: number }> {
  const directory = mkdtempSync(join(tmpdir(), "deputy-prompt-"));
  try {
    const request = await firstRequest(directory, tools);
    const { system, tools: offered, messages } = request;
    const chars = system.length + JSON.stringify(offered).length + JSON.stringify(messages).length;
    return { request, tokens: Math.ceil(chars / CHARS_PER_TOKEN) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function firstRequest(directory: string, tools: Catalogue): Promise<ModelRequest> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const asked: ModelRequest[] = [];
  const model: Model = {
    ref: { provider: "bench", model: "listener" },
    async *stream(request) {
      asked.push(request);
      yield { kind: "text", text: "Hello." };
      yield { kind: "stop", reason: "end" };
    },
  };
  const agents = openAgents(
    openHome(directory, () => undefined),
    directory,
  );
  const { defaultAgent } = agents.settings;
  seedAgents(agents.directory, [defaultAgent], () => undefined);
  const profileOf = createProfiles({
    agents,
    tools,
    warn: (text) => console.error(text),
    cellsOver: () => NO_CELLS,
    modelOf: () => model,
  });
  const redactor = createRedactor([]);
  const keeper = createTurnKeeper({ log, owner: "bench", clock, redactor });
  const surroundings = {
    zone: "Europe/Vienna",
    user: { name: "Ada", language: "German" },
    now: clock.now,
    reporters: () => ({ hooks: ["builds"], mailboxes: ["mail"], folders: [] }),
  };
  const turns = createTurnRunner({ keeper, profileOf, redactor, clock, ids, surroundings });
  const turn = {
    stream: ids.next("session"),
    turnId: ids.next("turn"),
    agentId: defaultAgent,
    sessionKey: "bench",
  };
  const said = { text: "hi", attachments: [], channel: "cli", sender: "owner", trust: "user" as const };
  await log.append(turn.stream, [{ type: "user.message", turnId: turn.turnId, data: said }]);
  await turns.run(turn, new AbortController().signal);
  const [request] = asked;
  if (request === undefined) throw new Error("The model was not asked");
  return request;
}

function inventTools(count: number, services: "few" | "many"): Catalogue {
  const tree: Record<string, ToolTree> = {};
  for (let n = 0; n < count; n++) {
    const service = services === "few" ? `service${n % SERVICES}` : `service_${n}`.padEnd(64, "x");
    const operation = defineTool({
      description: `Operation ${n} on records. Use it to find what somebody asked for.`,
      approval: "auto",
      args: z.object({ owner: z.string(), limit: z.int().optional() }),
      run: () => n,
    });
    tree[service] = { ...tree[service], [`operation${n}`]: operation };
  }
  return createCatalogue([{ source: "bench", tree }]);
}

function neverRun(): never {
  throw new Error("Nothing is run here");
}

const NO_CELLS: CellRunner = { run: neverRun, draft: neverRun, proceed: neverRun, resume: neverRun };
