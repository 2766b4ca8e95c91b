import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import type { Model, ModelEvent, ModelMessage, ModelRef, ModelRequest, Price } from "@deputy/model";
import { parseModelRef } from "@deputy/model/ref";
import { type ApprovalId, EventLogError } from "@deputy/protocol";
import { defineTool, type ToolTree } from "@deputy/tools";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { nextEvent, readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import type { AgentMode } from "./offer.ts";
import { StopRequest, SuspendRequest } from "./stop-request.ts";
import type { TurnBudget } from "../budget/turn-limits.ts";
import { createTurnRunner } from "./turn-runner.ts";

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

/** A model that says what it is told to, one answer per call, and remembers what it was asked. */
function scriptModel(
  answers: readonly (readonly ModelEvent[] | Error)[],
): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    ref: { provider: "test", model: "script" },
    asked,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(request);
      if (answer instanceof Error) throw answer;
      yield* answer;
    },
  };
}

const say = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "usage", usage: { inputTokens: 0, outputTokens: 0 } },
  { kind: "stop", reason: "end" },
];
const program = (code: string, id = "p1"): ModelEvent[] => [
  { kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code }) },
  { kind: "usage", usage: { inputTokens: 10, outputTokens: 2 } },
  { kind: "stop", reason: "tool_calls" },
];

function setup(
  answers: readonly (readonly ModelEvent[] | Error)[],
  agent: {
    readonly mode?: AgentMode;
    readonly budget?: TurnBudget;
    readonly ref?: ModelRef;
    readonly modelCalls?: number;
    readonly extra?: ToolTree;
    readonly prices?: Readonly<Record<string, Price>>;
  } = {},
) {
  const { extra = {}, prices = {} } = agent;
  const base = setUpGate({ extra, prices });
  const { log, keeper, catalogue, redactor, gate, clock, ids } = base;
  const cells = createCellRunner({
    log,
    catalogue,
    checker,
    stripper,
    sandbox,
    gate,
    redactor,
    clock,
    ids,
    sha256,
    limits: DEFAULT_CELL_LIMITS,
  });
  const scripted = scriptModel(answers);
  const model = { ...scripted, ref: agent.ref ?? scripted.ref };
  const { mode = "code", budget = {} } = agent;
  const limits = { modelCalls: agent.modelCalls ?? 5, typecheckAttempts: 3, outputTokens: 1_000, budget };
  const profile = { model, mode, limits, catalogue, cells, instructions: [] };
  const turns = createTurnRunner({ keeper, profileOf: async () => profile, redactor, clock, ids, prices });
  const turn = { stream: base.stream, turnId: base.turnId, agentId: "main", sessionKey: "test" };
  const start = async (signal = new AbortController().signal) => {
    const said = { text: "Do it", attachments: [], channel: "test", sender: "me", trust: "user" as const };
    await log.append(base.stream, [{ type: "user.message", data: said }]);
    return await turns.run(turn, signal);
  };
  const again = () => turns.run(turn, new AbortController().signal);
  return { ...base, model, start, again, turns, turn };
}

const toolTexts = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap((message) =>
    message.role === "tool" ? message.results.map((result) => result.text) : [],
  );

test("[A13] asks, runs the program, tells what came of it, ends with text", async () => {
  const code = "const note: { text: string } = await tools.notes.read({});\nreturn note.text.length;";
  const { start, model, log, stream } = setup([program(code), say("Done.")]);
  expect(await start()).toEqual({ kind: "completed" });
  expect(toolTexts(model.asked[1]?.messages ?? [])).toEqual([expect.stringContaining("Result: 35")]);
  const events = await readAll(log, stream);
  expect(events.map((event) => event.type)).toEqual([
    "user.message",
    "turn.started",
    "cell.submitted",
    "cell.checked",
    "call.requested",
    "call.decided",
    "call.started",
    "call.settled",
    "cell.completed",
    "assistant.message",
    "turn.completed",
  ]);
  expect(events.at(-1)?.data).toMatchObject({ usage: { inputTokens: 10, outputTokens: 2, modelCalls: 2 } });
});

test("[A14] a program that does not typecheck is not run; the model may mend it", async () => {
  const wrong = program('await tools.notes.write({ txt: "hi" });', "p1");
  const { start, model, world } = setup([wrong, program("return 1;", "p2"), say("Mended.")]);
  expect(await start()).toEqual({ kind: "completed" });
  expect(world).toEqual([]);
  expect(toolTexts(model.asked[1]?.messages ?? [])[0]).toMatch(/does not typecheck[\s\S]*line 1/);
});

test("[A14] after three failures in a row the turn fails", async () => {
  const { start, model } = setup([program("return nothing;")]);
  expect(await start()).toMatchObject({ kind: "failed", code: "typecheck_failed" });
  expect(model.asked).toHaveLength(3);
});

test("[A15] a turn without end is stopped", async () => {
  const { start, model } = setup([program("return 1;")]);
  expect(await start()).toMatchObject({ kind: "failed", code: "turn_limit" });
  expect(model.asked).toHaveLength(5);
});

test.each([
  ["a tool it was not offered", [{ kind: "tool_call", id: "x", name: "bash", inputJson: "{}" }]],
  ["arguments that are not JSON", [{ kind: "tool_call", id: "x", name: "run_code", inputJson: "{" }]],
  ["no program", [{ kind: "tool_call", id: "x", name: "run_code", inputJson: '{"code":1}' }]],
] satisfies [string, ModelEvent[]][])("[A16] a model that sends %s is told so", async (_what, answer) => {
  const mended = setup([answer, say("I see.")]);
  expect(await mended.start()).toEqual({ kind: "completed" });
  expect(toolTexts(mended.model.asked[1]?.messages ?? [])).toEqual([
    expect.stringMatching(
      /^Nothing was run\. (There is no function|The arguments are not JSON|run_code takes)/,
    ),
  ]);
  const stubborn = setup([answer]);
  expect(await stubborn.start()).toMatchObject({ kind: "failed", code: "model_misbehaved" });
  expect(stubborn.model.asked).toHaveLength(3);
});

test("[A16] what a model is told of its nonsense, a provider takes back", async () => {
  const odd: ModelEvent[] = [{ kind: "tool_call", id: "x", name: "do it; now!", inputJson: "[1" }];
  const { start, model } = setup([odd, say("I see.")]);
  await start();
  const calls = model.asked[1]?.messages.flatMap((message) =>
    message.role === "assistant" ? message.parts.filter((part) => part.kind === "tool_call") : [],
  );
  expect(calls).toEqual([{ kind: "tool_call", id: "x", name: "do_it__now_", inputJson: '{"(sent)":"[1"}' }]);
});

test("[A16] a model that does the same over and over, with the same outcome, is stopped", async () => {
  const { start, model } = setup([program("return 1;")], { modelCalls: 50 });
  expect(await start()).toMatchObject({
    kind: "failed",
    code: "model_misbehaved",
    message: expect.stringContaining("5 times"),
  });
  expect(model.asked).toHaveLength(5);
  const varied = [1, 2, 3, 4, 5, 6, 7].map((n) => program(`return ${n % 2};`, `p${n}`));
  expect(await setup([...varied, say("Done.")], { modelCalls: 50 }).start()).toEqual({ kind: "completed" });
});

test("[A17] stopping ends the turn and says by whom", async () => {
  const { start, log, stream, running } = setup([program("await tools.notes.hang({});")]);
  const stop = new AbortController();
  const ended = start(stop.signal);
  await running;
  stop.abort(new StopRequest("user"));
  expect(await ended).toEqual({ kind: "aborted" });
  expect((await readAll(log, stream)).at(-1)).toMatchObject({ type: "turn.aborted", data: { by: "user" } });
});

test("[A22] a call that the log cannot record ends the turn with the log's error", async () => {
  const { start, plainLog, log, stream } = setup([
    program("return (await tools.notes.read({})).text;"),
    say("Done."),
  ]);
  const append = plainLog.append.bind(plainLog);
  plainLog.append = (target, events, options) =>
    events.some((event) => event.type === "call.settled" && !JSON.stringify(event).includes("outcome"))
      ? Promise.reject(new EventLogError("event_too_large", "It is too large"))
      : append(target, events, options);
  expect(await start()).toMatchObject({ kind: "failed", code: "event_too_large" });
  expect((await readAll(log, stream)).at(-1)).toMatchObject({
    type: "turn.failed",
    data: { code: "event_too_large" },
  });
});

test("[A22] while the disk is full the turn waits, and goes on once there is room: nothing is lost or done twice", async () => {
  const code = "return (await tools.notes.write({ text: 'once' })).written;";
  const { start, plainLog, log, stream, approvals, clock, world } = setup([program(code), say("Done.")]);
  const append = plainLog.append.bind(plainLog);
  let isFull = false;
  let refused = 0;
  plainLog.append = (target, events, options) => {
    if (!isFull) return append(target, events, options);
    refused += 1;
    return Promise.reject(new EventLogError("storage_full", "The disk is full"));
  };
  const ended = start();
  await nextEvent(log, stream, "approval.requested");
  for (const { id } of await approvals.pending()) await approvals.resolve(id, { decision: "approved" }, "me");
  await nextEvent(log, stream, "call.started");
  isFull = true;
  for (let tries = 1; tries <= 5; tries++) {
    await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(tries));
    await clock.advance(2_000);
  }
  isFull = false;
  await clock.advance(2_000);
  expect(await ended).toEqual({ kind: "completed" });
  expect(world).toEqual(["once"]);
  expect((await readAll(log, stream)).filter(({ type }) => type === "call.started")).toHaveLength(1);
});

test("[A23] a cell with many large results leaves a bounded event, without a part of a secret", async () => {
  const code = `for (let i = 0; i < 200; i++) await tools.notes.read({});
return "x".repeat(16_370) + (await tools.notes.read({})).text;`;
  const { start, log, stream } = setup([program(code), say("Done.")]);
  expect(await start()).toEqual({ kind: "completed" });
  const completed = await nextEvent(log, stream, "cell.completed");
  expect(JSON.stringify(completed).length).toBeLessThan(1_200_000);
  expect(JSON.stringify(completed)).not.toContain("sk-test");
});

test("[A23] a program beyond the limit is refused", async () => {
  const { start } = setup([program(`return "${"x".repeat(300_000)}";`)]);
  expect(await start()).toMatchObject({ kind: "failed", code: "program_too_large" });
});

test("[A24] what an earlier program has seen counts for a later one", async () => {
  const { start, log, stream } = setup([
    program("await tools.notes.read({});", "p1"),
    program("await tools.notes.read({});", "p2"),
    say("Done."),
  ]);
  await start();
  const requested = (await readAll(log, stream)).filter((event) => event.type === "call.requested");
  expect(requested.map((event) => (event.data as { labels: unknown[] }).labels)).toEqual([
    [],
    [{ trust: "untrusted", source: "notes.read" }],
  ]);
});

test("[A18] a bug ends the turn without its message, and is thrown on", async () => {
  const { start, log, stream } = setup([new TypeError("secret detail of a bug")]);
  await expect(start()).rejects.toThrow(TypeError);
  const last = await nextEvent(log, stream, "turn.failed");
  expect(last.data).toMatchObject({ code: "internal" });
  expect(JSON.stringify(last.data)).not.toContain("secret detail");
});

test("[A33] functions: every tool is offered by a name that providers take, and calls run side by side", async () => {
  const calls: ModelEvent[] = [
    { kind: "tool_call", id: "f1", name: "notes_read", inputJson: "{}" },
    { kind: "tool_call", id: "f2", name: "notes_read", inputJson: "" },
    { kind: "stop", reason: "tool_calls" },
  ];
  const { start, model, log, stream } = setup([calls, say("Read twice.")], { mode: "functions" });
  expect(await start()).toEqual({ kind: "completed" });
  expect(model.asked[0]?.tools.map(({ name }) => name)).toContain("notes_write");
  expect(model.asked[0]?.tools.every(({ name }) => /^[\w-]{1,64}$/.test(name))).toBe(true);
  expect(toolTexts(model.asked[1]?.messages ?? [])).toEqual([
    expect.stringContaining("the key is"),
    expect.stringContaining("the key is"),
  ]);
  const types = (await readAll(log, stream)).map((event) => event.type);
  expect(types.filter((type) => type === "call.settled")).toHaveLength(2);
  expect(types).not.toContain("cell.checked");
});

test("[A32] script: a program in the text is checked and run, and the model is told", async () => {
  const text = "Let me look.\n<script>\nreturn (await tools.notes.read({})).text.length;\n</script>";
  const { start, model } = setup([say(text), say("It has 35 characters.")], { mode: "script" });
  expect(await start()).toEqual({ kind: "completed" });
  expect(model.asked[1]?.messages.at(-1)).toEqual({
    role: "user",
    text: expect.stringContaining("Result: 35"),
  });
});

test("[A238] script: the program is an item of its own, never streamed and no part of the message; the model sees its whole answer again", async () => {
  const code = "\nreturn (await tools.notes.read({})).text.length;\n";
  const { start, model, log, stream } = setup(
    [say(`Let me look.\n<script>${code}</script>`), say("It has 35.")],
    {
      mode: "script",
    },
  );
  expect(await start()).toEqual({ kind: "completed" });
  const events = await readAll(log, stream);
  const ofType = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  expect(ofType("assistant.message")).toMatchObject([{ text: "Let me look.\n" }, { text: "It has 35." }]);
  expect(ofType("cell.submitted")).toMatchObject([{ code, isScript: true, apart: true }]);
  expect(model.asked[1]?.messages[1]).toEqual({
    role: "assistant",
    parts: [
      { kind: "text", text: "Let me look.\n" },
      { kind: "text", text: `<script>${code}</script>` },
    ],
  });
});

test.each([
  ["has no end", "<script>\nawait tools.notes.write({ text: 'x' });", /<\/script> is missing/],
  ["has its end in a comment", "<script>\n1; // </script>\n</script>", /is in a comment/],
  ["has its end in a string", "<script>\nconst a = '</script>", /is in a string/],
  ["has another one in it", "<script>\nreturn 1;\n<script>\nreturn 2;\n</script>", /in the middle of it/],
])("[A32] a script that %s is not run, and the model is told", async (_what, text, words) => {
  const { start, model, world } = setup([say(text), say("I see.")], { mode: "script" });
  expect(await start()).toEqual({ kind: "completed" });
  expect(world).toEqual([]);
  const told = model.asked[1]?.messages.at(-1);
  expect(told).toEqual({ role: "user", text: expect.stringMatching(words) });
  expect(told).toEqual({ role: "user", text: expect.stringMatching(/^Your script has not run\.\n/) });
});

const FILES: ToolTree = {
  files: {
    read: defineTool({
      description: "Read a file",
      approval: "auto",
      trust: "trusted",
      args: z.object({ path: z.string() }),
      returns: z.object({ content: z.string() }),
      run: ({ path }) => ({ content: `in ${path}` }),
    }),
    write: defineTool({
      description: "Write a file",
      approval: "auto",
      effect: "write",
      args: z.object({ path: z.string(), content: z.string() }),
      run: () => null,
    }),
  },
};

test("[A50] a script has the globals whose tools are there, and they are those tools' calls", async () => {
  const script =
    "<script>\nconst a: string = await readFile('a.txt');\nawait writeFile('b.txt', a);\nreturn a.length;\n</script>";
  const { start, model, log, stream } = setup([say(script), say("Done.")], { mode: "script", extra: FILES });
  expect(await start()).toEqual({ kind: "completed" });
  expect(model.asked[0]?.system).toContain("readFile(path): Promise<string>; writeFile(path, content)");
  expect(model.asked[0]?.system).not.toContain("shell(");
  const requested = (await readAll(log, stream)).flatMap(({ type, data }) =>
    type === "call.requested" ? [(data as { toolPath: string }).toolPath] : [],
  );
  expect(requested).toEqual(["files.read", "files.write"]);
  expect((await nextEvent(log, stream, "cell.completed")).data).toMatchObject({
    result: 8,
    operations: [
      { fn: "readFile", args: ["a.txt"] },
      { fn: "writeFile", args: ["b.txt", "in a.txt"] },
    ],
  });
});

test("[A50] where they are not, the program does not typecheck, at the line it is", async () => {
  const script = "<script>\nconst n: number = await readFile('a.txt');\nawait shell('ls');\n</script>";
  const { start, model } = setup([say(script), say("I see.")], { mode: "script", extra: FILES });
  await start();
  const told = JSON.stringify(model.asked[1]?.messages.at(-1));
  expect(told).toMatch(/line 2, column 7.*line 3, column 7/);
  expect(told).toContain("shell");
});

test("[A50] programs that are no scripts do not have them", async () => {
  const { start, model } = setup([program("return await readFile('a.txt');"), say("I see.")], {
    extra: FILES,
  });
  await start();
  expect(toolTexts(model.asked[1]?.messages ?? [])[0]).toContain("does not typecheck");
});

test.each([
  ["tokens", { tokens: 12 }, "12 tokens"],
  ["calls", { calls: 1 }, "1 calls"],
] satisfies [string, TurnBudget, string][])(
  "[A34] a budget of %s is a hard stop",
  async (_what, budget, words) => {
    const code = "await tools.notes.read({});";
    const { start, model } = setup([program(code, "p1"), program(code, "p2")], { budget });
    expect(await start()).toMatchObject({
      kind: "failed",
      code: "budget_spent",
      message: expect.stringContaining(words),
    });
    expect(model.asked).toHaveLength(1);
  },
);

test("[A34] a task's own budget is one, besides its agent's: the smaller counts", async () => {
  const code = "await tools.notes.read({});";
  const { start, log, stream, ids, model } = setup([program(code, "p1"), program(code, "p2")], {
    budget: { tokens: 1_000, calls: 5 },
  });
  const task = { taskId: ids.next("task"), kind: "recurring", prompt: "x", agentId: "main" } as const;
  await log.append(stream, [{ type: "task.created", data: { ...task, budget: { calls: 1 } } }]);
  expect(await start()).toMatchObject({ kind: "failed", code: "budget_spent" });
  expect(model.asked).toHaveLength(1);
});

test("[A34] a budget of money is one, too; what a turn cost is in its last event", async () => {
  const dear: ModelEvent[] = [
    { kind: "tool_call", id: "p1", name: "run_code", inputJson: '{"code":"return 1;"}' },
    { kind: "usage", usage: { inputTokens: 1_000_000, outputTokens: 1_000_000 } },
    { kind: "stop", reason: "tool_calls" },
  ];
  const ref = parseModelRef("anthropic/claude-sonnet-5");
  const stopped = setup([dear], { budget: { costMicros: 20_000 }, ref });
  expect(await stopped.start()).toMatchObject({
    kind: "failed",
    code: "budget_spent",
    message: "The turn was stopped: its budget of $0.02 is spent.",
  });
  const { start, log, stream } = setup([dear, say("Done.")], { ref });
  expect(await start()).toEqual({ kind: "completed" });
  const { cost } = (await nextEvent(log, stream, "turn.completed")).data as { cost?: { amount: number } };
  expect(cost?.amount).toBeGreaterThan(1);
});

test("[A34] what the user says a model costs goes before what is known", async () => {
  const dear: ModelEvent[] = [
    ...say("Hi"),
    { kind: "usage", usage: { inputTokens: 1_000_000, outputTokens: 0 } },
  ];
  const prices = { "test/script": { input: 7, output: 1, cacheRead: 1, cacheWrite: 1 } };
  const { start, log, stream } = setup([dear], { prices });
  await start();
  expect((await nextEvent(log, stream, "turn.completed")).data).toMatchObject({
    cost: { amount: 7, currency: "USD" },
  });
});

test("[A34] where nobody knows what the model costs, a budget of money stops the turn before it begins", async () => {
  const { start, model } = setup([say("Hi")], { budget: { costMicros: 1 } });
  expect(await start()).toMatchObject({ kind: "failed", code: "unknown_price" });
  expect(model.asked).toEqual([]);
});

test("[A34] an answer may not have more tokens than are left, and what nobody counted is estimated", async () => {
  const { start, model } = setup(
    [[{ kind: "tool_call", id: "p", name: "run_code", inputJson: '{"code":"return 1;"}' }]],
    {
      budget: { tokens: 900 },
    },
  );
  expect(await start()).toMatchObject({ kind: "failed", code: "budget_spent" });
  expect(model.asked[0]?.maxOutputTokens).toBe(900);
  expect(model.asked[1]?.maxOutputTokens).toBeLessThan(800);
});

test("[A32] script: no functions are offered, since a server without them would refuse", async () => {
  const { start, model } = setup([say("Hi")], { mode: "script" });
  await start();
  expect(model.asked[0]?.tools).toEqual([]);
});

test("[A34] a budget of time stops a program in the middle, and leaves a usable record", async () => {
  const { start, log, stream, running, clock } = setup([program("await tools.notes.hang({});")], {
    budget: { timeMs: 60_000 },
  });
  const ended = start();
  await running;
  await clock.advance(61_000);
  expect(await ended).toMatchObject({
    kind: "failed",
    code: "budget_spent",
    message: expect.stringContaining("60 seconds"),
  });
  expect((await readAll(log, stream)).map(({ type }) => type)).toEqual(
    expect.arrayContaining(["call.settled", "cell.completed", "turn.failed"]),
  );
});

test("[A34] time spent waiting for the user does not count", async () => {
  const { start, log, stream, clock, approvals } = setup(
    [program('await tools.notes.write({ text: "hi" });'), say("Done.")],
    { budget: { timeMs: 60_000 } },
  );
  const ended = start();
  const asked = await nextEvent(log, stream, "approval.requested");
  await clock.advance(86_400_000);
  const { approvalId } = asked.data as { approvalId: ApprovalId };
  await approvals.resolve(approvalId, { decision: "approved" }, "user");
  expect(await ended).toEqual({ kind: "completed" });
});

test("[A34] a cell cannot make more calls than are left", async () => {
  const { start, log, stream } = setup([program("for (let i = 0; i < 9; i++) await tools.notes.read({});")], {
    budget: { calls: 3 },
  });
  expect(await start()).toMatchObject({ kind: "failed", code: "budget_spent" });
  const settled = (await readAll(log, stream)).filter(({ type }) => type === "call.settled");
  expect(settled).toHaveLength(3);
});

test("[A33] when one of several calls cannot be made, the others do not go on by themselves", async () => {
  const calls: ModelEvent[] = [
    { kind: "tool_call", id: "f1", name: "notes_hang", inputJson: "{}" },
    { kind: "tool_call", id: "f2", name: "notes_read", inputJson: "{}" },
    { kind: "stop", reason: "tool_calls" },
  ];
  const { start, plainLog, log, stream } = setup([calls], { mode: "functions" });
  const append = plainLog.append.bind(plainLog);
  plainLog.append = (target, events, options) =>
    events.some(
      (event) =>
        event.type === "call.settled" &&
        JSON.stringify(event).includes("notes.read") &&
        !JSON.stringify(event).includes("unknown"),
    )
      ? Promise.reject(new EventLogError("event_too_large", "It is too large"))
      : append(target, events, options);
  expect(await start()).toMatchObject({ kind: "failed", code: "event_too_large" });
  const after = (await readAll(log, stream)).map(({ type }) => type);
  expect(after.at(-1)).toBe("turn.failed");
  expect(after).toContain("call.settled");
});

test.each([
  ["max_tokens", "answer_cut"],
  ["refusal", "model_refused"],
] as const)("[A35] an answer that ended by %s stays, and fails the turn as %s", async (reason, code) => {
  const { start, log, stream } = setup([
    [
      { kind: "text", text: "Once upon" },
      { kind: "stop", reason },
    ],
  ]);
  expect(await start()).toMatchObject({ kind: "failed", code });
  expect((await readAll(log, stream)).map((event) => event.type)).toContain("assistant.message");
});

test("[A31] what is said in the very moment of a turn's end is answered in it", async () => {
  const { model, log, plainLog, stream, turns, turn } = setup([say("First."), say("And the second.")]);
  const said = { text: "Hello", attachments: [], channel: "test", sender: "me", trust: "user" as const };
  const message = { type: "user.message", turnId: turn.turnId, data: said } as const;
  await log.append(stream, [message]);
  const append = plainLog.append.bind(plainLog);
  let ends = 0;
  plainLog.append = async (target, events, options) => {
    if (events.some(({ type }) => type === "turn.completed") && ++ends === 1) await append(target, [message]);
    return await append(target, events, options);
  };
  expect(await turns.run(turn, new AbortController().signal)).toEqual({ kind: "completed" });
  expect(model.asked).toHaveLength(2);
  const types = (await readAll(log, stream)).map(({ type }) => type);
  expect(types.slice(-3)).toEqual(["user.message", "assistant.message", "turn.completed"]);
});

test("[A31] a message that comes in the middle of a turn is answered in it", async () => {
  const { start, model, log, stream, running } = setup([
    program("await tools.notes.read({}); return 1;"),
    say("First."),
    say("And the second."),
  ]);
  void running;
  const append = log.append.bind(log);
  let steered = false;
  log.append = async (target, events, options) => {
    const stored = await append(target, events, options);
    if (!steered && events.some((event) => event.type === "call.started")) {
      steered = true;
      const said = {
        text: "Wait, also this",
        attachments: [],
        channel: "test",
        sender: "me",
        trust: "user" as const,
      };
      await append(stream, [{ type: "user.message", data: said }]);
    }
    return stored;
  };
  expect(await start()).toEqual({ kind: "completed" });
  expect(model.asked[1]?.messages.at(-1)).toEqual({ role: "user", text: "Wait, also this" });
  expect(model.asked).toHaveLength(2);
});

test("[A36] cut off after any write, a turn ends as if left alone, and no answer is asked for twice", async () => {
  const answers = [
    program("return (await tools.notes.read({})).text.length;", "p1"),
    program("return (await tools.notes.write({ text: 'once' })).written;", "p2"),
    say("Done."),
  ];
  const calm = setup(answers);
  const answerAll = async (
    { approvals }: ReturnType<typeof setup>,
    until: Promise<unknown>,
  ): Promise<void> => {
    const state = { isOver: false };
    void until.finally(() => (state.isOver = true));
    while (!state.isOver) {
      for (const { id } of await approvals.pending())
        await approvals.resolve(id, { decision: "approved" }, "me");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const ran = calm.start();
  await answerAll(calm, ran);
  const expected = shape(await readAll(calm.log, calm.stream));
  const writes = expected.length;
  let suspensions = 0;

  for (let cut = 1; cut < writes; cut++) {
    const cutOff = setup(answers);
    const { log, stream, start, again, model, world } = cutOff;
    const stop = new AbortController();
    const append = log.append.bind(log);
    log.append = async (target, events, options) => {
      const stored = await append(target, events, options);
      if ((stored.at(-1)?.seq ?? 0) >= cut) stop.abort(new SuspendRequest());
      return stored;
    };
    const first = start(stop.signal).catch((error: unknown) => error);
    await answerAll(cutOff, first);
    log.append = append;
    if ((await first) instanceof SuspendRequest) {
      suspensions += 1;
      const second = again();
      await answerAll(cutOff, second);
      expect(await second, `cut after ${cut}`).toEqual({ kind: "completed" });
    }
    const seen = (await readAll(log, stream)).filter(({ type }) => !ABOUT_SLEEP.has(type));
    expect(shape(seen), `cut after ${cut}`).toEqual(expected);
    expect(world, `cut after ${cut}`).toEqual(["once"]);
    // One that was asked for and not yet written down is asked for again: no more than that.
    expect(model.asked.length, `cut after ${cut}`).toBeLessThanOrEqual(answers.length + 1);
  }
  expect(suspensions).toBeGreaterThan(writes / 2);
});

const ABOUT_SLEEP: ReadonlySet<string> = new Set([
  "cell.suspended",
  "cell.resumed",
  "turn.suspended",
  "turn.claimed",
]);
/** A call may be started twice, under one key, when its tool only reads. */
function shape(events: readonly { readonly type: string }[]): string[] {
  return events
    .map(({ type }) => type)
    .filter((type, at, all) => !ABOUT_SLEEP.has(type) && !(type === "call.started" && all[at - 1] === type));
}
