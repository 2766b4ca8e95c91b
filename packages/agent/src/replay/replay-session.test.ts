import type { CallId } from "@deputy/kit";
import type { ModelEvent } from "@deputy/model";
import { defineTool } from "@deputy/tools";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { live, readAll, SECRET } from "../agent.fixture.ts";
import { closingEvents, readOpenItems } from "../turn/open-items.ts";
import { createStreamView } from "../history/turn-view.ts";
import { StopRequest, SuspendRequest } from "../turn/stop-request.ts";
import { createLogSessionService } from "../sessions/session-service.ts";
import { disagreements, NO_TOOLS, program, say, setUpRecording } from "./recording.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const BUSY = `console.log("at", Date.now(), Math.random());
const { text } = await tools.notes.read({});
const written = await Promise.all([1, 2, 3].map(async (n) => {
  try {
    const { written } = await tools.notes.write({ text: "note " + n });
    console.log(n, Date.now());
    return written;
  } catch (error) {
    return (error as ToolError).code;
  }
}));
return { length: text.length, written, luck: Math.random() };`;

test("[A80] reads, approvals, denials and calls side by side run again as recorded", async () => {
  const { start, answering, replay } = setUpRecording([program(BUSY), say("Done.")]);
  expect(await answering(start(), (n) => n !== 1)).toEqual({ kind: "completed" });
  const { turns, summary } = await replay();
  expect(disagreements(turns)).toEqual([]);
  expect(summary).toEqual({
    turns: 1,
    modelCalls: 2,
    cells: 1,
    calls: 4,
    diverged: 0,
    notReplayable: 0,
    mistyped: 0,
  });
});

test("[A80] [A108] a plan, approved in part, runs again as recorded", async () => {
  const code = `const all = [];
for (const n of [1, 2, 3]) {
  try { all.push((await tools.notes.write({ text: "note " + n })).written); }
  catch (error) { all.push((error as ToolError).message); }
}
return all;`;
  const { start, approvals, replay, world } = setUpRecording([program(code), say("Done.")]);
  const ran = start();
  const [plan] = await vi.waitFor(async () => {
    const pending = await approvals.pending();
    expect(pending).toMatchObject([{ toolPath: "plan" }]);
    return pending;
  });
  if (plan === undefined) throw new Error("Nothing was asked");
  const { calls } = plan.input as { readonly calls: readonly { readonly callId: CallId }[] };
  const some = calls.filter((_, n) => n !== 1).map(({ callId }) => callId);
  await approvals.resolve(plan.id, { decision: "approved", calls: some, reason: "no" }, "me");
  expect(await ran).toEqual({ kind: "completed" });
  expect(world).toEqual(["note 1", "note 3"]);
  const { turns, summary } = await replay({ tools: NO_TOOLS });
  expect(disagreements(turns)).toEqual([]);
  expect(summary).toMatchObject({ cells: 1, calls: 3, diverged: 0, notReplayable: 0 });
});

const reasoned: ModelEvent[] = [
  { kind: "reasoning", text: "Hm." },
  { kind: "reasoning_done", opaque: '[{"sig":"a\\u0000b"}]' },
  ...program("return 1;"),
];
const functions: ModelEvent[] = [
  { kind: "tool_call", id: "f1", name: "notes_read", inputJson: "{}" },
  { kind: "tool_call", id: "f2", name: "notes_fail", inputJson: '{"how":"throw"}' },
  { kind: "stop", reason: "tool_calls" },
];
const LOOP = "for (let n = 0; n < 5; n++) { await tools.notes.read({}); console.log(n); }";
const AT_ONCE = "await Promise.all(Array.from({ length: 5 }, () => tools.notes.read({})));";
const script = "Look.\n<script>\nreturn 1;\n</script>\n<script>\nthrow new Error('no');\n</script>";

test.each([
  ["text only", [say("Hello.")], {}],
  ["reasoning", [reasoned, say("Done.")], {}],
  ["a program that was mended", [program("return nothing;"), program("return 2;", "p2"), say("Ok.")], {}],
  ["programs that never typecheck", [program("return nothing;")], {}],
  ["a program that throws", [program("console.log('so far');\nthrow new TypeError('no');"), say("Oh.")], {}],
  ["a call that fails", [program("return await tools.notes.fail({ how: 'throw' });"), say("Oh.")], {}],
  ["a call nobody awaits", [program("void tools.notes.read({});"), say("Oh.")], {}],
  ["a turn without end", [program("return 1;")], {}],
  ["a model that fails", [program("return 1;"), new Error("bug")], {}],
  ["nonsense", [[{ kind: "tool_call", id: "x", name: "bash", inputJson: "{}" }]], {}],
  ["a budget", [program("await tools.notes.read({});")], { budget: { calls: 1 } }],
  ["calls beyond a budget", [program(LOOP), say("Oh.")], { budget: { calls: 2 } }],
  ["calls beyond a budget, at once", [program(AT_ONCE), say("Oh.")], { budget: { calls: 2 } }],
  ["too many calls at once", [program(AT_ONCE.replace("5", "250")), say("Oh.")], {}],
  ["functions", [functions, say("Read.")], { mode: "functions" }],
  ["scripts", [say(script), say("It is 1.")], { mode: "script" }],
  [
    "an answer that was cut",
    [
      [
        { kind: "text", text: "Once" },
        { kind: "stop", reason: "max_tokens" },
      ],
    ],
    {},
  ],
] satisfies [string, (ModelEvent[] | Error)[], Parameters<typeof setUpRecording>[1]][])(
  "[A80] a turn with %s runs again as recorded, with today's tools or without them",
  async (_what, answers, agent) => {
    const { start, replay } = setUpRecording(answers, agent);
    await start().catch(() => undefined);
    for (const options of [{}, { tools: NO_TOOLS }]) {
      const { turns, summary } = await replay(options);
      expect(disagreements(turns)).toEqual([]);
      expect(summary.turns).toBe(1);
    }
  },
);

test("[A80] several turns, and one of them alone", async () => {
  const answers = [program("return (await tools.notes.read({})).text.length;"), say("35."), say("Bye.")];
  const { start, ids, replay } = setUpRecording(answers);
  await start();
  await start(live, ids.next("turn"));
  expect((await replay()).turns.map(({ number, cells }) => [number, cells.length])).toEqual([
    [1, 1],
    [2, 0],
  ]);
  const [only, ...others] = (await replay({ turn: 2 })).turns;
  expect(others).toEqual([]);
  expect(only).toMatchObject({ number: 2, model: "test/script", modelCalls: [{ messages: 5 }] });
});

test.each(["cell.submitted", "call.started", "assistant.message"])(
  "[A80] what the user says after %s is told where it was",
  async (when) => {
    const answers = [program("await tools.notes.read({}); return 1;"), say("First."), say("Second.")];
    const { start, tell, log, replay } = setUpRecording(answers);
    const append = log.append.bind(log);
    let steered = false;
    log.append = async (target, events, options) => {
      const stored = await append(target, events, options);
      if (!steered && events.some(({ type }) => type === when)) {
        steered = true;
        await tell("Wait, also this");
      }
      return stored;
    };
    expect(await start()).toEqual({ kind: "completed" });
    const { turns, summary } = await replay();
    expect(disagreements(turns)).toEqual([]);
    expect(summary.modelCalls).toBe(when === "assistant.message" ? 3 : 2);
  },
);

test("[A80] a session that was summarised on the way", async () => {
  const long = "A long story. ".repeat(300);
  const compaction = {
    thresholdTokens: 2_000,
    maxMessages: 1_000,
    keepMessages: 500,
    keepExchanges: 1,
    summaryTokens: 100,
  };
  const { start, ids, log, stream, replay } = setUpRecording([say(long)], { compaction });
  for (let n = 0; n < 6; n++) await start(live, ids.next("turn"));
  const types = (await readAll(log, stream)).map(({ type }) => type);
  expect(types.filter((type) => type === "session.compacted").length).toBeGreaterThan(0);
  const { turns } = await replay();
  expect(turns).toHaveLength(6);
  expect(disagreements(turns)).toEqual([]);
});

test("[A80] a fork of a session, though its events are copies", async () => {
  const { start, answering, log, ids, stream, replay, cellIds } = setUpRecording([
    program(BUSY),
    say("Done."),
  ]);
  await answering(start(), (n) => n !== 0);
  const sessions = createLogSessionService({ log, ids });
  const forked = await sessions.fork(stream, {});
  if (forked.kind !== "forked") throw new Error("It should be forked");
  const { turns, summary } = await replay({ stream: forked.session.id });
  expect(disagreements(turns)).toEqual([]);
  expect(summary).toMatchObject({ turns: 1, cells: (await cellIds()).length, calls: 4 });
});

test("[A80] a message that came too late to be answered is not answered now either", async () => {
  const { start, tell, log, replay } = setUpRecording([say("Only this.")]);
  const append = log.append.bind(log);
  log.append = async (target, events, options) => {
    if (events.some(({ type }) => type === "turn.completed")) await tell("Too late");
    return await append(target, events, options);
  };
  await start();
  expect(disagreements((await replay()).turns)).toEqual([]);
});

test("[A80] a program of the user's own, its whole result included", async () => {
  const { exec, replay, tamper, cellIds } = setUpRecording([]);
  const code = "console.log('mine'); return 'x'.repeat(20_000) + (await tools.notes.read({})).text;";
  expect(await exec(code)).toEqual({ kind: "completed" });
  const { turns } = await replay();
  expect(disagreements(turns)).toEqual([]);
  expect(turns).toMatchObject([{ model: "none", modelCalls: [], cells: [{ calls: 1 }] }]);
  const [cellId] = await cellIds();
  if (cellId === undefined) throw new Error("There should be a cell");
  await tamper(cellId, (entries) =>
    entries.map((entry) => (entry.kind === "result" ? { ...entry, bytes: new Uint8Array([34, 34]) } : entry)),
  );
  expect(disagreements((await replay()).turns)).toMatchObject([
    { kind: "diverged", divergence: { what: "its whole result", expected: '""' } },
  ]);
});

test.each([
  ["fails", "throw new Error('no')"],
  ["does not typecheck", "return nothing"],
])("[A80] a program of the user's own that %s", async (_what, code) => {
  const { exec, replay } = setUpRecording([]);
  expect(await exec(code)).toMatchObject({ kind: "failed" });
  expect(disagreements((await replay()).turns)).toEqual([]);
});

test("[A80] cut off after any write and gone on with, a turn runs again as recorded; cut off, as far as it came", async () => {
  const answers = [
    program("return (await tools.notes.read({})).text.length;", "p1"),
    program("return (await tools.notes.write({ text: 'once' })).written;", "p2"),
    say("Done."),
  ];
  const calm = setUpRecording(answers);
  await calm.answering(calm.start());
  const writes = (await readAll(calm.log, calm.stream)).length;
  for (let cut = 2; cut < writes; cut++) {
    const { log, stream, start, again, answering, replay } = setUpRecording(answers);
    const stop = new AbortController();
    const append = log.append.bind(log);
    log.append = async (target, events, options) => {
      const stored = await append(target, events, options);
      if ((stored.at(-1)?.seq ?? 0) >= cut) stop.abort(new SuspendRequest());
      return stored;
    };
    await answering(start(stop.signal).catch(() => undefined));
    const half = await replay();
    expect([cut, disagreements(half.turns)]).toEqual([cut, []]);
    log.append = append;
    const last = (await readAll(log, stream)).at(-1)?.type;
    if (last !== "turn.completed") await answering(again());
    expect([cut, disagreements((await replay()).turns)]).toEqual([cut, []]);
  }
});

test("[A84] a turn that was stopped agrees up to there, and says so", async () => {
  const { start, running, replay } = setUpRecording([
    program("await tools.notes.read({}); console.log('on'); await tools.notes.hang({}); return 1;"),
  ]);
  const stop = new AbortController();
  const ended = start(stop.signal);
  await running;
  stop.abort(new StopRequest("user"));
  expect(await ended).toEqual({ kind: "aborted" });
  const { turns } = await replay();
  expect(disagreements(turns)).toEqual([]);
  expect(turns).toMatchObject([
    { outcome: { kind: "agrees" }, cells: [{ calls: 2, outcome: { until: "it was stopped (aborted)" } }] },
  ]);
});

test("[A84] a turn whose process died agrees up to there, and says so", async () => {
  const { start, running, clock, log, stream, turnId, replay } = setUpRecording([
    program("await tools.notes.read({}); await tools.notes.hang({}); return 1;"),
  ]);
  const stop = new AbortController();
  const ended = start(stop.signal).catch((error: unknown) => error);
  await running;
  stop.abort(new SuspendRequest());
  await clock.advance(5_000);
  expect(await ended).toBeInstanceOf(SuspendRequest);
  expect((await replay()).turns).toMatchObject([
    {
      outcome: { kind: "agrees", until: "it has not ended" },
      cells: [{ outcome: { kind: "agrees", until: "it has not ended" } }],
    },
  ]);
  // As earlier versions left it.
  const open = readOpenItems(await createStreamView(log, stream).current(), turnId);
  const failure = { code: "interrupted", message: "Deputy stopped before this was done." };
  await log.append(stream, [
    ...closingEvents(turnId, open, failure),
    { type: "turn.failed", turnId, data: failure },
  ]);
  expect((await replay()).turns).toMatchObject([
    {
      outcome: { kind: "agrees", until: "Deputy stopped in the middle of it" },
      cells: [{ outcome: { kind: "agrees", until: "it was stopped (interrupted)" } }],
    },
  ]);
});

test("[A81] no tool runs, and nothing is asked or written", async () => {
  const { start, answering, replay, world, approvals, log, stream } = setUpRecording([
    program("return await tools.notes.write({ text: 'x' });"),
    say("Done."),
  ]);
  await answering(start());
  const before = await readAll(log, stream);
  const append = vi.fn(log.append.bind(log));
  log.append = append;
  await replay();
  expect(world).toEqual(["x"]);
  expect(append).not.toHaveBeenCalled();
  expect(await readAll(log, stream)).toEqual(before);
  expect(await approvals.pending()).toEqual([]);
});

test("[A85] what was redacted then counts as the same now, whether its secret is known or not", async () => {
  const code = `console.log("${SECRET}"); const { text } = await tools.notes.read({}); await tools.notes.read({});
return { text, long: text + "x".repeat(20_000) };`;
  const { start, replay, log, stream } = setUpRecording([program(code), say("Done.")]);
  await start();
  expect(JSON.stringify(await readAll(log, stream))).not.toContain(SECRET);
  expect(disagreements((await replay()).turns)).toEqual([]);
});

test("[A86] programs that today's tools would reject, or no longer reject, are told", async () => {
  const then = setUpRecording([
    program("return nothing;"),
    program("await tools.notes.read({});", "p2"),
    say("."),
  ]);
  await then.start();
  expect((await then.replay({ typecheck: true })).summary.mistyped).toBe(0);
  const { turns, summary } = await then.replay({ typecheck: true, tools: NO_TOOLS });
  expect(disagreements(turns)).toEqual([]);
  expect(summary.mistyped).toBe(1);
  expect(turns[0]?.cells.map(({ typecheck }) => typecheck?.length)).toEqual([undefined, 1]);
});

test("[A80] what a tool's schema makes of an input does not matter, nor whether the tool is there today", async () => {
  const extra = {
    shop: {
      list: defineTool({
        description: "Lists things",
        approval: "auto",
        args: z.object({
          of: z.string().trim(),
          at: z.iso.datetime().transform((text) => new Date(text)),
          limit: z.number().default(10),
        }),
        run: ({ limit }) => limit,
      }),
      buy: defineTool({ description: "Buys", approval: "required", args: z.object({}), run: () => 1 }),
    },
  };
  const code = `const none: Record<string, never>[] = [];
await Promise.all(none.map(tools.shop.buy));
const wish = { of: " pens ", at: "2026-01-01T00:00:00Z", colour: "red" };
const { buy } = tools.shop;
return [await tools.shop.list(wish), typeof buy];`;
  const { start, replay } = setUpRecording([program(code), say("Done.")], { extra });
  expect(await start()).toEqual({ kind: "completed" });
  for (const options of [{}, { tools: NO_TOOLS }]) {
    const { turns, summary } = await replay(options);
    expect(disagreements(turns)).toEqual([]);
    expect(summary.calls).toBe(1);
  }
});

test("[A84] a call that never settled is known by what its tool got", async () => {
  const running = Promise.withResolvers<void>();
  const extra = {
    shop: {
      wait: defineTool({
        description: "Waits",
        approval: "auto",
        effect: "write",
        args: z.object({ of: z.string(), limit: z.number().default(10) }),
        run: () => {
          running.resolve();
          return new Promise(() => undefined);
        },
      }),
    },
  };
  const code =
    "const of = new Date().getUTCFullYear() === 2001 ? 'ink' : 'pens'; await tools.shop.wait({ of });";
  const { start, replay, clock, tamper, cellIds } = setUpRecording([program(code)], { extra });
  const stop = new AbortController();
  const ended = start(stop.signal).catch((error: unknown) => error);
  await running.promise;
  stop.abort(new SuspendRequest());
  await clock.advance(5_000);
  await ended;
  for (const options of [{}, { tools: NO_TOOLS }])
    expect(disagreements((await replay(options)).turns)).toEqual([]);
  const [cellId] = await cellIds();
  if (cellId === undefined) throw new Error("There should be a cell");
  const bytes = new TextEncoder().encode(JSON.stringify({ code, startedAtMs: Date.UTC(2001, 0, 1) }));
  await tamper(cellId, ([entry]) => (entry === undefined ? [] : [{ ...entry, bytes }]));
  for (const options of [{}, { tools: NO_TOOLS }]) {
    expect(disagreements((await replay(options)).turns)).toMatchObject([
      {
        divergence: {
          what: "call 1",
          expected: 'shop.wait {"of":"pens","limit":10}',
          came: 'shop.wait {"of":"ink"}',
        },
      },
    ]);
  }
});

test("[A83] a program that this machine would not run to its end is not replayable", async () => {
  const code = "let sum = 0; for (let n = 0; n < 3e6; n++) sum += n % 7; return sum;";
  const { start, replay } = setUpRecording([program(code), say("Done.")]);
  expect(await start()).toEqual({ kind: "completed" });
  expect(disagreements((await replay({ cpuMs: 5 })).turns)).toMatchObject([
    { kind: "not_replayable", why: expect.stringMatching(/^here it was stopped/) },
  ]);
  expect(disagreements((await replay()).turns)).toEqual([]);
});
