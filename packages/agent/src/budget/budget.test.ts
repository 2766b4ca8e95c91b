import type { EventData, EventLog, StreamId } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createIdSource } from "@deputy/kit";
import { expect, test, vi } from "vitest";
import { live, nextEvent, readAll, setUpGate } from "../agent.fixture.ts";
import { listedIn, setUpPlans } from "../plan/plan.fixture.ts";
import { copyEvent } from "../sessions/event-copy.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const HOUR_MS = 3_600_000;

/** A gate with budgets over a log that counts how often it is read, which another gate can go on with. */
function setUpBudget(per: "turn" | "session" | "day", calls: number, tool = "notes") {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const kept = createMemoryEventLog({ clock, ids });
  let reads = 0;
  let looks = 0;
  const log: EventLog = {
    ...kept,
    read: (...args) => {
      reads += 1;
      return kept.read(...args);
    },
    readAll: (options = {}) => {
      if (options.types?.includes("turn.started") === true) looks += 1;
      return kept.readAll(options);
    },
  };
  const open = () => setUpGate({ log, clock, budgets: [{ tool, calls, per }] });
  const begin = async (stream: StreamId) => {
    const turnId = ids.next("turn");
    await log.append(stream, [{ type: "turn.started", turnId, data: { agentId: "main", model: "a/b" } }]);
    return turnId;
  };
  return { ...open(), log, ids, clock, open, begin, readsSoFar: () => [reads, looks] as const };
}

/** Reads the notes; whether that asked. What asks is denied. */
async function asks(
  { call, approvals }: Pick<ReturnType<typeof setUpGate>, "call" | "approvals">,
  ...place: [stream?: StreamId, turnId?: Parameters<ReturnType<typeof setUpGate>["call"]>[4]]
): Promise<boolean> {
  let isOver = false;
  const ended = call("notes.read", {}, live, ...place).finally(() => (isOver = true));
  const asked = await vi.waitFor(async () => {
    const [pending] = await approvals.pending();
    if (pending === undefined && !isOver) throw new Error("Neither asked nor over");
    return pending;
  });
  if (asked !== undefined) await approvals.resolve(asked.id, { decision: "denied" }, "me");
  expect((await ended).status).toBe(asked === undefined ? "succeeded" : "denied");
  return asked !== undefined;
}

test.each([
  { per: "turn", thisTurn: true, nextTurn: false, elsewhere: false, tomorrow: false },
  { per: "session", thisTurn: true, nextTurn: true, elsewhere: false, tomorrow: true },
  { per: "day", thisTurn: true, nextTurn: true, elsewhere: true, tomorrow: false },
] as const)("[A113] a budget per $per", async ({ per, thisTurn, nextTurn, elsewhere, tomorrow }) => {
  const setup = setUpBudget(per, 2);
  const { stream, ids, clock, begin } = setup;
  const turnId = await begin(stream);
  expect(await asks(setup, stream, turnId)).toBe(false);
  expect(await asks(setup, stream, turnId)).toBe(false);
  expect(await asks(setup, stream, turnId)).toBe(thisTurn);
  expect(await asks(setup, stream, await begin(stream))).toBe(nextTurn);
  const other = ids.next("session");
  expect(await asks(setup, other, await begin(other))).toBe(elsewhere);
  await clock.advance(24 * HOUR_MS);
  expect(await asks(setup, stream, await begin(stream))).toBe(tomorrow);
});

test("[A113] what failed counts; what was denied, unknown or invalid does not", async () => {
  const setup = setUpBudget("session", 2);
  await setup.call("notes.nowhere", {});
  await setup.call("notes.fail", { how: "nonsense" });
  const denied = setup.call("notes.write", { text: "hi" });
  const { data } = await nextEvent(setup.log, setup.stream, "approval.requested");
  const { approvalId } = data as EventData<"approval.requested">;
  await setup.approvals.resolve(approvalId, { decision: "denied" }, "me");
  expect((await denied).status).toBe("denied");
  await setup.call("notes.fail", { how: "throw" });
  expect(await asks(setup)).toBe(false);
  expect(await asks(setup)).toBe(true);
});

test("[A113] a call that was repeated counts once, and the copies in a fork not at all", async () => {
  const { stream, log, ids, turnId, open } = setUpBudget("session", 1);
  const callId = ids.next("call");
  const data = { callId, toolPath: "notes.read", idempotencyKey: callId };
  const fork = ids.next("session");
  await log.append(stream, [
    { type: "call.started", turnId, data },
    { type: "call.started", turnId, data },
  ]);
  const events = await readAll(log, stream);
  await log.append(
    fork,
    events.map((event) => copyEvent(event as Parameters<typeof copyEvent>[0])),
  );
  const setup = open();
  expect(await asks(setup, fork)).toBe(false);
  expect(await asks(setup, fork)).toBe(true);
  expect(await asks(setup, stream)).toBe(true);

  const roomy = setUpGate({ log, budgets: [{ tool: "notes", calls: 2, per: "session" }] });
  expect(await asks(roomy, stream)).toBe(false);
});

test("[A114] of calls side by side, only as many go through as the budget has", async () => {
  const { call, approvals, stream, log } = setUpBudget("turn", 2);
  const calls = Promise.all(Array.from({ length: 5 }, () => call("notes.read", {})));
  await vi.waitFor(async () => expect(await approvals.pending()).toHaveLength(3));
  for (const [n, { id }] of (await approvals.pending()).entries())
    await approvals.resolve(id, { decision: n === 0 ? "approved" : "denied" }, "me");
  const statuses = (await calls).map(({ status }) => status);
  expect(statuses.filter((status) => status === "succeeded")).toHaveLength(3);
  const decided = (await readAll(log, stream)).filter(({ type }) => type === "call.decided");
  expect(decided.map(({ data }) => (data as EventData<"call.decided">).rule)).toEqual([
    expect.not.stringContaining("budget"),
    expect.not.stringContaining("budget"),
    "policy.budgets[0]",
    "policy.budgets[0]",
    "policy.budgets[0]",
  ]);
});

test("[A115] a new process goes on counting, and reads each session once", async () => {
  const first = setUpBudget("day", 4);
  const { stream, ids, begin, open, readsSoFar } = first;
  const other = ids.next("session");
  for (const session of [stream, other]) expect(await asks(first, session, await begin(session))).toBe(false);

  const again = open();
  const [reads, looks] = readsSoFar();
  for (let n = 0; n < 2; n++) expect(await asks(again, stream)).toBe(false);
  expect(await asks(again, stream)).toBe(true);
  expect(readsSoFar(), "each session once, and once which there are").toEqual([reads + 2, looks + 1]);
});

test("[A115] a turn that began before midnight and goes on counts where its calls were", async () => {
  const setup = setUpBudget("day", 1);
  const { stream, ids, clock, begin, open } = setup;
  await clock.advance(23 * HOUR_MS - new Date(clock.now()).getHours() * HOUR_MS);
  const turnId = await begin(stream);
  expect(await asks(setup, stream, turnId)).toBe(false);
  await clock.advance(2 * HOUR_MS);
  expect(await asks(setup, stream, turnId)).toBe(false);
  expect(await asks(open(), ids.next("session"))).toBe(true);
});

test("[A116] what a budget will ask about is on the plan, and what it leaves is not", async () => {
  const { run, answering, done } = setUpPlans({ budgets: [{ tool: "issues.touch", calls: 2, per: "turn" }] });
  const asked = await answering(
    run(`await tools.issues.close({ id: 1 });
      for (const id of [1, 2, 3, 4]) await tools.issues.touch({ id });
      return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([
    [`issues.close {"id":1}`, `issues.touch {"id":3}`, `issues.touch {"id":4}`],
  ]);
  expect(done).toEqual(["close 1", "touch 1", "touch 2", "touch 3", "touch 4"]);
});

test("[A116] used up in the middle of a program, it asks once for the rest", async () => {
  const { run, answering, done } = setUpPlans({ budgets: [{ tool: "issues.touch", calls: 2, per: "turn" }] });
  const asked = await answering(
    run(`for (const id of [1, 2, 3, 4, 5]) await tools.issues.touch({ id }); return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([[3, 4, 5].map((id) => `issues.touch {"id":${id}}`)]);
  expect(done).toHaveLength(5);
});
