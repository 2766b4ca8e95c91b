import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import type { ApprovalId, EventData, EventLog } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { answerEntry } from "../cell/cell-journal.ts";
import { createLogApprovalDesk } from "./log-approval-desk.ts";

const live = new AbortController().signal;

function setup(through: (log: EventLog) => Partial<EventLog> = () => ({})) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  onTestFinished(() => log.close());
  const session = ids.next("session");
  const ask = async (data: Partial<EventData<"approval.requested">> = {}): Promise<ApprovalId> => {
    const asked = { toolPath: "notes.write", input: {}, preview: { title: "Write" } };
    const approvalId = data.approvalId ?? ids.next("call");
    const bindingHash = "0".repeat(64);
    const event = {
      type: "approval.requested" as const,
      data: { ...asked, bindingHash, ...data, approvalId },
    };
    await log.append(session, [event]);
    return approvalId;
  };
  const inMs = (ms: number): string => new Date(clock.now() + ms).toISOString();
  const redactor = createRedactor([]);
  const desk = createLogApprovalDesk({ log: { ...log, ...through(log) }, clock, ids, redactor });
  return { clock, ids, log, session, ask, inMs, desk };
}

test("[A27] what a call is said to have given is journalled for its cell with the answer", async () => {
  const journals: unknown[] = [];
  const { desk, ask, ids } = setup((log) => ({
    append: (stream, events, options) => {
      journals.push(options?.journal);
      return log.append(stream, events, options);
    },
  }));
  const [cellId, unknownCall] = [ids.next("cell"), ids.next("call")];
  const given = { decision: "approved", result: { value: { n: 5 } } } as const;
  const id = await ask({ cellId, unknownCall });
  await desk.resolve(id, given, "me");
  await desk.resolve(await ask({ cellId }), { decision: "approved" }, "me");
  expect(await desk.resolve(await ask(), given, "me")).toMatchObject({ kind: "invalid" });
  expect(journals).toEqual([[answerEntry(cellId, id, { n: 5 })], []]);
});

test("[A8] who answers after a plain yes is told just that", async () => {
  const { desk, ask } = setup();
  const id = await ask();
  await desk.resolve(id, { decision: "approved" }, "me");
  expect(await desk.resolve(id, { decision: "denied" }, "me")).toStrictEqual({
    kind: "already_resolved",
    decision: "approved",
  });
});

test("[A91] answered, nothing waits for the end of its time any more; without an end, nothing ever did", async () => {
  const { desk, ask, clock, inMs } = setup();
  const [ending, endless] = [await ask({ expiresAt: inMs(1_000) }), await ask()];
  const waiting = [desk.wait(ending, live), desk.wait(endless, live)];
  await desk.pending();
  expect(clock.sleepers).toBe(1);
  await desk.resolve(ending, { decision: "approved" }, "me");
  await desk.resolve(endless, { decision: "denied" }, "me");
  expect(await Promise.all(waiting)).toMatchObject([{ decision: "approved" }, { decision: "denied" }]);
  expect(clock.sleepers).toBe(0);
});

test("[A91] an answer that came at the last moment is not followed by an expiry", async () => {
  // This one hears of no answer by itself.
  const { desk, ask, clock, inMs, log, session } = setup(() => ({
    async *subscribeAll(_from, signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield* [];
    },
  }));
  const stop = new AbortController();
  const id = await ask({ expiresAt: inMs(1_000) });
  const ended = expect(desk.wait(id, stop.signal)).rejects.toThrow();
  await desk.pending();
  await desk.resolve(id, { decision: "approved" }, "me");
  await clock.advance(1_000);
  await desk.resolve(id, { decision: "denied" }, "late");
  stop.abort();
  await ended;
  expect((await Array.fromAsync(log.read(session))).map(({ type }) => type)).toEqual([
    "approval.requested",
    "approval.resolved",
  ]);
});

test("[A9] one can wait for what is surely not asked yet", async () => {
  const { desk, ask, ids } = setup();
  const approvalId = ids.next("call");
  const waiting = desk.wait(approvalId, live);
  await desk.pending();
  await ask({ approvalId });
  await desk.resolve(approvalId, { decision: "denied" }, "me");
  expect(await waiting).toMatchObject({ decision: "denied" });
});

test("[A12] what a turn left unanswered ends with it: it is no longer pending, and takes no answer", async () => {
  const { desk, ids, log, session } = setup();
  const turnId = ids.next("turn");
  const approvalId = ids.next("call");
  const asked = { approvalId, toolPath: "notes.write", input: {}, preview: { title: "Write" } };
  await log.append(session, [
    { type: "approval.requested", turnId, data: { ...asked, bindingHash: "0".repeat(64) } },
  ]);
  expect(await desk.pending()).toHaveLength(1);
  await log.append(session, [{ type: "turn.aborted", turnId, data: { by: "owner" } }]);
  expect(await desk.pending()).toEqual([]);
  expect(await desk.resolve(approvalId, { decision: "approved" }, "me")).toEqual({
    kind: "already_resolved",
    decision: "denied",
  });
});
