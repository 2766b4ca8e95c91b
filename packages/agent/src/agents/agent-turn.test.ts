import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import type { Model, ModelEvent, ModelRequest } from "@deputy/model";
import { createPolicy } from "@deputy/policy";
import type { EventData } from "@deputy/protocol";
import { createMemoryTextFolder, type MemoryFiles } from "@deputy/testing";
import { type Catalogue, createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { createGate } from "../gate/gate.ts";
import { createGrantsView } from "../grants/grants-view.ts";
import { createTurnRunner } from "../turn/turn-runner.ts";
import { createAgentCatalogue } from "./agent-catalogue.ts";
import { createAgentRegistry, DEFAULT_AGENT_FILES } from "./agent-registry.ts";
import type { AgentSettings } from "./agent-settings.ts";

let checker: TypeChecker;
let sandbox: Sandbox;
const stripper = createNodeTypeStripper();

beforeAll(() => {
  checker = createNodeTypeChecker();
  sandbox = createWorkerSandbox();
});

afterAll(async () => {
  await checker[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const call = (name: string, input: unknown): ModelEvent[] => [
  { kind: "tool_call", id: "c1", name, inputJson: JSON.stringify(input) },
  { kind: "stop", reason: "tool_calls" },
];
const DONE: ModelEvent[] = [
  { kind: "text", text: "Done." },
  { kind: "stop", reason: "end" },
];

/** Turns of agents whose files lie in memory, over the tools of the fixture and some more. */
function setup(
  options: {
    readonly files?: MemoryFiles;
    readonly skills?: MemoryFiles;
    readonly agents?: Record<string, AgentSettings>;
    readonly answers?: readonly (readonly ModelEvent[])[];
    readonly tools?: Catalogue;
  } = {},
) {
  const base = setUpGate();
  const { log, keeper, redactor, clock, ids, approvals } = base;
  const { tools = base.catalogue, answers = [DONE] } = options;
  const shelves = [{ label: "skills", folder: createMemoryTextFolder(options.skills ?? {}) }];
  const registry = createAgentRegistry({
    folder: createMemoryTextFolder(options.files ?? {}),
    settings: { defaultAgent: "main", forAll: {}, bySlug: new Map(Object.entries(options.agents ?? {})) },
    shelvesOf: () => shelves,
  });
  const asked: ModelRequest[] = [];
  const model: Model = {
    ref: { provider: "test", model: "script" },
    async *stream(request) {
      asked.push(request);
      yield* answers[Math.min(asked.length, answers.length) - 1] ?? DONE;
    },
  };
  const turns = createTurnRunner({
    keeper,
    redactor,
    clock,
    ids,
    profileOf: async (agentId, signal) => {
      const agent = await registry.read(agentId, signal);
      const catalogue = createAgentCatalogue(tools, agent.tools, shelves);
      const shared = { log, catalogue, redactor, clock, ids, sha256 };
      const gate = createGate({
        ...shared,
        policy: createPolicy(),
        approvals,
        grants: createGrantsView(log),
      });
      const cells = createCellRunner({
        ...shared,
        gate,
        checker,
        stripper,
        sandbox,
        limits: DEFAULT_CELL_LIMITS,
      });
      return { ...agent, model, catalogue, cells };
    },
  });
  const start = async (agentId = "main", text = "hi") => {
    const turnId = ids.next("turn");
    const said = { text, attachments: [], channel: "test", sender: "me", trust: "user" as const };
    await log.append(base.stream, [{ type: "user.message", turnId, data: said }]);
    const turn = { stream: base.stream, turnId, agentId, sessionKey: "test" };
    return await turns.run(turn, new AbortController().signal);
  };
  const dataOf = async <T extends "call.requested" | "call.settled" | "cell.checked" | "turn.failed">(
    type: T,
  ) =>
    (await readAll(log, base.stream))
      .filter((event) => event.type === type)
      .map(({ data }) => data as EventData<T>);
  return { start, asked, dataOf, log, stream: base.stream };
}

test("[A60] a turn of an agent that is not there fails, in the log, and says what there is", async () => {
  const { start, dataOf, asked, log, stream } = setup({ files: { "ops/SOUL.md": "x" } });
  expect(await start("opps")).toMatchObject({ kind: "failed", code: "unknown_agent" });
  expect(await dataOf("turn.failed")).toMatchObject([{ message: "There is no agent “opps”." }]);
  expect((await readAll(log, stream)).map(({ type }) => type)).toEqual([
    "user.message",
    "turn.started",
    "turn.failed",
  ]);
  expect(asked).toEqual([]);
  expect(await start("ops")).toEqual({ kind: "completed" });
});

test("[A61] each turn has the files as they are at its start", async () => {
  const files: Record<string, string> = { "main/SOUL.md": "Be kind." };
  const { start, asked } = setup({ files });
  await start();
  files["main/SOUL.md"] = "Be brief.";
  files["main/USER.md"] = "Ann.";
  await start();
  const [before, after] = asked.map(({ system }) => system);
  expect(before).toContain("# SOUL.md\nBe kind.");
  expect(after).toContain("# SOUL.md\nBe brief.\n\n# USER.md\nAnn.");
});

test("[A65] a program that uses a tool outside of the agent's set does not typecheck", async () => {
  const code = "return await tools.notes.write({ text: 'x' });";
  const { start, dataOf } = setup({
    agents: { reader: { tools: ["notes.read"] } },
    answers: [call("run_code", { code }), DONE],
  });
  expect(await start("reader")).toEqual({ kind: "completed" });
  expect((await dataOf("cell.checked"))[0]?.diagnostics[0]?.message).toContain("write");
  expect(await dataOf("call.requested")).toEqual([]);
});

test("[A65] [A293] nor does its gate know it, nor its search, nor is it a function", async () => {
  const bySearch = setup({
    agents: { reader: { tools: ["notes.read"] } },
    answers: [call("search_tools", { query: "note" }), DONE],
  });
  await bySearch.start("reader");
  expect((await bySearch.dataOf("call.settled"))[0]).toMatchObject({ status: "succeeded" });
  expect(JSON.stringify(bySearch.asked[1]?.messages)).not.toContain("notes.write");

  const agents = { reader: { tools: ["notes.read"], mode: "functions" as const } };
  const byName = setup({ agents, answers: [call("notes_write", { text: "x" }), DONE] });
  expect(await byName.start("reader")).toEqual({ kind: "completed" });
  expect(JSON.stringify(byName.asked[1]?.messages)).toContain("There is no function of this name");
  expect(byName.asked[0]?.tools.map(({ name }) => name)).toEqual(["notes_read", "skill_list", "skill_read"]);
});

test("[A69] a prompt has the index only; the skill is read through the gate, and leaves a receipt", async () => {
  const text = "---\nname: pdf\ndescription: Reads PDFs\n---\nFirst, fold the page.";
  const code = "const { text } = await tools.skill.read({ name: 'pdf' });\nreturn text;";
  const { start, asked, dataOf } = setup({
    skills: { "pdf/SKILL.md": text },
    answers: [call("run_code", { code }), DONE],
  });
  expect(await start()).toEqual({ kind: "completed" });
  expect(asked[0]?.system).toContain("- pdf: Reads PDFs");
  expect(asked[0]?.system).not.toContain("fold");
  expect(await dataOf("call.requested")).toMatchObject([{ toolPath: "skill.read", input: { name: "pdf" } }]);
  expect(await dataOf("call.settled")).toMatchObject([{ status: "succeeded" }]);
  expect(JSON.stringify(asked[1]?.messages)).toContain("First, fold the page.");
});

test("[A70] the tools an agent has of Deputy only read", () => {
  const own = createAgentCatalogue(createCatalogue([]), ["**"], []).list();
  expect(own.map(({ path, effect, approval }) => ({ path, effect, approval }))).toEqual(
    ["deputy.describeTools", "deputy.searchTools", "skill.list", "skill.read"].map((path) => ({
      path,
      effect: "read",
      approval: "auto",
    })),
  );
});

const NEW_FILES = Object.fromEntries([...DEFAULT_AGENT_FILES].map(([name, text]) => [`main/${name}`, text]));
const manyTools = (count: number, namespaceOf: (n: number) => string): Catalogue => {
  const tree: Record<string, ToolTree[string]> = {};
  for (let n = 0; n < count; n++) {
    const tool = defineTool({
      description: `Operation ${n}`,
      approval: "auto",
      args: z.object({ owner: z.string(), limit: z.number().optional() }),
      run: () => n,
    });
    tree[namespaceOf(n)] = { ...(tree[namespaceOf(n)] as ToolTree | undefined), [`operation${n}`]: tool };
  }
  return createCatalogue([{ source: "many", tree }]);
};

test.each([
  ["no tools", 0, () => ""],
  ["500 tools of 10 services", 500, (n: number) => `service${n % 10}`],
  ["2,000 tools of 40 services", 2_000, (n: number) => `service${n % 40}`],
  ["2,000 tools, each of a service with a long name", 2_000, (n: number) => `service${n}`.padEnd(64, "x")],
])("[A66] with %s, “hi” costs at most 1,500 tokens", async (_what, count, namespaceOf) => {
  const { start, asked } = setup({ files: NEW_FILES, tools: manyTools(count, namespaceOf) });
  await start("main", "hi");
  const [request] = asked;
  const chars = [request?.system, JSON.stringify(request?.tools), JSON.stringify(request?.messages)].join(
    "",
  ).length;
  expect(request?.system).toContain("# AGENTS.md");
  expect(Math.ceil(chars / 4)).toBeLessThanOrEqual(1_500);
});
