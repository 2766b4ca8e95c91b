import { DEFAULT_CELL_LIMITS, type Sandbox } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import type { CallId } from "@deputy/kit";
import { createRehearsalModel } from "@deputy/model";
import { defineTool } from "@deputy/tools";
import { afterAll, expect, test, vi } from "vitest";
import type { EventData } from "@deputy/protocol";
import { z } from "zod";
import { nextEvent, readAll, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { programEntry, readCellJournal, settledEntry } from "../cell/cell-journal.ts";
import { runProgramTurn } from "./program-turn.ts";
import { StopRequest, SuspendRequest } from "./stop-request.ts";
import { DEFAULT_TURN_LIMITS } from "../budget/turn-limits.ts";
import { createTurnRunner } from "./turn-runner.ts";

const sandbox: Sandbox = createWorkerSandbox();
const checker = createNodeTypeChecker();
const stripper = createNodeTypeStripper();
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await checker[Symbol.asyncDispose]();
});

const live = () => new AbortController().signal;

/** One log and one world, over which one "process" after the other runs the same turn. */
function setup(plans: "on" | "off" = "on", written: { writtenBy?: "model" } = {}) {
  const keys: string[] = [];
  const running: (() => void)[] = [];
  const slow = (idempotent: boolean) =>
    defineTool({
      description: "Hangs the first time, then does it",
      approval: "auto",
      effect: "write",
      idempotent,
      args: z.object({ n: z.number() }),
      returns: z.object({ n: z.number() }),
      run: ({ n }, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.filter((key) => key === idempotencyKey).length > 1) return { n: n * 2 };
        for (const tell of running.splice(0)) tell();
        return new Promise(() => undefined);
      },
    });
  const base = setUpGate({ extra: { slow: { safe: slow(true), unsafe: slow(false) } } });
  const { log, keeper, catalogue, redactor, gate, clock, ids, stream, turnId } = base;
  const parts = { log, catalogue, checker, stripper, sandbox, gate, redactor, clock, ids, sha256 };
  const cells = createCellRunner({ ...parts, limits: DEFAULT_CELL_LIMITS, plans });
  const deps = { keeper, cells, journal: log.journal };
  const turn = { stream, turnId, agentId: "exec", sessionKey: "test" };
  const cellId = ids.next("cell");
  const program = { cellId, language: "javascript" as const, ...written };

  const types = async () => (await readAll(log, stream)).map(({ type }) => type);
  const last = async (type: string) =>
    (await readAll(log, stream)).findLast((event) => event.type === type)?.data;
  /** Runs until `when`, then shuts down: as a crash, but that running tools are told. */
  const runUntil = async (code: string, when: () => Promise<unknown>): Promise<void> => {
    const stop = new AbortController();
    const ended = runProgramTurn(deps, { ...program, code }, turn, stop.signal).catch(
      (error: unknown) => error,
    );
    await when();
    stop.abort(new SuspendRequest());
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    expect(await ended).toBeInstanceOf(SuspendRequest);
  };
  const resume = (signal = live()) => runProgramTurn(deps, program, turn, signal);
  const asked = async () =>
    (await nextEvent(log, stream, "approval.requested")).data as { approvalId: CallId };
  const started = () => new Promise<void>((resolve) => running.push(resolve));
  return { ...base, cells, turn, program, keys, types, last, runUntil, resume, asked, started };
}

test("[A26] [A28] [A30] a turn that waited for an approval goes on with the same one, in another process", async () => {
  const { runUntil, resume, asked, approvals, types, last, log, program, world } = setup();
  const code = `const { text } = await tools.notes.read({});
    const all = await Promise.all([1, 2].map((n) => tools.notes.write({ text: "note " + n })));
    return [text.length, all.map((one) => one.written)]`;
  await runUntil(code, () => vi.waitFor(async () => expect(await types()).toContain("cell.suspended")));
  const { image, settled } = await readCellJournal(log.journal.read(program.cellId));
  expect(image?.after).toBe(settled.length);

  for (const { id } of await approvals.pending()) await approvals.resolve(id, { decision: "approved" }, "me");
  await asked();
  expect(await resume()).toEqual({ kind: "completed" });
  expect(world).toEqual(["note 1", "note 2"]);
  expect(await last("cell.completed")).toMatchObject({ result: [35, [1, 2]] });
  const operations = (await last("cell.completed")) as { operations: { fn: string }[] };
  expect(operations.operations.map(({ fn }) => fn)).toEqual(["notes.read", "notes.write", "notes.write"]);
  const seen = await types();
  for (const [type, count] of [
    ["turn.started", 1],
    ["cell.submitted", 1],
    ["call.requested", 3],
    ["approval.requested", 1],
    ["cell.resumed", 1],
    ["call.settled", 3],
    ["turn.completed", 1],
  ] as const) {
    expect([type, seen.filter((one) => one === type).length]).toEqual([type, count]);
  }
});

test("[A26] who wrote the program is still known", async () => {
  const { runUntil, resume, asked, approvals, last, program } = setup("on", { writtenBy: "model" });
  await runUntil(`await tools.notes.write({ text: "x" }); return "y".repeat(20_000);`, asked);
  for (const { id } of await approvals.pending()) await approvals.resolve(id, { decision: "approved" }, "me");
  expect(await resume()).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ cellId: program.cellId });
  expect(await last("cell.completed")).not.toHaveProperty("wholeResult");
});

test("[A26] an answer that comes after the restart counts as well, a denial too", async () => {
  const { runUntil, resume, asked, approvals, last, world } = setup();
  const code = `try { return await tools.notes.write({ text: "x" }) } catch (error) { return [error.code, error.message] }`;
  await runUntil(code, asked);
  const ran = resume();
  const { approvalId } = await asked();
  await approvals.resolve(approvalId, { decision: "denied", reason: "not now" }, "me");
  expect(await ran).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ result: ["denied", "not now"] });
  expect(world).toEqual([]);
});

test("[A27] an idempotent tool that was running is run again under the same key", async () => {
  const { runUntil, resume, started, keys, last } = setup();
  const begun = started();
  await runUntil("return await tools.slow.safe({ n: 4 })", () => begun);
  expect(await resume()).toEqual({ kind: "completed" });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await last("cell.completed")).toMatchObject({ result: { n: 8 } });
});

test.each([
  ["runs it again", { decision: "approved" }, { n: 8 }, 2],
  ["says what it gave", { decision: "denied", result: { value: { n: 99 } } }, { n: 99 }, 1],
  ["goes on without it", { decision: "denied", reason: "leave it" }, ["unknown", "leave it"], 1],
] as const)("[A27] about any other the user is asked, and %s", async (_what, answer, result, runs) => {
  const { runUntil, resume, started, approvals, keys, last } = setup();
  const code = `try { return await tools.slow.unsafe({ n: 4 }) } catch (error) { return [error.code, error.message] }`;
  const begun = started();
  await runUntil(code, () => begun);
  // Asked once, however often the process dies while the question is open.
  for (let crash = 0; crash < 2; crash++) {
    const stop = new AbortController();
    const ended = resume(stop.signal).catch((error: unknown) => error);
    await vi.waitFor(async () => expect(await approvals.pending()).toHaveLength(1));
    stop.abort(new SuspendRequest());
    expect(await ended).toBeInstanceOf(SuspendRequest);
  }
  const ran = resume();
  const [question] = await approvals.pending();
  if (question === undefined) throw new Error("It should ask");
  expect(question).toMatchObject({
    unknownCall: keys[0],
    preview: { title: expect.stringContaining("Did this happen?") },
  });
  await approvals.resolve(question.id, answer, "me");
  expect(await ran).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ result });
  expect(keys).toHaveLength(runs);
});

test("[A38] a turn that ends without coming to what an earlier process had begun leaves nothing open", async () => {
  const { runUntil, resume, asked, approvals, log, program, types } = setup();
  await runUntil(`return await tools.notes.write({ text: "x" })`, asked);
  await log.journal.erase(program.cellId);
  expect(await resume()).toMatchObject({ kind: "failed", code: "program_lost" });
  expect(await approvals.pending()).toEqual([]);
  expect((await types()).slice(-4)).toEqual([
    "approval.resolved",
    "call.settled",
    "cell.completed",
    "turn.failed",
  ]);
});

test("[A38] so does one that is stopped as it resumes", async () => {
  const { runUntil, resume, asked, approvals, world } = setup();
  await runUntil(`return await tools.notes.write({ text: "x" })`, asked);
  const stop = new AbortController();
  stop.abort(new StopRequest("me"));
  expect(await resume(stop.signal)).toEqual({ kind: "aborted" });
  expect(await approvals.pending()).toEqual([]);
  expect(world).toEqual([]);
});

test("[A28] a cell sleeps again after one of several answers, and no image is kept twice", async () => {
  const { runUntil, resume, approvals, log, program } = setup("off");
  const code = `return (await Promise.all([1, 2, 3].map((n) => tools.notes.write({ text: "n" + n })))).length`;
  const images = async () =>
    (await Array.fromAsync(log.journal.read(program.cellId))).filter(({ kind }) => kind === "image");
  await runUntil(code, () => vi.waitFor(async () => expect(await images()).toHaveLength(1)));
  const stop = new AbortController();
  const ended = resume(stop.signal).catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await approvals.pending()).toHaveLength(3));
  const [first] = await approvals.pending();
  if (first === undefined) throw new Error("It should ask");
  await approvals.resolve(first.id, { decision: "approved" }, "me");
  await vi.waitFor(async () => expect(await images()).toHaveLength(2));
  stop.abort(new SuspendRequest());
  await ended;
  const { image, settled } = await readCellJournal(log.journal.read(program.cellId));
  expect([image?.after, settled.length]).toEqual([1, 1]);
});

test("[A6] what the user says a call gave is redacted in the event, and whole for the program", async () => {
  const { runUntil, resume, started, approvals, log, stream, last } = setup();
  const begun = started();
  await runUntil("return (await tools.slow.unsafe({ n: 4 })).n", () => begun);
  const ran = resume();
  await vi.waitFor(async () => expect(await approvals.pending()).toHaveLength(1));
  const [question] = await approvals.pending();
  if (question === undefined) throw new Error("It should ask");
  const answer = {
    decision: "denied" as const,
    reason: SECRET,
    result: { value: { n: SECRET.length, note: SECRET } },
  };
  await approvals.resolve(question.id, answer, "me");
  expect(await ran).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ result: SECRET.length });
  expect(JSON.stringify(await readAll(log, stream))).not.toContain(SECRET);
});

test("[A29] a program whose turn had not begun is run from the journal", async () => {
  const { resume, log, stream, program, last } = setup();
  const journal = [programEntry(program.cellId, { code: "return 5", startedAtMs: 0 })];
  await log.append(
    stream,
    [{ type: "session.started", data: { agentId: "exec", key: "k", channel: "task" } }],
    { journal },
  );
  expect(await resume()).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ cellId: program.cellId, result: 5 });
});

test.each([
  ["completed", undefined, { kind: "completed" }],
  [
    "failed",
    { code: "threw", message: "oh", line: 3 },
    { kind: "failed", code: "threw", message: "line 3: oh" },
  ],
] as const)("[A29] a turn whose cell had %s ends so, and runs nothing", async (_what, error, outcome) => {
  const { resume, log, stream, turnId, program, types } = setup();
  const { cellId } = program;
  await log.append(stream, [
    { type: "turn.started", turnId, data: { agentId: "exec", model: "none" } },
    {
      type: "cell.submitted",
      turnId,
      data: { cellId, language: "javascript", code: "", sha256: sha256("") },
    },
    {
      type: "cell.completed",
      turnId,
      data: { cellId, logs: [], operations: [], ...(error === undefined ? {} : { error }) },
    },
  ]);
  expect(await resume()).toEqual(outcome);
  expect((await types()).slice(3)).toEqual(["turn.claimed", `turn.${outcome.kind}`]);
});

test("[A29] a program that the journal has lost fails, and nothing is repeated", async () => {
  const { runUntil, resume, started, log, program, keys } = setup();
  const begun = started();
  await runUntil("return await tools.slow.safe({ n: 4 })", () => begun);
  await log.journal.erase(program.cellId);
  expect(await resume()).toMatchObject({ kind: "failed", code: "program_lost" });
  expect(keys).toHaveLength(1);
});

test("[A26] a program that does something else than it did is stopped as diverged", async () => {
  const { runUntil, resume, asked, log, stream, program, last, world } = setup();
  await runUntil(`await tools.notes.read({}); return await tools.notes.write({ text: "x" })`, asked);
  const { settled } = await readCellJournal(log.journal.read(program.cellId));
  await log.journal.erase(program.cellId);
  const code = `await tools.notes.read({}); return await tools.notes.write({ text: "y" })`;
  const journal = [
    programEntry(program.cellId, { code, startedAtMs: 0 }),
    ...settled.map((entry) => settledEntry(program.cellId, entry)),
  ];
  await log.append(stream, [], { journal });
  expect(await resume()).toMatchObject({ kind: "failed", code: "diverged" });
  expect(await last("cell.completed")).toMatchObject({ error: { code: "diverged" } });
  expect(world).toEqual([]);
});

test("[A26] a model's turn goes on with its program, then with the model", async () => {
  const { log, keeper, catalogue, redactor, clock, ids, cells, turn, approvals, types, world, stream } =
    setup();
  const model = createRehearsalModel({ provider: "rehearsal", model: "tour" });
  const profile = {
    model,
    cells,
    catalogue,
    mode: "code" as const,
    limits: DEFAULT_TURN_LIMITS,
    instructions: [],
  };
  const turns = createTurnRunner({ keeper, profileOf: async () => profile, redactor, clock, ids });
  const text = '```ts\nreturn await tools.notes.write({ text: "from a model" });\n```';
  const said = { text, attachments: [], channel: "test", sender: "me", trust: "user" as const };
  await log.append(stream, [{ type: "user.message", turnId: turn.turnId, data: said }]);
  const stop = new AbortController();
  const ended = turns.run(turn, stop.signal).catch((error: unknown) => error);
  await nextEvent(log, stream, "approval.requested");
  stop.abort(new SuspendRequest());
  expect(await ended).toBeInstanceOf(SuspendRequest);
  const again = turns.run(turn, live());
  for (const { id } of await approvals.pending()) await approvals.resolve(id, { decision: "approved" }, "me");
  expect(await again).toEqual({ kind: "completed" });
  expect(world).toEqual(["from a model"]);
  const seen = await types();
  expect(seen.filter((type) => type === "cell.submitted")).toHaveLength(1);
  expect(seen.slice(-2)).toEqual(["assistant.message", "turn.completed"]);
});

test("[A308] what was in flight when the process died is `unknown` when the program ends without coming back to it", async () => {
  const { runUntil, resume, started, last, keys, log, program, stream, turnId, approvals } = setup("off");
  const begun = started();
  const both = `return await Promise.all([tools.slow.unsafe({ n: 1 }), tools.notes.write({ text: "x" }), tools.notes.write({ text: "y" })])`;
  await runUntil(both, async () => {
    await begun;
    await vi.waitFor(async () => expect(await approvals.pending()).toHaveLength(2));
  });
  // As the process wrote it down right before it died: the second of three failed, which ends the program.
  const requested = (await readAll(log, stream)).filter(({ type }) => type === "call.requested");
  const [, second] = requested.map(({ data }) => data as EventData<"call.requested">);
  if (second === undefined) throw new Error("It made three calls");
  const { callId, toolPath, inputHash, index } = second;
  const { cellId } = program;
  const error = { code: "tool_failed", message: "full" };
  const ended = { callId, toolPath, status: "failed" as const, error, durationMs: 1 };
  await log.append(
    stream,
    [{ type: "call.settled", turnId, data: { ...ended, cellId, attachments: [], labels: [] } }],
    { journal: [settledEntry(cellId, { ...ended, index, input: { text: "x" }, inputHash, atMs: 0 })] },
  );

  expect(await resume()).toMatchObject({ kind: "failed", code: "threw" });
  expect(keys).toHaveLength(1);
  expect(await approvals.pending()).toEqual([]);
  const { operations } = (await last("cell.completed")) as EventData<"cell.completed">;
  expect(operations.map(({ fn }) => fn)).toEqual(["slow.unsafe", "notes.write", "notes.write"]);
  const events = await readAll(log, stream);
  const settled = events.flatMap(({ type, data }) =>
    type === "call.settled" ? [data as EventData<"call.settled">] : [],
  );
  expect(settled.map(({ status, error: why }) => [status, why?.code])).toEqual([
    ["failed", "tool_failed"],
    ["unknown", "unknown"],
    ["failed", "interrupted"],
  ]);
  expect((await readCellJournal(log.journal.read(cellId))).settled).toHaveLength(3);
  const types = events.map(({ type }) => type);
  expect(types.lastIndexOf("call.settled")).toBeLessThan(types.indexOf("cell.completed"));
});
