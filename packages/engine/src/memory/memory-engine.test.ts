import { plainText, SuspendRequest } from "@deputy/agent";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { setUp } from "../engine.fixture.ts";
import { playScenario, SCENARIO_PROMPT } from "../test/play-scenario.ts";
import { openMemoryEngine } from "./index.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

test("[N1] an engine in memory is one call", async () => {
  const { options } = setUp({ files: { "main/AGENTS.md": "Write short notes." }, secrets: ["sk-hidden-1"] });
  await using engine = await openMemoryEngine(options);
  const played = await playScenario(engine, { decision: "approved" });
  expect(played.said).toContain('"notes":1');
  const agent = await engine.agents.read("main", options.signal);
  expect(plainText(agent.instructions)).toContain("Write short notes.");
  expect(engine.redact("it is sk-hidden-1")).not.toContain("sk-hidden-1");
  expect((await engine.log.verify()).damage).toEqual([]);
});

test("[N2] does not ask about what the policy denies", async () => {
  const { options, notebook } = setUp({ policy: { deny: ["notes.write"] } });
  await using engine = await openMemoryEngine(options);
  expect((await playScenario(engine, { decision: "approved" })).asked).toEqual([]);
  expect(notebook.written).toEqual([]);
});

test("[N8] a waiting task runs each time it is due, even across a question that stays open for long", async () => {
  const clock = createFakeClock({ startMs: Date.parse("2026-03-01T08:00:00Z") });
  const { options, notebook, bugs } = setUp({ clock });
  await using engine = await openMemoryEngine(options);
  await engine.repeating.keep();
  const task = await engine.tasks.create({ prompt: SCENARIO_PROMPT, schedule: "0 9 * * * UTC" });
  const count = async (type: string) =>
    (await Array.fromAsync(engine.log.read(task.stream))).filter((event) => event.type === type).length;
  const answer = async () => {
    await expect.poll(async () => (await engine.approvals.pending()).length).toBe(1);
    const [request] = await engine.approvals.pending();
    if (request !== undefined) await engine.approvals.resolve(request.id, { decision: "approved" }, "me");
  };

  await clock.advance(HOUR);
  await expect.poll(async () => (await engine.approvals.pending()).length).toBe(1);
  // Long enough for the turn to be released.
  await clock.advance(10 * MINUTE);
  await answer();
  await expect.poll(() => count("turn.completed")).toBe(1);
  await clock.advance(24 * HOUR);
  await answer();
  await expect.poll(() => count("turn.completed")).toBe(2);
  expect(notebook.written).toEqual(["milk", "milk"]);

  expect((await engine.tasks.cancel(task.id, "me")).kind).toBe("cancelled");
  await clock.advance(48 * HOUR);
  expect(await count("task.fired")).toBe(2);
  expect(bugs).toEqual([]);
});

test("[N8] a task cancelled while its firing waits for an answer ends", async () => {
  const clock = createFakeClock({ startMs: Date.parse("2026-03-01T08:00:00Z") });
  const { options, notebook } = setUp({ clock });
  await using engine = await openMemoryEngine(options);
  await engine.repeating.keep();
  const task = await engine.tasks.create({ prompt: SCENARIO_PROMPT, schedule: "in 5 minutes" });
  await clock.advance(6 * MINUTE);
  await expect.poll(async () => (await engine.approvals.pending()).length).toBe(1);
  await engine.tasks.cancel(task.id, "me");
  await expect.poll(async () => (await engine.tasks.get(task.id))?.status).toBe("cancelled");
  expect(notebook.written).toEqual([]);
});

test("[N9] disposing suspends running turns, and ends subscriptions", async () => {
  const { options, bugs } = setUp();
  const engine = await openMemoryEngine(options);
  const subscribed = Array.fromAsync(engine.log.subscribeAll({}, new AbortController().signal));
  const { done } = await engine.tasks.start({ prompt: SCENARIO_PROMPT });
  const broken = expect(done).rejects.toBeInstanceOf(SuspendRequest);
  await expect.poll(async () => (await engine.approvals.pending()).length).toBe(1);
  await engine[Symbol.asyncDispose]();
  await broken;
  const types = (await subscribed).map(({ event }) => event.type);
  expect(types).toContain("approval.requested");
  expect(types).not.toContain("turn.failed");
  await expect(engine.log.head("system")).rejects.toMatchObject({ code: "log_closed" });
  expect(bugs).toEqual([]);
});
