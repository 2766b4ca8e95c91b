import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { type ApprovalAnswer, type EventData, type NewEvent, readEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { answerEvents, expiryEvent, misfitOf } from "./approval-answer.ts";

const SECRET = "correct-horse-battery-staple";
const HASHES = ["1", "2"].map((digit) => digit.repeat(64)) as [string, string];
const LATER = "2030-01-01T00:00:00.000Z";

/** A question as it is in the log, in a turn. */
async function setup(data: Partial<EventData<"approval.requested">> = {}) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  onTestFinished(() => log.close());
  const [session, turnId, approvalId] = [ids.next("session"), ids.next("turn"), ids.next("call")];
  const asked = { approvalId, toolPath: "notes.write", input: {}, preview: { title: "Write" }, ...data };
  const event: NewEvent = {
    type: "approval.requested",
    turnId,
    data: { ...asked, bindingHash: "0".repeat(64) },
  };
  await log.append(session, [event]);
  const [stored] = await Array.fromAsync(log.read(session));
  const read = stored === undefined ? undefined : readEvent(stored);
  if (read?.kind !== "known" || read.event.type !== "approval.requested") throw new Error("Not asked");
  const request = read.event;
  const deps = { ids, redactor: createRedactor([SECRET]) };
  const given = (answer: ApprovalAnswer): readonly NewEvent[] => answerEvents(request, answer, "me", deps);
  return { ids, turnId, approvalId: asked.approvalId, request, given };
}

async function setUpPlan(extra: Partial<EventData<"approval.requested">> = {}) {
  const ids = createIdSource({ clock: createFakeClock() });
  const calls = HASHES.map((inputHash) => ({ callId: ids.next("call"), toolPath: "notes.write", inputHash }));
  const planId = ids.next("plan");
  return { calls, planId, ...(await setup({ approvalId: planId, toolPath: "plan", calls, ...extra })) };
}

const NOW = Date.parse("2026-01-01T00:00:00Z");

test("[A8] an answer says no more than was answered, and belongs to the turn that asked", async () => {
  const { given, turnId, approvalId } = await setup();
  expect(given({ decision: "denied" })).toStrictEqual([
    {
      turnId,
      type: "approval.resolved",
      data: { approvalId, decision: "denied", by: "me", scope: "once" },
    },
  ]);
});

test("[A6] secrets are redacted from its reason and from what a call is said to have given", async () => {
  const { given } = await setup();
  const events = given({ decision: "denied", reason: `not ${SECRET}`, result: { value: [SECRET, 5] } });
  expect(JSON.stringify(events)).not.toContain(SECRET);
  expect(events).toMatchObject([{ data: { reason: expect.stringMatching(/^not ./) } }]);
  expect(events).toMatchObject([{ data: { result: { value: [expect.any(String), 5] } } }]);
});

test("[A11] a grant is of the same turn, and ends when the answer says; without that it has no end", async () => {
  const { given, turnId } = await setup();
  const grantOf = (answer: Partial<ApprovalAnswer>) =>
    given({ decision: "approved", scope: "task", ...answer })[1];
  expect(grantOf({ expiresAt: LATER })).toMatchObject({ turnId, type: "grant.created" });
  expect(grantOf({ expiresAt: LATER })?.data).toMatchObject({ scope: "task", expiresAt: LATER });
  expect(grantOf({})?.data).not.toHaveProperty("expiresAt");
});

test("[A11] only a plan is approved as a plan", async () => {
  const { given } = await setup();
  expect(given({ decision: "approved", scope: "plan" })).toMatchObject([{ data: { scope: "once" } }]);
});

test("[A27] what became of one call grants nothing for the next", async () => {
  const { ids } = await setup();
  const { given } = await setup({ unknownCall: ids.next("call"), scope: "session" });
  expect(given({ decision: "approved", scope: "session" })).toMatchObject([{ data: { scope: "once" } }]);
});

test("[A92] a grant is of the tool, or of the input where only that can be granted", async () => {
  const [inputHash] = HASHES;
  const bindings = async (data: Partial<EventData<"approval.requested">>): Promise<unknown> => {
    const { given } = await setup(data);
    return given({ decision: "approved", scope: "session" })[1]?.data;
  };
  const tool = { bindings: [{ toolPath: "notes.write" }, { toolPath: "notes.write", inputHash }] };
  const input = { bindings: [{ toolPath: "notes.write", inputHash }] };
  expect(await bindings({ inputHash })).toMatchObject(tool);
  expect(await bindings({ inputHash, grantable: "tool" })).toMatchObject(tool);
  expect(await bindings({ inputHash, grantable: "input" })).toMatchObject(input);
});

test("[A92] whatever the values is granted only where the question offers it, and then of the tool alone", async () => {
  const [inputHash] = HASHES;
  const any = { decision: "approved", scope: "session-any" } as const;
  const narrow = await setup({ inputHash });
  expect(misfitOf(narrow.request, any, NOW)).toBe(
    "scope: this cannot be approved whatever the values; session approves the values that are shown",
  );
  expect(misfitOf(narrow.request, { ...any, decision: "denied" }, NOW)).toBeUndefined();
  const { request, given } = await setup({ inputHash, anyValues: true });
  expect(misfitOf(request, any, NOW)).toBeUndefined();
  expect(given(any)[1]?.data).toMatchObject({
    scope: "session-any",
    bindings: [{ toolPath: "notes.write", anyValues: true }],
  });
});

test("[A92] for the session, a grant has the values that were on the card, and the input itself", async () => {
  const [inputHash] = HASHES;
  const { given } = await setup({
    inputHash,
    input: { to: ["a@x", "b@x"], n: 3, done: true, body: "x".repeat(501) },
  });
  expect(given({ decision: "approved", scope: "session" })[1]?.data).toMatchObject({
    bindings: [
      {
        toolPath: "notes.write",
        values: { "to[0]": ["a@x"], "to[1]": ["b@x"], n: [3], done: [true] },
      },
      { toolPath: "notes.write", inputHash },
    ],
  });
});

test.each([
  [undefined, "plan"],
  ["once", "plan"],
  ["plan", "plan"],
  ["session", "session"],
  ["task", "task"],
] as const)("[A103] a plan that is approved for %s is approved for the %s", async (scope, recorded) => {
  const { given, planId, calls } = await setUpPlan();
  const [resolved, plan, wider] = given({
    decision: "approved",
    expiresAt: LATER,
    ...(scope === undefined ? {} : { scope }),
  });
  expect(resolved?.data).toMatchObject({ scope: recorded });
  const bindings = calls.map(({ toolPath, inputHash }) => ({ toolPath, inputHash }));
  const told = { title: expect.any(String), lines: ["notes.write", "notes.write"] };
  expect(plan?.data).toStrictEqual({ grantId: expect.any(String), scope: "plan", planId, bindings, ...told });
  expect(wider?.data).toEqual(
    recorded === "plan"
      ? undefined
      : {
          grantId: expect.any(String),
          scope: recorded,
          bindings: [{ toolPath: "notes.write" }, ...bindings],
          expiresAt: LATER,
          ...told,
        },
  );
});

test("[A182] a grant says what was on the card: a title, and its values; nothing invisible, nothing long", async () => {
  const [inputHash] = HASHES;
  const grantOf = async (data: Partial<EventData<"approval.requested">>, scope: ApprovalAnswer["scope"]) =>
    (await setup({ inputHash, toolPath: "bash.run", ...data })).given({
      decision: "approved",
      ...(scope === undefined ? {} : { scope }),
    })[1]?.data;
  const input = { command: "npm\ntest\u202e", more: "x".repeat(500) };
  const asked = { preview: { title: "Run npm test" }, input };
  const grant = await grantOf(asked, "session");
  expect(grant).toMatchObject({
    title: "bash.run: Run npm test",
    lines: ["command: npm\\u{a}test\\u{202e}", `more: ${"x".repeat(194)}…`],
  });
  const titled = { preview: { title: "bash.run: npm, test" }, input };
  expect(await grantOf(titled, "session")).toMatchObject({ title: "bash.run: npm, test" });
  expect(await grantOf({ ...asked, anyValues: true }, "session-any")).toMatchObject({
    title: "bash.run, whatever the values",
    lines: [],
  });
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`n${n}`, n]));
  expect(await grantOf({ ...asked, input: many }, "session")).toMatchObject({
    lines: expect.arrayContaining(["n19: 19", "and 5 more"]),
  });
});

test("[A183] a yes for a task has an end, at most 90 days away", async () => {
  const { request } = await setup();
  const answer = { decision: "approved", scope: "task" } as const;
  const days = (count: number) => new Date(NOW + count * 86_400_000).toISOString();
  expect(misfitOf(request, answer, NOW)).toContain("needs an end");
  expect(misfitOf(request, { ...answer, expiresAt: days(91) }, NOW)).toContain("90 days at most");
  expect(misfitOf(request, { ...answer, expiresAt: days(90) }, NOW)).toBeUndefined();
  expect(misfitOf(request, { ...answer, decision: "denied" }, NOW)).toBeUndefined();
});

test("[A92] a plan that is approved for this plan only grants nothing more, though a call of it asks once", async () => {
  const { calls } = await setUpPlan();
  const once = { scope: "session-any", anyValues: true } as const;
  const plan = await setUpPlan({ calls: calls.map((call) => Object.assign({}, call, once)) });
  const types = (scope?: ApprovalAnswer["scope"]) =>
    plan
      .given({ decision: "approved", ...(scope === undefined ? {} : { scope }) })
      .flatMap(({ type, data }) => (type === "grant.created" ? [(data as { scope: string }).scope] : []));
  expect(types()).toEqual(["plan", "session-any"]);
  expect(types("once")).toEqual(["plan"]);
});

test("[A104] an answer that does not fit its question is told why", async () => {
  const plan = await setUpPlan();
  const [callId, foreign] = [plan.calls[0]?.callId ?? plan.ids.next("call"), plan.ids.next("call")];
  const approved = { decision: "approved" } as const;
  const { request } = await setup();
  expect(misfitOf(request, { ...approved, expiresAt: "2026-01-01T00:00:01Z" }, NOW)).toBeUndefined();
  expect(misfitOf(request, { ...approved, expiresAt: "2026-01-01T00:00:00Z" }, NOW)).toBe(
    "expiresAt: that is past already",
  );
  expect(misfitOf(request, approved, NOW)).toBeUndefined();
  expect(misfitOf(request, { ...approved, calls: [callId] }, NOW)).toBe(
    "calls: only the answer to a plan can name calls",
  );
  expect(misfitOf(plan.request, approved, NOW)).toBeUndefined();
  expect(misfitOf(plan.request, { decision: "denied" }, NOW)).toBeUndefined();
  expect(misfitOf(plan.request, { ...approved, calls: [callId] }, NOW)).toBeUndefined();
  expect(misfitOf(plan.request, { decision: "denied", calls: [callId] }, NOW)).toBe(
    "calls: a denial is of the whole plan; approve those that may run",
  );
  expect(misfitOf(plan.request, { ...approved, calls: [] }, NOW)).toBe(
    "calls: it names none; deny the plan instead",
  );
  expect(misfitOf(plan.request, { ...approved, calls: [callId, foreign] }, NOW)).toBe(
    `calls: ${foreign} is not a call of this plan`,
  );
});

test("[A91] that nobody answered is a denial, in the turn that asked", async () => {
  const { request, turnId, approvalId } = await setup();
  expect(expiryEvent(request)).toStrictEqual({
    turnId,
    type: "approval.resolved",
    data: {
      approvalId,
      decision: "denied",
      by: "deputy",
      scope: "once",
      reason: "Nobody answered in time.",
      isExpired: true,
    },
  });
});
