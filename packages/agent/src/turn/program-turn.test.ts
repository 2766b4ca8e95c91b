import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAll, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { runProgramTurn } from "./program-turn.ts";
import { StopRequest } from "./stop-request.ts";

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

function setup() {
  const base = setUpGate();
  const { log, keeper, catalogue, redactor, gate, clock, ids, stream } = base;
  const limits = DEFAULT_CELL_LIMITS;
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
    limits,
  });
  const turn = { stream, turnId: base.turnId, agentId: "exec", sessionKey: "test" };
  const run = (code: string, signal = new AbortController().signal) =>
    runProgramTurn({ keeper, cells, journal: log.journal }, { code, language: "typescript" }, turn, signal);
  const runForModel = (code: string) => {
    const program = { code, language: "typescript", writtenBy: "model" } as const;
    return runProgramTurn(
      { keeper, cells, journal: log.journal },
      program,
      turn,
      new AbortController().signal,
    );
  };
  const events = async () => await readAll(log, stream);
  const last = async (type: string) => (await events()).findLast((event) => event.type === type)?.data;
  return { ...base, run, runForModel, events, last };
}

test("[A25] a program runs, every call through the gate, and is the whole turn", async () => {
  const { run, events, last } = setup();
  expect(await run("return (await tools.notes.fail({ how: 'throw' }).catch(() => 7)) as number;")).toEqual({
    kind: "completed",
  });
  expect((await events()).map((event) => event.type)).toEqual([
    "turn.started",
    "cell.submitted",
    "cell.checked",
    "call.requested",
    "call.decided",
    "call.started",
    "call.settled",
    "cell.completed",
    "turn.completed",
  ]);
  expect(await last("cell.completed")).toMatchObject({ author: "user", result: 7 });
  expect(await last("cell.completed")).not.toHaveProperty("wholeResult");
});

test("[A25] a program that does not typecheck, or fails, fails the turn and says where", async () => {
  const rejected = setup();
  expect(await rejected.run("const n: number = 'x';\nreturn m;")).toMatchObject({
    kind: "failed",
    code: "typecheck_failed",
    message: expect.stringMatching(/nothing ran\. line 1: .*\(and 1 more\)/),
  });
  expect(await rejected.last("cell.checked")).toMatchObject({ author: "user" });
  const failed = setup();
  expect(await failed.run("\nthrow new Error('boom');")).toEqual({
    kind: "failed",
    code: "threw",
    message: expect.stringMatching(/^line 2: .*boom/),
  });
});

test("[A25] stopping it ends the turn and says by whom", async () => {
  const { run, last, running } = setup();
  const stop = new AbortController();
  const ended = run("await tools.notes.hang({});", stop.signal);
  await running;
  stop.abort(new StopRequest("page"));
  expect(await ended).toEqual({ kind: "aborted" });
  expect(await last("turn.aborted")).toMatchObject({ by: "page" });
});

test.each([
  ["redacted", "return (await tools.notes.read({})).text;", JSON.stringify(`the key is ${SECRET}`)],
  ["too large for it", "return 'x'.repeat(20_000);", JSON.stringify("x".repeat(20_000))],
])("[A25] a result that the event has %s is whole in the journal", async (_how, code, whole) => {
  const { run, last, log, events } = setup();
  expect(await run(code)).toEqual({ kind: "completed" });
  expect(await last("cell.completed")).toMatchObject({ wholeResult: "journal" });
  expect(JSON.stringify(await events())).not.toContain(SECRET);
  const { cellId } = (await last("cell.completed")) as { cellId: Parameters<typeof log.journal.read>[0] };
  const kept = (await Array.fromAsync(log.journal.read(cellId))).filter(({ kind }) => kind === "result");
  expect(kept.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual([whole]);
});

test("[A25] what goes back to a client's model is never more than the event has", async () => {
  const { runForModel, last, log } = setup();
  expect(await runForModel("return (await tools.notes.read({})).text;")).toEqual({ kind: "completed" });
  expect(await last("cell.submitted")).toMatchObject({ writtenBy: "model" });
  expect(await last("cell.completed")).toMatchObject({
    author: "user",
    result: expect.not.stringContaining(SECRET),
  });
  expect(await last("cell.completed")).not.toHaveProperty("wholeResult");
  const { cellId } = (await last("cell.completed")) as { cellId: Parameters<typeof log.journal.read>[0] };
  const kept = await Array.fromAsync(log.journal.read(cellId));
  expect(kept.map(({ kind }) => kind)).not.toContain("result");
});
