import { createCatalogue, ToolsError } from "@deputy/tools";
import { expect, test } from "vitest";
import { setUp } from "./engine.fixture.ts";
import { playScenario, SCENARIO_PROMPT } from "./test/play-scenario.ts";

const PROGRAM = { code: "return await tools.notes.list({})", language: "typescript" } as const;

test("[N1] a message becomes a program, a question, and after a yes an answer", async () => {
  const { assemble, notebook, bugs } = setUp();
  const { outcome, asked, types, said } = await playScenario(await assemble(), { decision: "approved" });
  expect([outcome, asked, notebook.written]).toEqual(["completed", ["Write “milk”"], ["milk"]]);
  // Timing decides whether the cell is put aside while the question is open.
  const steps = types.filter((type) => type !== "cell.suspended");
  expect(steps.filter((type) => /^(cell|call|approval|turn|task)\./.test(type))).toEqual([
    "task.created",
    "turn.started",
    "cell.submitted",
    "cell.checked",
    "call.requested",
    "call.decided",
    "approval.requested",
    "approval.resolved",
    "call.started",
    "call.settled",
    "call.requested",
    "call.decided",
    "call.started",
    "call.settled",
    "cell.completed",
    "turn.completed",
    "task.completed",
  ]);
  expect(said).toContain('{"notes":1,"all":["milk"]}');
  expect(bugs).toEqual([]);
});

test("[N1] a program that does not typecheck goes back to the model, and nothing has run", async () => {
  const { assemble, notebook } = setUp();
  const engine = await assemble();
  const prompt = SCENARIO_PROMPT.replace('"milk"', "7");
  const { types, asked } = await playScenario(engine, { decision: "approved" }, prompt);
  expect(types).toContain("cell.checked");
  expect([types.includes("call.requested"), asked, notebook.written]).toEqual([false, [], []]);
});

test("[N1] a message to a session is answered in its turn", async () => {
  const { assemble } = setUp();
  const engine = await assemble();
  const request = { key: "page--one", agentId: engine.defaultAgent, channel: "page" };
  const { session } = await engine.sessions.open(request, new AbortController().signal);
  await engine.conversations.send({
    session: session.id,
    text: "Hello",
    channel: "page",
    sender: "me",
    trust: "user",
  });
  const types = async () => (await Array.fromAsync(engine.log.read(session.id))).map(({ type }) => type);
  await expect.poll(types).toContain("turn.completed");
  expect(await types()).toContain("assistant.message");
});

test("[N2] a denied call does not run, and the model is told", async () => {
  const { assemble, notebook } = setUp();
  const { types, said } = await playScenario(await assemble(), { decision: "denied", reason: "no milk" });
  expect(notebook.written).toEqual([]);
  expect(types).not.toContain("call.started");
  expect(said).toContain("denied");
});

test("[N3] opens the turns' resources once, with the first turn, and closes them with the engine", async () => {
  const { ports, assemble } = setUp();
  const happened: string[] = [];
  const openTurns: typeof ports.openTurns = async (services) => {
    happened.push("opened");
    const turns = await ports.openTurns(services);
    return {
      ...turns,
      async [Symbol.asyncDispose]() {
        await turns[Symbol.asyncDispose]();
        happened.push("closed");
      },
    };
  };
  const idle = await assemble({ openTurns });
  await idle[Symbol.asyncDispose]();
  expect(happened).toEqual([]);
  const engine = await assemble({ openTurns });
  const play = () => playScenario(engine, { decision: "approved" });
  await Promise.all([play(), engine.catalogue(), engine.programTools()]);
  await engine[Symbol.asyncDispose]();
  expect(happened).toEqual(["opened", "closed"]);
});

test("[N3] a resource that cannot be opened fails that turn, and the next one tries again", async () => {
  const { ports, assemble } = setUp();
  let tries = 0;
  const engine = await assemble({
    async openTurns(services) {
      tries += 1;
      if (tries === 1) throw new ToolsError("plugin_not_found", "lamp.ts is not there");
      return await ports.openTurns(services);
    },
  });
  expect((await playScenario(engine, { decision: "approved" })).outcome).toBe("failed");
  expect((await playScenario(engine, { decision: "approved" })).outcome).toBe("completed");
});

test("[N4] the engine does not open if an eager resource cannot be opened", async () => {
  const { ports, assemble } = setUp();
  const closed: string[] = [];
  const broken = assemble({
    turnsOpen: "at once",
    openTurns: () => Promise.reject(new ToolsError("plugin_not_found", "lamp.ts is not there")),
  });
  await expect(broken).rejects.toMatchObject({ code: "plugin_not_found" });
  const brokenTools = assemble({
    turnsOpen: "at once",
    openTurns: async (services) => ({
      ...(await ports.openTurns(services)),
      tools: () => Promise.reject(new ToolsError("duplicate_tool", "Two lamps")),
      [Symbol.asyncDispose]: async () => void closed.push("ports"),
    }),
  });
  await expect(brokenTools).rejects.toMatchObject({ code: "duplicate_tool" });
  expect(closed).toEqual(["ports"]);
});

test("[N5] tools have the services from the first moment", async () => {
  const { ports, assemble } = setUp();
  const engine = await assemble({
    turnsOpen: "at once",
    async openTurns(services) {
      await services.tasks.create({ prompt: "Hello" });
      expect(await services.sessions.list({ limit: 10, which: "conversations" })).toEqual([]);
      expect(await services.reminders.list()).toEqual([]);
      return await ports.openTurns(services);
    },
  });
  await expect.poll(async () => (await engine.tasks.list())[0]?.status).toBe("succeeded");
});

test("[N6] a turn keeps its tools; the next one has the current ones", async () => {
  const { ports, assemble, notebook } = setUp();
  const none = createCatalogue([]);
  let hasTools = true;
  const engine = await assemble({
    async openTurns(services) {
      const turns = await ports.openTurns(services);
      const gone = { all: none, programs: none };
      return { ...turns, tools: async () => (hasTools ? await turns.tools() : gone) };
    },
  });
  const { done } = await engine.tasks.start({ prompt: SCENARIO_PROMPT });
  await expect.poll(async () => (await engine.approvals.pending()).length).toBe(1);
  hasTools = false;
  const [request] = await engine.approvals.pending();
  if (request !== undefined) await engine.approvals.resolve(request.id, { decision: "approved" }, "me");
  expect([(await done).kind, notebook.written]).toEqual(["completed", ["milk"]]);
  expect((await playScenario(engine, { decision: "approved" })).types).not.toContain("call.started");
  expect(await engine.catalogue()).toBe(none);
});

test("[N7] a program runs over the tools for programs, and over those of its plugins while it runs", async () => {
  const { ports, assemble, notebook } = setUp();
  const happened: string[] = [];
  const engine = await assemble({
    openTurns: async (services) => ({
      ...(await ports.openTurns(services)),
      plugins: {
        async open(files) {
          happened.push(`open ${[...files].join()}`);
          return {
            catalogue: createCatalogue([notebook.source]),
            rest: async () => void happened.push("rest"),
          };
        },
        assertLoaded: () => undefined,
      },
    }),
  });
  for (const plugins of [[], ["lamp.ts"]]) {
    const { task, done } = await engine.tasks.start({ prompt: "", program: { ...PROGRAM, plugins } });
    expect((await done).kind).toBe("completed");
    expect((await engine.tasks.get(task.id))?.status).toBe("succeeded");
  }
  expect(happened).toEqual(["open lamp.ts", "rest"]);
});

test("[N7] without the port, refuses a program with plugins, and writes nothing", async () => {
  const { assemble } = setUp();
  const engine = await assemble();
  const started = engine.tasks.start({ prompt: "", program: { ...PROGRAM, plugins: ["lamp.ts"] } });
  await expect(started).rejects.toMatchObject({ code: "plugin_not_found" });
  expect(await engine.tasks.list()).toEqual([]);
});
