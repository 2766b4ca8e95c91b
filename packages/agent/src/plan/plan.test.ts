import { expect, test, vi } from "vitest";
import { readAll } from "../agent.fixture.ts";
import { cardOf, listedIn, setUpPlans } from "./plan.fixture.ts";
import { endProgramPartsAfterwards } from "../program-parts.fixture.ts";

endProgramPartsAfterwards();

const LOOP = `const closed = [];
for (let n = 1; n <= 15; n++) {
  try { closed.push((await tools.issues.close({ id: n })).closed); }
  catch (error) { closed.push([error.code, error.message]); }
}
return closed;`;

const fifteen = Array.from({ length: 15 }, (_, n) => n + 1);

test("[A100] a loop of approvals is one question with the whole list; approved, it asks no more", async () => {
  const { run, answer, done, dataOf, result } = setUpPlans();
  const ran = run(LOOP);
  const asked = await answer({ decision: "approved" });
  expect(await ran).toEqual({ kind: "completed" });
  expect(asked).toMatchObject({ toolPath: "plan", preview: { title: "Close 15 issues" } });
  expect(asked.preview.details).toBe(fifteen.map((n) => `${n}. Close #${n}`).join("\n"));
  expect(listedIn(asked)).toEqual(fifteen.map((n) => `issues.close {"id":${n}}`));
  expect(done).toEqual(fifteen.map((n) => `close ${n}`));
  expect(await result()).toEqual(fifteen.map(() => true));
  expect(await dataOf("approval.requested")).toHaveLength(1);
  expect(await dataOf("plan.proposed")).toMatchObject([{ planId: asked.id, calls: { length: 15 } }]);
});

test("[A100] the calls have the ids that the card gave them, and say that it was the plan", async () => {
  const { run, answer, dataOf } = setUpPlans();
  const ran = run(LOOP);
  const asked = await answer({ decision: "approved" });
  await ran;
  const ids = cardOf(asked).calls.map(({ callId }) => callId);
  expect((await dataOf("call.requested")).map(({ callId }) => callId)).toEqual(ids);
  expect((await dataOf("call.settled")).map(({ callId }) => callId)).toEqual(ids);
  const [first, ...rest] = await dataOf("call.decided");
  expect(first).toMatchObject({ decision: "ask", rule: expect.not.stringContaining("plan") });
  for (const decided of rest) expect(decided).toMatchObject({ decision: "allow", rule: "plan" });
});

test("[A100] calls side by side are one question, too; a call alone is asked about as ever", async () => {
  const many = setUpPlans();
  const both = many.run(`await Promise.all([1, 2].map((id) => tools.issues.close({ id }))); return 1;`);
  expect(listedIn(await many.answer({ decision: "approved" }))).toHaveLength(2);
  await both;
  expect(many.done.toSorted()).toEqual(["close 1", "close 2"]);

  const one = setUpPlans();
  const alone = one.run(`return (await tools.issues.close({ id: 7 })).ref;`);
  const asked = await one.answer({ decision: "approved" });
  await alone;
  expect(asked).toMatchObject({ toolPath: "issues.close", input: { id: 7 }, preview: { title: "Close #7" } });
  expect(await one.dataOf("plan.proposed")).toEqual([]);
  expect(await one.result()).toBe("ref-7");
});

test("[A100] switched off, each call asks on its own", async () => {
  const { run, answering, done } = setUpPlans({ plans: "off" });
  const asked = await answering(run(LOOP.replace("15", "3")));
  expect(asked.map(({ toolPath }) => toolPath)).toEqual(["issues.close", "issues.close", "issues.close"]);
  expect(done).toEqual(["close 1", "close 2", "close 3"]);
});

test("[A100] what a listed call is about has changed by the time it comes: it is asked about anew (GC28)", async () => {
  const { run, answer, done, dataOf } = setUpPlans();
  const ran = run(`await tools.issues.close({ id: 1 }); await tools.issues.publish({}); return 1;`);
  expect(listedIn(await answer({ decision: "approved" }))).toHaveLength(2);
  expect(await answer({ decision: "approved" })).toMatchObject({ toolPath: "issues.publish" });
  expect(await ran).toEqual({ kind: "completed" });
  expect(done).toEqual(["close 1", "publish"]);
  expect(await dataOf("approval.requested")).toHaveLength(2);
});

test("[A100] whoever runs a turn is told when it can only wait for the user, and when that is over", async () => {
  const { run, answer, onWaiting } = setUpPlans();
  const ran = run(`await tools.issues.list({ page: 1 }); return (await tools.issues.close({ id: 7 })).ref;`);
  await answer({ decision: "approved" });
  expect(onWaiting.mock.calls).toEqual([[true]]);
  await ran;
  expect(onWaiting.mock.calls).toEqual([[true], [false]]);
});

test("[A101] looking ahead affects nothing: no tool runs, nothing is logged, the program's own log is its own", async () => {
  const { run, nextAsked, answer, done, stream, log, dataOf } = setUpPlans();
  const ran = run(`console.log("begin");
    for (const id of [1, 2]) {
      await tools.issues.close({ id });
      console.log("closed", id);
      await tools.issues.touch({ id });
      await tools.issues.list({ page: id });
    }
    return "end";`);
  await nextAsked();
  expect(done).toEqual([]);
  expect((await readAll(log, stream)).map(({ type }) => type)).toEqual([
    "turn.started",
    "cell.submitted",
    "call.requested",
    "call.decided",
    "plan.proposed",
    "approval.requested",
    ...(await readAll(log, stream)).slice(6).map(({ type }) => type),
  ]);
  expect((await readAll(log, stream)).slice(6).every(({ type }) => type === "cell.suspended")).toBe(true);
  await answer({ decision: "approved" });
  await ran;
  expect(done).toEqual(["close 1", "touch 1", "list 1", "close 2", "touch 2", "list 2"]);
  expect((await dataOf("cell.completed"))[0]).toMatchObject({
    logs: ["begin", "closed 1", "closed 2"],
    result: "end",
  });
});

test("[A102] a read that this program has made gives the same ahead; any other is not made", async () => {
  const { run, answer, done, dataOf } = setUpPlans();
  const ran = run(`const ids = (await tools.issues.list({ page: 1 })).map(({ id }) => id);
    for (const id of ids) {
      const again = await tools.issues.list({ page: 1 });
      await tools.issues.close({ id: again.find((one) => one.id === id).id });
    }
    for (const { id } of await tools.issues.list({ page: 2 })) await tools.issues.close({ id });
    return 1;`);
  const first = await answer({ decision: "approved" });
  expect(listedIn(first)).toEqual([11, 12, 13].map((id) => `issues.close {"id":${id}}`));
  const second = await answer({ decision: "approved" });
  expect(listedIn(second)).toEqual([21, 22, 23].map((id) => `issues.close {"id":${id}}`));
  await ran;
  expect(done.filter((what) => what.startsWith("list"))).toEqual([
    "list 1",
    "list 1",
    "list 1",
    "list 1",
    "list 2",
  ]);
  expect(await dataOf("approval.requested")).toHaveLength(2);
});

test("[A103] of a plan approved in part, the rest is denied with the user's words, and not asked about again", async () => {
  const { run, answer, done, result, dataOf } = setUpPlans();
  const ran = run(LOOP.replace("15", "4"));
  await answer((asked) => {
    const calls = cardOf(asked).calls.filter((_, n) => n === 0 || n === 2);
    return { decision: "approved", calls: calls.map(({ callId }) => callId), reason: "keep the others" };
  });
  await ran;
  expect(done).toEqual(["close 1", "close 3"]);
  const kept = ["denied", "keep the others"];
  expect(await result()).toEqual([true, kept, true, kept]);
  expect(await dataOf("approval.requested")).toHaveLength(1);
  expect((await dataOf("call.decided"))[1]).toMatchObject({ decision: "deny", rule: "plan" });
});

test("[A103] the first call of a plan, which waits for it, may be left out as well", async () => {
  const { run, answer, done, result } = setUpPlans();
  const ran = run(LOOP.replace("15", "2"));
  await answer((asked) => ({
    decision: "approved",
    calls: cardOf(asked)
      .calls.slice(1)
      .map(({ callId }) => callId),
  }));
  await ran;
  expect(done).toEqual(["close 2"]);
  expect(await result()).toEqual([["denied", "The user did not select this call."], true]);
});

test("[A103] a plan that is denied denies all of it, with the reason, and asks no more", async () => {
  const { run, answer, done, result, dataOf } = setUpPlans();
  const ran = run(LOOP.replace("15", "3"));
  await answer({ decision: "denied", reason: "not today" });
  await ran;
  expect(done).toEqual([]);
  expect(await result()).toEqual([1, 2, 3].map(() => ["denied", "not today"]));
  expect(await dataOf("approval.requested")).toHaveLength(1);
  expect(await dataOf("call.started")).toEqual([]);
});

test("[A105] what differs from the plan asks again", async () => {
  const { run, answering, done } = setUpPlans();
  // Ahead, `count` is not known; then it decides.
  const asked = await answering(
    run(`let step = 0;
      for (let n = 1; n < 4; n++) {
        const { count } = await tools.issues.close({ id: n });
        step = count > 1000 ? 0 : 100;
        n += step;
        if (step > 0) await tools.issues.close({ id: n });
      }
      return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([
    [`issues.close {"id":1}`, `issues.close {"id":2}`, `issues.close {"id":3}`],
    [`issues.close {"id":101}`],
  ]);
  expect(done).toEqual(["close 1", "close 101"]);
});

test("[A105] the same call more often than listed asks again, each listing counts once", async () => {
  const { run, answering, done } = setUpPlans();
  const asked = await answering(
    run(`for (let n = 0; n < 3; n++) {
        const { count } = await tools.issues.close({ id: 5 });
        if (count > 1000 && n === 1) break;
      }
      return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([
    [`issues.close {"id":5}`, `issues.close {"id":5}`],
    [`issues.close {"id":5}`],
  ]);
  expect(done).toEqual(["close 5", "close 5", "close 5"]);
});

test("[A105] a plan's grant is for its cell alone: not for the session, nor for another program", async () => {
  const { run, answer, call, nextAsked, ids, stream, approvals, done } = setUpPlans();
  const ran = run(LOOP.replace("15", "2"));
  await answer({ decision: "approved" });
  await ran;
  const stop = new AbortController();
  const again = call("issues.close", { id: 1 }, stop.signal, stream, ids.next("turn"));
  expect(await nextAsked()).toMatchObject({ toolPath: "issues.close", input: { id: 1 }, stream });
  stop.abort();
  expect((await again).status).toBe("denied");
  expect(await approvals.pending()).toEqual([]);
  expect(done).toHaveLength(2);
});

test("[A105] a plan's grant that is revoked counts no longer: the rest asks again", async () => {
  const closing = Promise.withResolvers<void>();
  const revoked = Promise.withResolvers<void>();
  const onClose = async (id: number): Promise<void> => {
    if (id !== 2) return;
    closing.resolve();
    await revoked.promise;
  };
  const { run, answer, log, stream, dataOf, done } = setUpPlans({ onClose });
  const ran = run(LOOP.replace("15", "4"));
  const plan = await answer({ decision: "approved" });
  await closing.promise;
  const [grant] = await dataOf("grant.created");
  if (grant === undefined) throw new Error("It should be granted");
  expect(grant).toMatchObject({ scope: "plan", planId: plan.id });
  await log.append(stream, [{ type: "grant.revoked", data: { grantId: grant.grantId, by: "me" } }]);
  revoked.resolve();
  expect(listedIn(await answer({ decision: "denied" }))).toEqual([
    `issues.close {"id":3}`,
    `issues.close {"id":4}`,
  ]);
  await ran;
  expect(done).toEqual(["close 1", "close 2"]);
});

test("[A106] a call whose input depends on results is left out, counted, and asked about when it comes", async () => {
  const { run, answering, done, dataOf } = setUpPlans();
  const asked = await answering(
    run(`for (const id of [1, 2]) {
        const { ref } = await tools.issues.close({ id });
        await tools.issues.comment({ id, text: "closed as " + ref });
      }
      return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([
    [`issues.close {"id":1}`, `issues.close {"id":2}`],
    [`issues.comment {"id":1,"text":"closed as ref-1"}`],
    [`issues.comment {"id":2,"text":"closed as ref-2"}`],
  ]);
  expect(asked[0]?.preview.details).toContain(
    "Calls that depend on results are asked about later: 2 more calls.",
  );
  expect(asked[0]?.input).toMatchObject({ unforeseen: 2 });
  expect((await dataOf("plan.proposed"))[0]).toMatchObject({ unforeseen: 2 });
  expect(done).toEqual(["close 1", "comment 1 closed as ref-1", "close 2", "comment 2 closed as ref-2"]);
});

test("[A107] a tool that asks once is listed once, and approving it is for the session", async () => {
  const { run, answering, done, dataOf } = setUpPlans({
    policy: {
      decide({ tool, grants }) {
        const isGranted = grants.some(({ bindings }) =>
          bindings.some(({ toolPath }) => toolPath === tool.path),
        );
        if (isGranted) return { decision: "allow", rule: "grant", reasons: [] };
        return { decision: "ask", rule: "test", reasons: ["It asks once."], askOnce: true };
      },
    },
  });
  const asked = await answering(
    run(`for (const id of [1, 2, 3]) await tools.issues.close({ id });
      for (const id of [1, 2]) await tools.issues.comment({ id, text: "x" });
      return 1;`),
  );
  expect(asked.map(listedIn)).toEqual([[`issues.close {"id":1}`, `issues.comment {"id":1,"text":"x"}`]]);
  expect(asked[0]?.preview.reasons).toEqual(["It asks once."]);
  expect(done).toHaveLength(5);
  expect((await dataOf("grant.created"))[1]).toMatchObject({
    scope: "session",
    bindings: [
      { toolPath: "issues.close", values: { id: [1] } },
      { toolPath: "issues.close", inputHash: expect.any(String) },
      { toolPath: "issues.comment", values: { id: [1], text: ["x"] } },
      { toolPath: "issues.comment", inputHash: expect.any(String) },
    ],
  });
});

test("[A108] a plan survives a restart before its answer, and is asked about once", async () => {
  const { run, resume, runUntil, answer, nextAsked, done, dataOf } = setUpPlans();
  await runUntil((signal) => run(LOOP.replace("15", "4"), signal), nextAsked);
  await runUntil(resume, async () => await new Promise((resolve) => setTimeout(resolve, 50)));
  const ran = resume();
  const asked = await answer((plan) => ({
    decision: "approved",
    calls: cardOf(plan)
      .calls.slice(0, 3)
      .map(({ callId }) => callId),
  }));
  expect(await ran).toEqual({ kind: "completed" });
  expect(listedIn(asked)).toHaveLength(4);
  expect(done).toEqual(["close 1", "close 2", "close 3"]);
  expect(await dataOf("approval.requested")).toHaveLength(1);
});

test("[A108] and one after it: what was done is not done again, what was listed is not asked again", async () => {
  const closing = Promise.withResolvers<void>();
  const onClose = async (id: number): Promise<void> => {
    if (id !== 3) return;
    closing.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const { run, resume, runUntil, answer, nextAsked, done, dataOf, result } = setUpPlans({ onClose });
  await runUntil((signal) => run(LOOP.replace("15", "6"), signal), nextAsked);
  await answer((asked) => ({
    decision: "approved",
    calls: cardOf(asked)
      .calls.toSpliced(4, 1)
      .map(({ callId }) => callId),
    reason: "not that one",
  }));
  await runUntil(resume, () => closing.promise);
  expect(done).toEqual(["close 1", "close 2", "close 3"]);
  expect(await resume()).toEqual({ kind: "completed" });
  expect(done).toEqual([1, 2, 3, 4, 6].map((n) => `close ${n}`));
  expect(await result()).toEqual([true, true, true, true, ["denied", "not that one"], true]);
  expect(await dataOf("approval.requested")).toHaveLength(1);
});

test("[A110] a plan that nobody answers in time denies what waits for it; what comes after asks again", async () => {
  const { run, nextAsked, answer, clock, done, result } = setUpPlans({ approvalTtlMs: 60_000 });
  const ran = run(LOOP.replace("15", "3"));
  const plan = await nextAsked();
  await clock.advance(60_000);
  expect(listedIn(await answer({ decision: "denied", reason: "no" }))).toEqual([
    `issues.close {"id":2}`,
    `issues.close {"id":3}`,
  ]);
  await ran;
  expect(plan.toolPath).toBe("plan");
  expect(done).toEqual([]);
  expect(await result()).toEqual([
    ["approval_expired", "Nobody answered in time."],
    ["denied", "no"],
    ["denied", "no"],
  ]);
});

test("[A111] a question waits a moment for calls that still run, then it is asked all the same", async () => {
  const { run, nextAsked, answer, approvals, clock, running } = setUpPlans();
  const stop = new AbortController();
  const ran = run(
    `await Promise.all([tools.notes.hang({}), tools.issues.close({ id: 1 }), tools.issues.close({ id: 2 })]);`,
    stop.signal,
  );
  await running;
  await vi.waitFor(() => expect(clock.sleepers).toBe(1), { interval: 2 });
  await clock.advance(499);
  expect(await approvals.pending()).toEqual([]);
  await clock.advance(1);
  expect(listedIn(await nextAsked())).toEqual([`issues.close {"id":1}`, `issues.close {"id":2}`]);
  await answer({ decision: "denied" });
  stop.abort();
  await ran;
});

test("[A109] a program without end is looked ahead into only so far; the rest asks when it comes", async () => {
  const { run, nextAsked, answer, done } = setUpPlans();
  const stop = new AbortController();
  const ran = run(`for (let id = 1; ; id++) await tools.issues.close({ id });`, stop.signal);
  const asked = await nextAsked();
  expect(listedIn(asked)).toHaveLength(201);
  await answer({ decision: "approved" });
  const next = await nextAsked();
  expect(listedIn(next)[0]).toBe(`issues.close {"id":202}`);
  expect(done).toHaveLength(201);
  stop.abort();
  await ran;
});
