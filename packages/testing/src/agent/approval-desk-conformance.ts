import { EventLogError, projectCard } from "@deputy/protocol";
import { describe, expect, test } from "vitest";
import { eventsOf, type OpenDesk, setUpDesk } from "./desk-harness.ts";
import { describePlans } from "./plan-rules.ts";
import { describeWaiting } from "./wait-rules.ts";

/** What clients and the gate need from every approval desk. The rules are in `packages/agent/SPEC.md`. */
export function describeApprovalDesk(name: string, open: OpenDesk): void {
  describe(name, () => {
    describeAnswering(open);
    describeReach(open);
    describePlans(open);
    describeWaiting(open);
    describePending(open);
  });
}

function describeAnswering(open: OpenDesk): void {
  test.each(["approved", "denied"] as const)(
    "[A8] the first answer counts, and later ones are told that it was %s",
    async (decision) => {
      const { desk, request, log } = setUpDesk(open);
      const id = await request();
      expect(await desk.resolve(id, { decision }, "first")).toEqual({ kind: "resolved" });
      for (const late of ["approved", "denied"] as const) {
        const outcome = await desk.resolve(id, { decision: late, scope: "session" }, "second");
        const isOther = late === "approved" && decision === "approved";
        const counts = { kind: "already_resolved", decision, ...(isOther ? { scope: "once" } : {}) };
        expect(outcome).toEqual(counts);
      }
      expect(await eventsOf(log, "approval.resolved")).toMatchObject([{ data: { decision, by: "first" } }]);
      expect(await eventsOf(log, "grant.created")).toEqual([]);
    },
  );

  test("[A8] of many concurrent answers exactly one counts, and the others are told which", async () => {
    const { desk, request, log } = setUpDesk(open);
    const id = await request();
    const decisions = Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? "approved" : "denied"));
    const outcomes = await Promise.all(
      decisions.map((decision, n) => desk.resolve(id, { decision, scope: "session" }, `client ${n}`)),
    );
    const winner = outcomes.findIndex((outcome) => outcome.kind === "resolved");
    const rest = outcomes.toSpliced(winner, 1);
    expect(rest).toEqual(rest.map(() => ({ kind: "already_resolved", decision: decisions[winner] })));
    expect(await eventsOf(log, "approval.resolved")).toMatchObject([
      { data: { approvalId: id, decision: decisions[winner], by: `client ${winner}` } },
    ]);
  });

  test("[A8] the first answer counts, even in an imported log with others", async () => {
    const { desk, request, log, session, ids } = setUpDesk(open);
    const approvalId = await request();
    const answers = (["denied", "approved"] as const).map((decision) => ({
      type: "approval.resolved" as const,
      data: { approvalId, decision, by: "me", scope: "once" as const },
    }));
    // An answer in another session does not count.
    await log.append(ids.next("session"), answers.toReversed());
    expect(await desk.answered(approvalId)).toBeUndefined();
    await log.append(session, answers);
    const outcome = { kind: "already_resolved", decision: "denied" };
    expect(await desk.resolve(approvalId, { decision: "approved" }, "me")).toEqual(outcome);
    expect(await desk.wait(approvalId, new AbortController().signal)).toMatchObject({ decision: "denied" });
    expect(await desk.pending()).toEqual([]);
  });

  test("[A8] answers to different requests do not interfere", async () => {
    const { desk, request } = setUpDesk(open);
    const ids = [await request(), await request(), await request()];
    const outcomes = await Promise.all(ids.map((id) => desk.resolve(id, { decision: "approved" }, "me")));
    expect(outcomes).toEqual(ids.map(() => ({ kind: "resolved" })));
  });

  test("[A8] an acknowledged answer is in its session's log, completely", async () => {
    const { desk, request, log, ids } = setUpDesk(open);
    const stream = ids.next("session");
    const approvalId = await request({ stream });
    await desk.resolve(approvalId, { decision: "denied", reason: "Not today" }, "page");
    expect((await Array.fromAsync(log.read(stream))).at(-1)).toMatchObject({
      type: "approval.resolved",
      data: { approvalId, decision: "denied", by: "page", scope: "once", reason: "Not today" },
    });
  });

  test("[A8] an answer survives a power cut; one that the log refused can be given again", async () => {
    const { log, clock, ids, request } = setUpDesk(open);
    const durabilities: unknown[] = [];
    let isFull = true;
    const append: typeof log.append = async (stream, events, options) => {
      if (isFull) throw new EventLogError("storage_full", "The disk is full");
      durabilities.push(options?.durability ?? "full");
      return await log.append(stream, events, options);
    };
    const desk = open({ log: { ...log, append }, clock, ids });
    const id = await request();
    await expect(desk.resolve(id, { decision: "approved" }, "me")).rejects.toMatchObject({
      code: "storage_full",
    });
    expect(await desk.pending()).toHaveLength(1);
    isFull = false;
    expect(await desk.resolve(id, { decision: "denied" }, "me")).toEqual({ kind: "resolved" });
    expect(durabilities).toEqual(["full"]);
  });

  test("[A10] an unknown request is unknown, a late one is expired; nothing is written", async () => {
    const { desk, request, log, ids, clock } = setUpDesk(open);
    const answer = { decision: "approved", scope: "session" } as const;
    expect(await desk.resolve(ids.next("call"), answer, "me")).toEqual({ kind: "unknown" });
    expect(await desk.resolve(ids.next("plan"), answer, "me")).toEqual({ kind: "unknown" });
    const id = await request({ expiresAt: new Date(clock.now() + 1_000).toISOString() });
    await clock.advance(1_000);
    expect(await desk.resolve(id, answer, "me")).toEqual({ kind: "expired" });
    expect(await Array.fromAsync(log.readAll())).toHaveLength(1);
  });

  test("[A10] accepts an answer until it expires, and an answered one stays answered", async () => {
    const { desk, request, clock } = setUpDesk(open);
    const id = await request({ expiresAt: new Date(clock.now() + 1_000).toISOString() });
    await clock.advance(999);
    expect(await desk.resolve(id, { decision: "approved" }, "me")).toEqual({ kind: "resolved" });
    await clock.advance(1_000);
    expect(await desk.resolve(id, { decision: "denied" }, "me")).toEqual({
      kind: "already_resolved",
      decision: "approved",
    });
  });

  test.each(["session", "task"] as const)(
    "[A11] approving for the %s grants the tool there",
    async (scope) => {
      const { desk, request, log, session, clock } = setUpDesk(open);
      const expiresAt = new Date(clock.now() + 60_000).toISOString();
      await desk.resolve(await request(), { decision: "approved", scope, expiresAt }, "me");
      const bindings = [{ toolPath: "notes.write" }];
      expect(await eventsOf(log, "grant.created")).toMatchObject([
        { stream: session, data: { scope, bindings, expiresAt } },
      ]);
    },
  );

  test.each([
    { decision: "approved" },
    { decision: "approved", scope: "once" },
    { decision: "approved", scope: "plan" },
    { decision: "denied", scope: "session" },
    { decision: "denied", scope: "task" },
  ] as const)("[A11] %j grants nothing", async (answer) => {
    const { desk, request, log } = setUpDesk(open);
    expect(await desk.resolve(await request(), answer, "me")).toEqual({ kind: "resolved" });
    expect(await eventsOf(log, "grant.created")).toEqual([]);
  });
}

function describeReach(open: OpenDesk): void {
  test("[A92] an approval that asks once is for the session, unless the answer says otherwise", async () => {
    const { desk, request, log } = setUpDesk(open);
    await desk.resolve(await request({ scope: "session" }), { decision: "approved", scope: "once" }, "me");
    await desk.resolve(await request({ scope: "session" }), { decision: "denied" }, "me");
    expect(await eventsOf(log, "grant.created")).toEqual([]);
    const id = await request({ scope: "session" });
    await desk.resolve(id, { decision: "approved" }, "me");
    expect(await desk.answered(id)).toMatchObject({ scope: "session" });
    const bindings = [{ toolPath: "notes.write" }];
    expect(await eventsOf(log, "grant.created")).toMatchObject([{ data: { scope: "session", bindings } }]);
  });

  test("[A92] grants only the exact input if nothing more can be granted", async () => {
    const { desk, request, log } = setUpDesk(open);
    const inputHash = "1".repeat(64);
    const id = await request({ inputHash, grantable: "input" });
    await desk.resolve(id, { decision: "approved", scope: "session" }, "me");
    const bindings = [{ toolPath: "notes.write", inputHash }];
    expect(await eventsOf(log, "grant.created")).toMatchObject([{ data: { bindings } }]);
  });
}

function describePending(open: OpenDesk): void {
  test("[A12] lists open requests of all sessions, oldest first", async () => {
    const { desk, request, ids, clock } = setUpDesk(open);
    expect(await desk.pending()).toEqual([]);
    const [a, b, plan] = [ids.next("session"), ids.next("session"), ids.next("plan")];
    const later = await request({ stream: b });
    await clock.advance(5);
    const answered = await request({ stream: a });
    const latest = await request({ stream: a, approvalId: plan });
    await desk.resolve(answered, { decision: "approved" }, "me");
    expect((await desk.pending()).map(({ id, stream }) => [id, stream])).toEqual([
      [later, b],
      [latest, a],
    ]);
  });

  test("[A12] lists everything needed to decide", async () => {
    const { desk, request, ids, clock } = setUpDesk(open);
    const stream = ids.next("session");
    const expiresAt = new Date(clock.now() + 1_000).toISOString();
    const asked = { toolPath: "mail.send", input: { to: ["ann"] }, preview: { title: "Send", details: "x" } };
    const id = await request({ stream, ...asked, expiresAt });
    const requestedAt = new Date(clock.now()).toISOString();
    const card = projectCard(asked);
    expect(await desk.pending()).toEqual([{ id, stream, ...asked, card, requestedAt, expiresAt }]);
    await clock.advance(1_000);
    expect(await desk.pending()).toEqual([]);
  });

  test("[A12] a desk opened later lists the same, and knows what was answered", async () => {
    const { desk, request, reopen } = setUpDesk(open);
    const [first, second] = [await request(), await request()];
    await desk.resolve(first, { decision: "denied" }, "me");
    const later = reopen();
    expect(await later.pending()).toEqual(await desk.pending());
    expect(await later.resolve(first, { decision: "approved" }, "me")).toEqual({
      kind: "already_resolved",
      decision: "denied",
    });
    expect(await later.resolve(second, { decision: "approved" }, "me")).toEqual({ kind: "resolved" });
    expect(await desk.pending()).toEqual([]);
  });
}
