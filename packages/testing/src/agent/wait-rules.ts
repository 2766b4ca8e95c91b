import type { NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { eventsOf, type OpenDesk, setUpDesk } from "./desk-harness.ts";

const live = new AbortController().signal;

export function describeWaiting(open: OpenDesk): void {
  test("[A9] wait returns the whole answer if it was given before", async () => {
    const { desk, request, reopen } = setUpDesk(open);
    const approvalId = await request();
    await desk.resolve(approvalId, { decision: "denied", reason: "no" }, "page");
    const answer = { approvalId, decision: "denied", by: "page", scope: "once", reason: "no" };
    expect(await desk.wait(approvalId, live)).toEqual(answer);
    expect(await desk.wait(approvalId, live)).toEqual(answer);
    expect(await reopen().wait(approvalId, live)).toEqual(answer);
  });

  test("[A9] everyone who waits gets the answer to that request, and only that", async () => {
    const { desk, request, reopen } = setUpDesk(open);
    const [id, other] = [await request(), await request()];
    const waiting = [desk.wait(id, live), desk.wait(id, live), reopen().wait(id, live)];
    await desk.resolve(other, { decision: "denied" }, "me");
    await desk.resolve(id, { decision: "approved", scope: "session" }, "phone");
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toEqual({ approvalId: id, decision: "approved", by: "phone", scope: "session" });
    }
  });

  test("[A9] does not miss an answer given at the same moment", async () => {
    const { desk, request } = setUpDesk(open);
    for (let n = 0; n < 20; n++) {
      const id = await request();
      const [answer] = await Promise.all([
        desk.wait(id, live),
        desk.resolve(id, { decision: "approved" }, "me"),
      ]);
      expect(answer).toMatchObject({ approvalId: id, decision: "approved" });
    }
  });

  test("[A9] can wait for a request that is not there yet", async () => {
    const { desk, request, ids } = setUpDesk(open);
    const approvalId = ids.next("call");
    const waiting = desk.wait(approvalId, live);
    await request({ approvalId });
    await desk.resolve(approvalId, { decision: "denied" }, "me");
    expect(await waiting).toMatchObject({ decision: "denied" });
  });

  test("[A9] an abort ends the wait with its reason, and disturbs no other", async () => {
    const { desk, request } = setUpDesk(open);
    const id = await request();
    const reason = new Error("enough");
    await expect(desk.wait(id, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stop = new AbortController();
    const aborted = desk.wait(id, stop.signal);
    const patient = desk.wait(id, live);
    stop.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(await desk.pending()).toHaveLength(1);
    await desk.resolve(id, { decision: "approved" }, "me");
    expect(await patient).toMatchObject({ decision: "approved" });
  });

  test("[A91] denies an unanswered request in time, once, for everyone who waits", async () => {
    const { desk, request, reopen, clock, log, session } = setUpDesk(open);
    const id = await request({ expiresAt: new Date(clock.now() + 60_000).toISOString() });
    const waiting = [desk.wait(id, live), desk.wait(id, live)];
    await desk.pending();
    await clock.advance(59_999);
    expect(await desk.answered(id)).toBeUndefined();
    await clock.advance(1);
    const expired = { approvalId: id, decision: "denied", by: "deputy", scope: "once", isExpired: true };
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(expired);
    expect(await desk.resolve(id, { decision: "approved" }, "late")).toEqual({ kind: "expired" });
    expect(await reopen().wait(id, live)).toMatchObject(expired);
    expect((await eventsOf(log, "approval.resolved")).map(({ stream }) => stream)).toEqual([session]);
  });

  test("[A91] the same if the time was up before anyone waited; an answer in time stands", async () => {
    const { desk, request, clock } = setUpDesk(open);
    const expiresAt = new Date(clock.now() + 1_000).toISOString();
    const [late, timely] = [await request({ expiresAt }), await request({ expiresAt })];
    const answered = desk.wait(timely, live);
    await desk.resolve(timely, { decision: "approved" }, "me");
    await clock.advance(5_000);
    expect(await desk.wait(late, live)).toMatchObject({ decision: "denied", isExpired: true });
    expect(await answered).toMatchObject({ decision: "approved" });
    expect(clock.sleepers).toBe(0);
  });

  test("[A90] ignores an answer in another session, or under another id", async () => {
    const { desk, request, log, ids } = setUpDesk(open);
    const [id, other] = [await request(), await request()];
    const waiting = desk.wait(id, live);
    const yes = (approvalId: typeof id): NewEvent => ({
      type: "approval.resolved",
      data: { approvalId, decision: "approved", by: "mallory", scope: "session" },
    });
    await log.append(ids.next("session"), [yes(id)]);
    await desk.resolve(other, { decision: "approved" }, "me");
    expect(await desk.pending()).toMatchObject([{ id }]);
    await desk.resolve(id, { decision: "denied" }, "me");
    expect(await waiting).toMatchObject({ decision: "denied", by: "me" });
  });

  test("[A9] a log that closes ends the wait", async () => {
    const { desk, request, log } = setUpDesk(open);
    const waiting = desk.wait(await request(), live);
    const ended = expect(waiting).rejects.toThrow();
    // By now it waits for new events: everything before was read.
    await desk.pending();
    log.close();
    await ended;
  });
}
