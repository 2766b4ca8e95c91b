import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { defineTool } from "@deputy/tools";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { live, nextEvent, readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { runProgramTurn } from "../turn/program-turn.ts";
import { SuspendRequest } from "../turn/stop-request.ts";

let checker: TypeChecker;
let sandbox: Sandbox;

beforeAll(() => {
  checker = createNodeTypeChecker();
  sandbox = createWorkerSandbox();
});

afterAll(async () => {
  await checker[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** Processes one after the other over one log; each dies while the tool runs, which never ends. */
function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const turn = { stream: ids.next("session"), turnId: ids.next("turn"), agentId: "exec", sessionKey: "test" };
  const cellId = ids.next("cell");
  let runs = 0;
  const poison = defineTool({
    description: "Reads, and never comes back",
    approval: "auto",
    args: z.object({}),
    run: () => {
      runs += 1;
      return new Promise(() => undefined);
    },
  });
  const begin = (owner: string, signal = live) => {
    const base = setUpGate({ log, clock, owner, extra: { poison: { read: poison } } });
    const { keeper, catalogue, redactor, gate } = base;
    const parts = { log: keeper.log, catalogue, checker, sandbox, gate, redactor, clock, ids, sha256 };
    const stripper = createNodeTypeStripper();
    const cells = createCellRunner({ ...parts, stripper, limits: DEFAULT_CELL_LIMITS });
    const code = "try { return await tools.poison.read({}); } catch (e) { return e.code; }";
    const program = { cellId, language: "javascript" as const, code };
    const ended = runProgramTurn({ keeper, cells, journal: log.journal }, program, turn, signal);
    return { ...base, ended: ended.catch((error: unknown) => error) };
  };
  const started = (times: number) =>
    expect
      .poll(
        async () => (await readAll(log, turn.stream)).filter(({ type }) => type === "call.started").length,
      )
      .toBe(times);
  return { log, turn, clock, begin, started, runs: () => runs };
}

test("[A145] a call that ran at two deaths is not repeated a third time, though it is idempotent; the user decides", async () => {
  const { log, turn, begin, started, runs } = setup();
  begin("process 1");
  await started(1);
  begin("process 2");
  await started(2);
  const third = begin("process 3");
  const asked = await nextEvent(log, turn.stream, "approval.requested");
  expect(asked.data).toMatchObject({ toolPath: "poison.read", deaths: 2 });
  const { preview } = asked.data as { preview: { details: string } };
  expect(preview.details).toMatch(/^Deputy died 2 times while this ran, so it may be the cause\./);
  const [pending] = await third.approvals.pending();
  expect(pending).toMatchObject({ deaths: 2 });
  await third.approvals.resolve(pending!.id, { decision: "denied", reason: "no more" }, "me");
  expect(await third.ended).toEqual({ kind: "completed" });
  const events = await readAll(log, turn.stream);
  expect(events.findLast(({ type }) => type === "cell.completed")?.data).toMatchObject({ result: "unknown" });
  expect(runs()).toBe(2);
});

test("[A145] a shutdown is no death: what was let go of is repeated as ever", async () => {
  const { begin, started, runs, clock } = setup();
  for (let times = 1; times <= 4; times++) {
    const stop = new AbortController();
    const { ended } = begin(`process ${times}`, stop.signal);
    await started(times);
    stop.abort(new SuspendRequest());
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    expect(await ended).toBeInstanceOf(SuspendRequest);
  }
  expect(runs()).toBe(4);
});
