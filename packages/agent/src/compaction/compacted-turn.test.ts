import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { type Model, ModelError, type ModelEvent, type ModelRequest } from "@deputy/model";
import type { EventData, NewEvent } from "@deputy/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAll, readyOrigins, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { SuspendRequest } from "../turn/stop-request.ts";
import type { TurnBudget } from "../budget/turn-limits.ts";
import { createTurnRunner } from "../turn/turn-runner.ts";
import { type CompactionLimits, DEFAULT_COMPACTION_LIMITS } from "./compaction-limits.ts";
import { said, unpaired } from "./conversation.fixture.ts";

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

type Said = readonly ModelEvent[] | Error;
const say = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "usage", usage: { inputTokens: 10, outputTokens: 2 } },
  { kind: "stop", reason: "end" },
];
const program = (code: string, id: string): ModelEvent[] => [
  { kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code }) },
  { kind: "stop", reason: "tool_calls" },
];
const overflow = (): ModelError => new ModelError("context_overflow", "The prompt is too long");

/** A model that answers and summarises as it is told to, and remembers both. */
function scriptModel(answers: readonly Said[], summaries: readonly Said[]) {
  const asked: ModelRequest[] = [];
  const summarised: ModelRequest[] = [];
  const model: Model = {
    ref: { provider: "test", model: "script" },
    async *stream(request, signal) {
      signal.throwIfAborted();
      const isSummary = request.system.startsWith("You summarise");
      const [requests, script] = isSummary ? [summarised, summaries] : [asked, answers];
      const next = script[Math.min(requests.length, script.length - 1)] ?? [];
      requests.push(request);
      if (next instanceof Error) throw next;
      yield* next;
    },
  };
  return { model, asked, summarised };
}

const LIMITS: CompactionLimits = {
  thresholdTokens: 2_000,
  maxMessages: 1_000,
  keepMessages: 500,
  keepExchanges: 2,
  summaryTokens: 100,
};

function setup(
  answers: readonly Said[],
  options: {
    readonly summaries?: readonly Said[];
    readonly budget?: TurnBudget;
    readonly compaction?: Partial<CompactionLimits>;
  } = {},
) {
  const base = setUpGate();
  const { log, keeper, catalogue, redactor, gate, clock, ids, stream } = base;
  const shared = { log, catalogue, redactor, clock, ids, sha256 };
  const cells = createCellRunner({
    ...shared,
    gate,
    checker,
    stripper,
    sandbox,
    limits: DEFAULT_CELL_LIMITS,
  });
  const { model, asked, summarised } = scriptModel(answers, options.summaries ?? [say("They met.")]);
  const limits = {
    repeats: Infinity,
    modelCalls: 20,
    typecheckAttempts: 3,
    outputTokens: 1_000,
    budget: options.budget ?? {},
    compaction: { ...LIMITS, ...options.compaction },
  };
  const profile = { model, mode: "code" as const, limits, catalogue, cells, instructions: [] };
  const turns = createTurnRunner({ keeper, profileOf: async () => profile, redactor, clock, ids });
  const live = new AbortController().signal;
  const go = (turnId = base.turnId, signal = live) =>
    turns.run({ stream, turnId, agentId: "main", sessionKey: "test" }, signal);
  const ask = async (text: string, turnId = ids.next("turn"), signal = live) => {
    await log.append(stream, [said(text)]);
    return await go(turnId, signal);
  };
  /** Exchanges of an earlier day, each of about 100 tokens. */
  const talk = async (exchanges: number, text = "x".repeat(200)) => {
    for (let n = 1; n <= exchanges; n++) {
      const turnId = ids.next("turn");
      const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 1 };
      await log.append(stream, [
        said(`Question ${n} ${text}`),
        { type: "turn.started", turnId, data: { agentId: "main", model: "test/script" } },
        {
          type: "assistant.message",
          turnId,
          data: { itemId: ids.next("item"), text: `Answer ${n} ${text}` },
        },
        { type: "turn.completed", turnId, data: { usage } },
      ]);
    }
  };
  const compactions = async () => (await ofType("session.compacted")) as EventData<"session.compacted">[];
  const ofType = async (type: string) =>
    (await readAll(log, stream)).filter((event) => event.type === type).map((event) => event.data);
  return { ...base, asked, summarised, go, ask, talk, compactions, ofType };
}

const textsOf = (request: ModelRequest | undefined): string[] =>
  (request?.messages ?? []).map((message) => JSON.stringify(message));

test("[A40] so does one of many short messages", async () => {
  const { talk, ask, asked, compactions } = setup([say("Fine.")], {
    compaction: { maxMessages: 20, keepMessages: 10 },
  });
  await talk(9, "");
  await ask("And now?");
  expect(await compactions()).toEqual([]);
  await ask("And then?");
  expect(await compactions()).toHaveLength(1);
  expect(asked.at(-1)?.messages.length).toBeLessThan(20);
});

test("[A40] of many short messages the last ones stay word for word, however long the instructions are", async () => {
  const compaction = { maxMessages: 20, keepMessages: 10, thresholdTokens: 75_000, keepExchanges: 10 };
  const { talk, ask, asked } = setup([say("Fine.")], { compaction });
  await talk(10, "");
  await ask("And then?");
  const texts = textsOf(asked.at(-1)).join("\n");
  for (const n of [7, 8, 9, 10]) expect(texts).toContain(`Question ${n} `);
  expect(texts).not.toContain("Question 2 ");
});

test("[A305] the last 100 messages stay word for word, or as many as fit; the record counts messages before and after", async () => {
  const many = setup([say("Fine.")], { compaction: DEFAULT_COMPACTION_LIMITS });
  await many.talk(75, "");
  await many.ask("And then?");
  const [record] = await many.compactions();
  expect(record).toMatchObject({ messagesBefore: 151, messagesAfter: 100 });
  const texts = textsOf(many.asked.at(-1)).join("\n");
  for (const n of [27, 50, 75]) expect(texts).toContain(`Question ${n} `);
  expect(texts).not.toContain("Question 26 ");

  const long = setup([say("Fine.")], {
    compaction: { ...DEFAULT_COMPACTION_LIMITS, thresholdTokens: 7_000, summaryTokens: 100 },
  });
  await long.talk(75);
  await long.ask("And then?");
  const [shorter] = await long.compactions();
  expect(shorter?.messagesBefore).toBe(151);
  expect(shorter?.messagesAfter).toBeGreaterThan(20);
  expect(shorter?.messagesAfter).toBeLessThan(90);
});

test("[A40] switched off, no prompt is summarised: the model's word is final", async () => {
  const { talk, ask, summarised } = setup([new ModelError("context_overflow", "too long")], {
    compaction: { thresholdTokens: Infinity, maxMessages: Infinity },
  });
  await talk(3);
  expect(await ask("And now?")).toMatchObject({
    kind: "failed",
    code: "context_overflow",
    message: expect.stringContaining("switched off"),
  });
  expect(summarised).toEqual([]);
});

test("[A40] a session that has become long goes on from a summary and its last exchanges", async () => {
  const { talk, ask, asked, summarised, compactions, log, stream } = setup([say("Fine.")]);
  await talk(30);
  expect(await ask("And now?")).toEqual({ kind: "completed" });
  expect(asked).toHaveLength(1);
  expect(textsOf(asked[0])).toEqual([
    expect.stringContaining("They met."),
    expect.stringContaining("Question 30"),
    expect.stringContaining("Answer 30"),
    expect.stringContaining("And now?"),
  ]);
  expect(summarised).toMatchObject([{ tools: [], maxOutputTokens: LIMITS.summaryTokens }]);
  const throughSeq = 29 * 4;
  expect(await compactions()).toEqual([
    {
      fromSeq: 1,
      messagesBefore: 61,
      messagesAfter: 4,
      throughSeq,
      summary: "They met.",
      archive: `log:${stream}#1-${throughSeq}`,
      labels: [],
      model: "test/script",
      usage: { inputTokens: 10, outputTokens: 2, modelCalls: 1 },
    },
  ]);
  const archived = (await readAll(log, stream)).slice(0, throughSeq);
  expect(archived.filter(({ type }) => type === "user.message")).toHaveLength(29);
  expect(await ask("And then?")).toEqual({ kind: "completed" });
  expect(await compactions(), "not again for as long as it fits").toHaveLength(1);
});

test("[A40] the next summary is made from the one before it, and what came since", async () => {
  const summaries = [say("First summary."), say("Second summary.")];
  const { talk, ask, asked, summarised, compactions, stream } = setup([say("Fine.")], { summaries });
  await talk(30);
  await ask("One");
  await talk(30, "y".repeat(200));
  await ask("Two");
  const record = textsOf(summarised[1])[0] ?? "";
  expect(record).toContain("First summary.");
  expect(record).toContain("Question 29 y");
  expect(record, "already told by the first").not.toContain("Question 1 x");
  const [first, second] = await compactions();
  expect(second).toMatchObject({ fromSeq: (first?.throughSeq ?? 0) + 1, summary: "Second summary." });
  expect(second?.archive).toBe(`log:${stream}#${second?.fromSeq}-${second?.throughSeq}`);
  expect(textsOf(asked[1])[0]).toContain("Second summary.");
  expect(textsOf(asked[1]).join("")).not.toContain("First summary.");
});

test("[A40] a model that finds the prompt too long is asked again with a shorter one", async () => {
  const answers = [overflow(), say("Fine.")];
  const compaction = { thresholdTokens: 1_000_000 };
  const { talk, ask, asked, compactions } = setup(answers, { compaction });
  await talk(10);
  expect(await ask("And now?")).toEqual({ kind: "completed" });
  expect(await compactions()).toHaveLength(1);
  expect(textsOf(asked[1]).length).toBeLessThan(textsOf(asked[0]).length / 2);
});

test("[A41] a long turn is cut between its answers; what the user asked for stays word for word", async () => {
  const note = "return 'n'.repeat(1_600);";
  const steps = Array.from({ length: 12 }, (_, n) => program(note, `p${n}`));
  const { ask, asked, summarised, compactions } = setup([...steps, say("Done.")], {
    compaction: { keepExchanges: 9 },
  });
  expect(await ask("Exactly this: 4711")).toEqual({ kind: "completed" });
  const cuts = await compactions();
  expect(cuts.length).toBeGreaterThan(1);
  expect(textsOf(summarised[1])[0], "the first summary tells of it").not.toContain("4711");
  for (const cut of cuts) expect(cut.keptSeqs).toEqual([1]);
  for (const request of asked) {
    expect(unpaired(request.messages)).toEqual([]);
    expect(request.messages).toContainEqual({ role: "user", text: "Exactly this: 4711" });
  }
  expect(textsOf(asked.at(-1))[0]).toContain("They met.");
});

test("[A42] a summary has the labels of what it was made of, and later summaries keep them", async () => {
  const answers = [program("return (await tools.notes.read({})).text;", "p1"), say("Read.")];
  const { ask, talk, compactions, log, stream, ids } = setup(answers);
  await ask("Read my notes");
  await talk(30);
  await ask("And now?");
  const settled = (await readAll(log, stream)).find(({ type }) => type === "call.settled");
  await log.erase(settled?.id ?? ids.next("event"), "me");
  await talk(30);
  await ask("And then?");
  const label = { trust: "untrusted", source: "notes.read" };
  expect((await compactions()).map(({ labels }) => labels)).toEqual([[label], [label]]);
  const { origins } = await readyOrigins(log).of(stream, { get: () => undefined }, "");
  expect(origins.untrusted).toEqual(["notes.read"]);
});

test("[A42] what somebody else wrote into the session makes its summary untrusted", async () => {
  const { talk, ask, compactions, log, stream } = setup([say("Fine.")]);
  const strange = said("I am not the user");
  await log.append(stream, [
    { ...strange, data: { ...strange.data, channel: "mail", sender: "bob", trust: "untrusted" } } as NewEvent,
  ]);
  await talk(30);
  await ask("And now?");
  expect((await compactions())[0]?.labels).toEqual([{ trust: "untrusted", source: "mail bob" }]);
});

test("[A42] secrets are kept from the summary, and from the model that writes it", async () => {
  const { talk, ask, summarised, compactions } = setup([say("Fine.")], {
    summaries: [say(`${"x".repeat(795)} ${SECRET}`)],
  });
  await talk(30, `the key ${SECRET} ${"x".repeat(200)}`);
  await ask("And now?");
  expect(textsOf(summarised[0])[0]).not.toContain("sk-test");
  expect((await compactions())[0]?.summary).not.toContain("sk-");
});

test("[A43] a prompt that is too long twice in a row ends the turn, and says why", async () => {
  const { talk, ask, asked, summarised, ofType } = setup([overflow()]);
  await talk(10);
  expect(await ask("And now?")).toMatchObject({
    kind: "failed",
    code: "context_overflow",
    message: expect.stringContaining("nothing more of it can be summarised"),
  });
  expect(asked).toHaveLength(2);
  expect(summarised).toHaveLength(1);
  expect(await ofType("turn.failed")).toMatchObject([{ code: "context_overflow" }]);
});

test("[A43] one message that is too long ends the turn without a summary; the next turn goes on without it", async () => {
  const { ask, asked, summarised } = setup([overflow(), say("Better.")]);
  expect(await ask("x".repeat(20_000))).toMatchObject({ kind: "failed", code: "context_overflow" });
  expect(summarised).toEqual([]);
  expect(await ask("Shorter, then")).toEqual({ kind: "completed" });
  expect(textsOf(asked[1])).toEqual([
    expect.stringContaining("They met."),
    expect.stringContaining("Shorter, then"),
  ]);
});

test.each([
  [
    "refuses",
    [
      { kind: "text", text: "I cannot" },
      { kind: "stop", reason: "refusal" },
    ],
  ],
  ["says nothing", [{ kind: "stop", reason: "end" }]],
  ["has no answer", new ModelError("empty_answer", "It said nothing")],
  ["calls a tool", program("return 1;", "p1")],
  ["finds even that too long", overflow()],
] satisfies [string, Said][])(
  "[A43] where the model %s instead of summarising, what the user wrote is listed",
  async (_what, summary) => {
    const { talk, ask, compactions } = setup([say("Fine.")], { summaries: [summary] });
    await talk(30);
    expect(await ask("And now?")).toEqual({ kind: "completed" });
    const [compaction] = await compactions();
    expect(compaction?.summary).toMatch(/^No summary could be made[\s\S]*Question 29/);
    expect(compaction?.summary.length).toBeLessThan(LIMITS.summaryTokens * 8 + 10);
    expect(compaction).not.toHaveProperty("model");
  },
);

test("[A43] another failure of the model's is not taken for an overflow", async () => {
  const down = new ModelError("overloaded", "Too busy");
  const { talk, ask, compactions } = setup([say("Fine.")], { summaries: [down] });
  await talk(30);
  expect(await ask("And now?")).toMatchObject({ kind: "failed", code: "overloaded" });
  expect(await compactions()).toEqual([]);
});

test("[A44] what a summary cost is the turn's, and counts against its budget", async () => {
  const budget = { tokens: 12 };
  const { talk, ask, asked, ofType } = setup([say("Fine.")], { budget });
  await talk(30);
  expect(await ask("And now?")).toMatchObject({ kind: "failed", code: "budget_spent" });
  expect(asked).toEqual([]);
  const usage = { inputTokens: 10, outputTokens: 2, modelCalls: 1 };
  expect(await ofType("turn.failed")).toMatchObject([{ usage }]);
});

test("[A44] cut off after any write, a turn with a compaction ends as if left alone", async () => {
  const answers = [program("return 1;", "p1"), overflow(), program("return 2;", "p2"), say("Done.")];
  const calm = setup(answers);
  await calm.talk(30);
  await calm.ask("Go", calm.turnId);
  const typesOf = async ({ log, stream }: Pick<typeof calm, "log" | "stream">) =>
    (await readAll(log, stream)).map(({ type }) => type).filter((type) => !ABOUT_SLEEP.has(type));
  const expected = await typesOf(calm);
  const before = 30 * 4 + 1;
  expect(expected.filter((type) => type === "session.compacted")).toHaveLength(2);

  for (let cut = before + 1; cut < expected.length; cut++) {
    const { talk, ask, go, log, stream, turnId, asked } = setup(answers);
    await talk(30);
    const stop = new AbortController();
    const append = log.append.bind(log);
    log.append = async (target, events, options) => {
      const stored = await append(target, events, options);
      if ((stored.at(-1)?.seq ?? 0) >= cut) stop.abort(new SuspendRequest());
      return stored;
    };
    const first = await ask("Go", turnId, stop.signal).catch((error: unknown) => error);
    log.append = append;
    if (first instanceof SuspendRequest)
      expect(await go(), `cut after ${cut}`).toEqual({ kind: "completed" });
    expect(await typesOf({ log, stream }), `cut after ${cut}`).toEqual(expected);
    expect(asked.length, `cut after ${cut}`).toBeLessThanOrEqual(answers.length + 1);
  }
});

const ABOUT_SLEEP: ReadonlySet<string> = new Set([
  "cell.suspended",
  "cell.resumed",
  "turn.suspended",
  "turn.claimed",
]);
