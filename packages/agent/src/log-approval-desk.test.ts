import type { CallId } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { live, readAll, setUpGate, sha256 } from "./agent.fixture.ts";
import { createLogApprovalDesk } from "./log-approval-desk.ts";

function setup() {
  const base = setUpGate();
  const request = async (expiresInMs?: number): Promise<CallId> => {
    const approvalId = base.ids.next("call");
    const expiry =
      expiresInMs === undefined ? {} : { expiresAt: new Date(base.clock.now() + expiresInMs).toISOString() };
    const event: NewEvent = {
      type: "approval.requested",
      data: {
        approvalId,
        toolPath: "notes.write",
        input: {},
        preview: { title: "Write" },
        bindingHash: sha256(""),
        ...expiry,
      },
    };
    await base.log.append(base.stream, [event]);
    return approvalId;
  };
  return { ...base, request, desk: base.approvals };
}

test("[A8] the first answer counts, and the second is told", async () => {
  const { desk, request, log, stream } = setup();
  const id = await request();
  expect(await desk.resolve(id, { decision: "denied" }, "a")).toEqual({ kind: "resolved" });
  expect(await desk.resolve(id, { decision: "approved" }, "b")).toEqual({
    kind: "already_resolved",
    decision: "denied",
  });
  expect((await readAll(log, stream)).filter((event) => event.type === "approval.resolved")).toHaveLength(1);
});

test("[A8] of many answers at once, exactly one counts", async () => {
  const { desk, request, log, stream } = setup();
  const id = await request();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      desk.resolve(id, { decision: n % 2 === 0 ? "approved" : "denied" }, `client ${n}`),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.kind === "resolved")).toHaveLength(1);
  expect((await readAll(log, stream)).filter((event) => event.type === "approval.resolved")).toHaveLength(1);
});

test("[A9] wait gets an answer given before, after, or through another desk", async () => {
  const { desk, request, log, clock, ids } = setup();
  const before = await request();
  await desk.resolve(before, { decision: "approved" }, "a");
  expect(await desk.wait(before, live)).toMatchObject({ decision: "approved" });

  const after = await request();
  const waiting = desk.wait(after, live);
  await desk.resolve(after, { decision: "denied", reason: "no" }, "a");
  expect(await waiting).toMatchObject({ decision: "denied", reason: "no" });

  const later = createLogApprovalDesk({ log, clock, ids });
  expect(await later.wait(before, live)).toMatchObject({ decision: "approved" });
});

test("[A9] an abort ends the wait", async () => {
  const { desk, request } = setup();
  const stop = new AbortController();
  const waiting = desk.wait(await request(), stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

test("[A10] unknown and expired requests take no answer", async () => {
  const { desk, request, log, stream, ids, clock } = setup();
  expect(await desk.resolve(ids.next("call"), { decision: "approved" }, "a")).toEqual({ kind: "unknown" });
  const id = await request(1_000);
  await clock.advance(1_000);
  expect(await desk.resolve(id, { decision: "approved" }, "a")).toEqual({ kind: "expired" });
  expect(await readAll(log, stream)).toHaveLength(1);
});

test("[A12] pending lists what has no answer, oldest first", async () => {
  const { desk, request } = setup();
  const [first, second, third] = [await request(), await request(), await request()];
  await desk.resolve(second, { decision: "approved" }, "a");
  expect((await desk.pending()).map((approval) => approval.id)).toEqual([first, third]);
});
