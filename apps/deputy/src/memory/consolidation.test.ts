import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, ModelEvent } from "@deputy/model";
import { readEvent } from "@deputy/protocol";
import { expect, onTestFinished, test } from "vitest";
import { type Engine, openEngine } from "../engine.ts";
import { openHome } from "../home.ts";
import { consolidationTask } from "./consolidation.ts";

const live = new AbortController().signal;
const TOKENS = 1_000;
const usage: ModelEvent = { kind: "usage", usage: { inputTokens: TOKENS - 100, outputTokens: 100 } };
const says = (text: string): ModelEvent[] => [{ kind: "text", text }, usage, { kind: "stop", reason: "end" }];
const runs = (code: string): ModelEvent[] => [
  { kind: "tool_call", id: `c${Math.random()}`, name: "run_code", inputJson: JSON.stringify({ code }) },
  usage,
  { kind: "stop", reason: "tool_calls" },
];
const proposes = (proposal: object): ModelEvent[] =>
  runs(`return await tools.memory.propose(${JSON.stringify(proposal)});`);

/** A home with curated lines and notes of a day, whose model does what it is told, 1,000 tokens each time. */
async function setup(prices: object = {}) {
  const directory = mkdtempSync(join(tmpdir(), "deputy-condense-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const config = {
    memory: { embeddingModel: "none" },
    tools: { search: { embeddingModel: "none" } },
    prices,
  };
  writeFileSync(join(directory, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const folder = join(directory, "agents/main");
  mkdirSync(join(folder, "memory"), { recursive: true });
  const file = join(folder, "MEMORY.md");
  writeFileSync(file, "# Memory\n\n- I am Ada\n");
  writeFileSync(join(folder, "memory/2026-11-16.md"), "- The boiler was fixed by Ivo\n");
  const answers: ModelEvent[][] = [];
  let asked = 0;
  const model: Model = {
    ref: { provider: "test", model: "script" },
    async *stream() {
      asked++;
      yield* answers.shift() ?? says("Nothing is worth keeping.");
    },
  };
  const engine = await openEngine({
    home: openHome(directory, () => undefined),
    env: {},
    plugins: [],
    embedded: { model },
    secrets: [],
    signal: live,
    warn: () => undefined,
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(() => engine[Symbol.asyncDispose]());
  return { directory, engine, answers, file, asked: () => asked };
}

/** Runs a task to its end; says what was asked, and answers each question. */
async function run(
  engine: Engine,
  request: Parameters<Engine["tasks"]["create"]>[0],
  decision: "approved" | "denied",
) {
  const asked: { readonly stream: string; readonly preview: string }[] = [];
  const failures: string[] = [];
  const ended = new AbortController();
  const answering = (async () => {
    for await (const item of engine.log.subscribeAll({}, ended.signal)) {
      const read = readEvent(item.event);
      if (read.kind !== "known") continue;
      const { event } = read;
      if (event.type === "turn.failed") failures.push(JSON.stringify(event.data));
      if (event.type !== "approval.requested") continue;
      asked.push({ stream: item.event.stream, preview: JSON.stringify(event.data.preview) });
      await engine.approvals.resolve(event.data.approvalId, { decision }, "owner");
    }
  })().catch(() => undefined);
  const task = await engine.tasks.create(request);
  await expect
    .poll(async () => (await engine.tasks.get(task.id))?.status, { timeout: 90_000 })
    .toMatch(/succeeded|failed/);
  ended.abort();
  await answering;
  const questions = asked.filter(({ stream }) => stream === task.stream).map(({ preview }) => preview);
  return { questions, failures, task: await engine.tasks.get(task.id) };
}

test("[E640] condensing proposes lines with a diff: nothing curated is touched, a no changes nothing, a yes can be undone", async () => {
  const { engine, answers, file } = await setup();
  const before = readFileSync(file, "utf8");
  const line = { file: "MEMORY.md", text: "- Ivo repairs the boiler" };
  const search = runs('return await tools.memory.search({ query: "boiler" });');
  answers.push(search, proposes(line));
  const denied = await run(engine, consolidationTask({}), "denied");
  expect(denied.questions).toHaveLength(1);
  expect(denied.questions[0]).toContain("+- Ivo repairs the boiler");
  expect(readFileSync(file, "utf8")).toBe(before);

  answers.push(search, proposes(line));
  const agreed = await run(engine, consolidationTask({}), "approved");
  expect(agreed.task?.status).toBe("succeeded");
  expect(readFileSync(file, "utf8")).toMatch(/^# Memory\n\n- I am Ada\n- Ivo repairs the boiler/);
  const changes = await engine.memory?.changes({});
  const [{ changeId } = { changeId: "" }] = changes?.changes ?? [];
  expect(await engine.memory?.undo({ changeId }, "owner", live)).toEqual({ outcome: "undone" });
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("[E641] condensing stops when its budget is spent, before anything is asked", async () => {
  const { engine, answers, file, asked } = await setup();
  const before = readFileSync(file, "utf8");
  for (let at = 0; at < 5; at++) answers.push(runs('return await tools.memory.search({ query: "boiler" });'));
  answers.push(proposes({ file: "MEMORY.md", text: "- Too late" }));
  const { task, questions, failures } = await run(
    engine,
    consolidationTask({ tokens: 3 * TOKENS }),
    "approved",
  );
  expect(task?.status).toBe("failed");
  expect(failures.join()).toContain("budget_spent");
  expect(asked()).toBeLessThanOrEqual(4);
  expect(questions).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(consolidationTask({})).toMatchObject({ budget: { tokens: 40_000, calls: 30 } });
});

test("[E660] condensing stops when it has cost what it may; where no price is known, it does not begin", async () => {
  const { engine, answers, asked } = await setup({ "test/script": { input: 10, output: 10 } });
  for (let at = 0; at < 6; at++)
    answers.push(runs(`return await tools.memory.search({ query: "boiler ${at}" });`));
  // Each answer costs a cent.
  const spent = await run(engine, consolidationTask({ money: 0.03 }), "approved");
  expect(spent.task?.status).toBe("failed");
  expect(spent.failures.join()).toContain("its budget of $0.03 is spent");
  expect(asked()).toBe(3);
  expect(consolidationTask({ money: 0.03 })).toMatchObject({
    budget: { tokens: 40_000, calls: 30, money: 0.03 },
  });

  const unpriced = await setup();
  const refused = await run(unpriced.engine, consolidationTask({ money: 0.03 }), "approved");
  expect(refused.failures.join()).toContain("unknown_price");
  expect(unpriced.asked()).toBe(0);
});

test("[E642] HEARTBEAT.md, USER.md and skills are proposed with a diff, too, and a no leaves no file", async () => {
  const { directory, engine, answers } = await setup();
  const agent = (path: string): string => join(directory, "agents/main", path);
  const read = (path: string): string | undefined => {
    try {
      return readFileSync(agent(path), "utf8");
    } catch {
      return undefined;
    }
  };
  const skill = "---\nname: tea\ndescription: Makes tea\n---\nBoil water.";
  for (const [file, text] of [
    ["HEARTBEAT.md", "- Look whether the boiler still works"],
    ["USER.md", "- Ada lives in Graz"],
    ["skills/tea/SKILL.md", skill],
  ] as const) {
    const before = read(file);
    answers.push(proposes({ file, text }));
    const denied = await run(engine, { prompt: "Propose something" }, "denied");
    expect(denied.questions[0], file).toContain(JSON.stringify(`+${text.split("\n")[0]}`).slice(1, -1));
    expect(read(file), file).toBe(before);
    answers.push(proposes({ file, text }));
    await run(engine, { prompt: "Propose something" }, "approved");
    expect(read(file), file).toContain(text);
  }
  const changes = (await engine.memory?.changes({}))?.changes ?? [];
  expect(changes).toHaveLength(3);
  for (const { changeId } of changes) await engine.memory?.undo({ changeId }, "owner", live);
  expect(read("skills/tea/SKILL.md")).toBeUndefined();
  expect(read("HEARTBEAT.md") ?? "").not.toContain("boiler");
});
