import { createIdSource } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { sha256 } from "../agent.fixture.ts";
import { planBinding } from "../approvals/approval-binding.ts";
import type { Question } from "../approvals/approval-question.ts";
import { planEvents } from "./plan-card.ts";

/** A plan of as many calls as there are questions. */
function setup(questions: readonly Partial<Question>[], unforeseen = 0) {
  const ids = createIdSource({ clock: createFakeClock() });
  const [planId, cellId, turnId] = [ids.next("plan"), ids.next("cell"), ids.next("turn")];
  const listed = questions.map((extra, n) => {
    const [callId, toolPath, inputHash] = [ids.next("call"), "notes.write", String(n).repeat(64)];
    const preview = { title: `Write ${n}` };
    const question = { approvalId: callId, toolPath, input: { n }, bindingHash: "", preview, ...extra };
    return { callId, toolPath, inputHash, question };
  });
  const plan = { planId, cellId, turnId, programHash: "program", listed, unforeseen };
  return { ...plan, ...planEvents(sha256, plan) };
}

test("[A100] a plan is proposed and asked for as a whole: what is called with what, in its order", () => {
  const { events, asked, planId, cellId, turnId, listed } = setup([{}, {}]);
  const calls = listed.map(({ callId, toolPath, inputHash }) => ({ callId, toolPath, inputHash }));
  expect(asked).toStrictEqual({
    approvalId: planId,
    toolPath: "plan",
    input: {
      calls: listed.map(({ callId, toolPath, question: { input, preview } }) => {
        return { callId, toolPath, input, preview };
      }),
    },
    preview: { title: "Write 2 notes", details: "1. Write 0\n2. Write 1" },
    bindingHash: planBinding(sha256, "program", calls),
    cellId,
    calls,
  });
  const proposed = calls.map((call, n) => Object.assign({ input: { n } }, call));
  expect(events).toStrictEqual([
    { type: "plan.proposed", turnId, data: { planId, cellId, calls: proposed } },
    { type: "approval.requested", turnId, data: asked },
  ]);
});

test.each([
  [1, "1 more call."],
  [2, "2 more calls."],
])("[A106] of what is not known yet there is a count: %i", (unforeseen, words) => {
  const { events, asked } = setup([{}], unforeseen);
  expect(events[0]?.data).toMatchObject({ unforeseen });
  expect(asked.input).toMatchObject({ unforeseen });
  expect(asked.preview.details).toBe(
    `1. Write 0\nCalls that depend on results are asked about later: ${words}`,
  );
});

test("[A110] a plan ends with the first of its questions that does", () => {
  const [sooner, later] = ["2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"];
  expect(setup([{}, { expiresAt: later }, { expiresAt: sooner }]).asked.expiresAt).toBe(sooner);
});

test("[A95] it says every reason once, and how many more there are than it shows", () => {
  const because = (...reasons: readonly string[]): Partial<Question> => ({
    preview: { title: "x", reasons: [...reasons] },
  });
  const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `reason ${n}`);
  const reasonsOf = (...questions: readonly Partial<Question>[]) => setup(questions).asked.preview.reasons;
  expect(reasonsOf(because("a", "b"), {}, because("b", "c"))).toEqual(["a", "b", "c"]);
  expect(reasonsOf(because(...numbered(20)))).toEqual(numbered(20));
  expect(reasonsOf(because(...numbered(22)))).toEqual([
    ...numbered(20),
    "2 more reasons, told with the calls.",
  ]);
});
