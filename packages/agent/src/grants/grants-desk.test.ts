import type { ApprovalAnswer, EventData } from "@deputy/protocol";
import { expect, test } from "vitest";
import { live, nextEvent, setUpGate } from "../agent.fixture.ts";
import { createApprovalsReader } from "../approvals/approvals-reader.ts";
import { createLogGrantsDesk } from "./grants-desk.ts";

function setUpDesk() {
  const setup = setUpGate();
  const { log, clock, approvals, call, ids, stream } = setup;
  const desk = createLogGrantsDesk({ log, clock });
  const reader = createApprovalsReader({ log, clock });
  /** Writes a note in a session of its own, once that has been answered so. */
  const write = async (answer: ApprovalAnswer, session = ids.next("session")) => {
    const written = call("notes.write", { text: "hi" }, live, session);
    const { data } = await nextEvent(log, session, "approval.requested");
    const { approvalId } = data as EventData<"approval.requested">;
    await approvals.resolve(approvalId, answer, "me");
    await written;
    return { session, approvalId };
  };
  const yes = (scope: "once" | "session" | "task", expiresAt?: string) =>
    write({ decision: "approved", scope, ...(expiresAt === undefined ? {} : { expiresAt }) });
  return { ...setup, desk, reader, write, yes, stream };
}

test("[A117] a grant is listed until it expires; what was allowed once is none", async () => {
  const { desk, yes, clock } = setUpDesk();
  await yes("once");
  const soon = new Date(clock.now() + 60_000).toISOString();
  const { session } = await yes("session", soon);
  const forLater = await yes("task", new Date(clock.now() + 120_000).toISOString());
  const inputHash = expect.any(String);
  const bindings = [{ toolPath: "notes.write" }, { toolPath: "notes.write", inputHash }];
  expect(await desk.list()).toMatchObject([
    { stream: session, scope: "session", bindings, expiresAt: soon },
    { stream: forLater.session, scope: "task", bindings },
  ]);
  await clock.advance(60_000);
  expect(await desk.list()).toMatchObject([{ stream: forLater.session }]);
});

test("[A117] the log says which grant allowed a call, and the list how often each did and when last", async () => {
  const { desk, yes, write, call, clock, log } = setUpDesk();
  const { session } = await yes("session");
  const other = await write({ decision: "approved", scope: "task", expiresAt: later(clock.now()) });
  expect(await desk.list()).toMatchObject([{ uses: 0 }, { uses: 0 }]);
  await call("notes.write", { text: "hi" }, live, session);
  await clock.advance(1_000);
  const lastUsedAt = new Date(clock.now()).toISOString();
  await call("notes.write", { text: "hi" }, live, session);
  await call("notes.read", {}, live, session);
  const [first, second] = await desk.list();
  expect(first).toMatchObject({ stream: session, uses: 2, lastUsedAt });
  expect(second).toMatchObject({ stream: other.session, uses: 0 });
  expect(second).not.toHaveProperty("lastUsedAt");
  const decided = (await Array.fromAsync(log.read(session))).filter(({ type }) => type === "call.decided");
  const grants = decided.map(({ data }) => (data as EventData<"call.decided">).grantId);
  expect(grants).toEqual([undefined, first?.id, first?.id, undefined]);
});

const later = (ms: number): string => new Date(ms + 60_000).toISOString();

test("[A117] revoked, it allows nothing from the next call on; once is enough", async () => {
  const { desk, yes, call, approvals, log, ids } = setUpDesk();
  const { session } = await yes("session");
  expect((await call("notes.write", { text: "hi" }, live, session)).status).toBe("succeeded");
  const [grant] = await desk.list();
  if (grant === undefined) throw new Error("There should be one");
  expect(await desk.revoke(grant.id, "me")).toMatchObject({ kind: "revoked", grant: { id: grant.id } });
  expect(await desk.revoke(grant.id, "me")).toMatchObject({
    kind: "already_revoked",
    grant: { id: grant.id },
  });
  expect(await desk.revoke(ids.next("grant"), "me")).toEqual({ kind: "unknown" });
  expect(await desk.list()).toEqual([]);
  const stop = new AbortController();
  const third = call("notes.write", { text: "third" }, stop.signal, session);
  await expect.poll(async () => (await approvals.pending()).length).toBe(1);
  stop.abort();
  expect((await third).status).toBe("denied");
  const events = await Array.fromAsync(log.read(session));
  expect(events.filter(({ type }) => type === "grant.revoked")).toHaveLength(1);
});

test("[A117] what can allow nothing any more is not listed: its task, or the turn of its plan, has ended", async () => {
  const { desk, yes, log, ids, turnId, stream } = setUpDesk();
  const { session } = await yes("session");
  await log.append(session, [
    { type: "turn.completed", turnId, data: { usage: { inputTokens: 0, outputTokens: 0, modelCalls: 0 } } },
  ]);
  expect(await desk.list()).toHaveLength(1);
  const outcome = { taskId: ids.next("task"), outcome: "succeeded" as const };
  await log.append(session, [{ type: "task.completed", data: outcome }]);
  expect(await desk.list()).toEqual([]);

  const grant = (planId = ids.next("plan")) => ({
    grantId: ids.next("grant"),
    scope: "plan" as const,
    planId,
    bindings: [],
  });
  const other = ids.next("turn");
  await log.append(stream, [
    { type: "grant.created", turnId, data: grant() },
    { type: "grant.created", turnId: other, data: grant() },
  ]);
  expect(await desk.list()).toHaveLength(2);
  await log.append(stream, [{ type: "turn.aborted", turnId, data: { by: "me" } }]);
  expect(await desk.list()).toHaveLength(1);
});

test("[A118] an approval is found with what came of it, by whoever can read the log", async () => {
  const { reader, write, log, clock, ids, stream } = setUpDesk();
  const denied = await write({ decision: "denied", reason: "not now" });
  expect(await reader.pending()).toEqual([]);
  expect(await reader.find(denied.approvalId)).toMatchObject({
    id: denied.approvalId,
    toolPath: "notes.write",
    status: "denied",
    answer: { by: "me", reason: "not now", scope: "once" },
  });
  const approvalId = ids.next("call");
  const expiresAt = new Date(clock.now() + 1_000).toISOString();
  const data = { approvalId, toolPath: "a.b", input: {}, preview: { title: "Do it" }, expiresAt };
  await log.append(stream, [{ type: "approval.requested", data: { ...data, bindingHash: "0".repeat(64) } }]);
  expect(await reader.pending()).toMatchObject([{ id: approvalId, expiresAt }]);
  expect(await reader.find(approvalId)).toMatchObject({ status: "pending" });
  await clock.advance(1_000);
  expect(await reader.pending()).toEqual([]);
  expect(await reader.find(approvalId)).toMatchObject({ status: "expired" });
  expect(await reader.find(ids.next("call"))).toBeUndefined();
});
