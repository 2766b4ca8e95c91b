import { createIdSource, createSystemClock } from "@deputy/kit";
import type { ApprovalAnswer, ApprovalId, TaskEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { parseApproval } from "./answer/parse-approval.ts";
import { followTask } from "./follow-until-stopped.ts";
import { showProgramEvent } from "./show/show-program.ts";

const ids = createIdSource({ clock: createSystemClock() });
const calls = [1, 2, 3].map((n) => ({
  callId: ids.next("call"),
  toolPath: "notes.write",
  input: { n },
  preview: { title: `Write ${n}`, details: JSON.stringify({ n }, null, 2) },
}));
const plan = {
  type: "approval_request" as const,
  id: ids.next("plan"),
  toolPath: "plan",
  input: { calls },
  preview: { title: "write 3 notes" },
};

/** Follows a task that asks once, and says what the terminal printed; `first` is what another client said before. */
async function follow(line: string, first?: ApprovalAnswer): Promise<readonly string[]> {
  const notes: string[] = [];
  const output = {
    mode: "human" as const,
    note: (text: string) => void notes.push(text),
    result: (text: string) => void notes.push(text),
    object: () => undefined,
  };
  const said = Promise.withResolvers<ApprovalAnswer>();
  const feed = {
    async *events(): AsyncGenerator<TaskEvent> {
      yield plan;
      const { decision } = first ?? (await said.promise);
      yield { type: "approval_resolved", id: plan.id, decision };
      yield { type: "completed" };
    },
    async answer(_id: ApprovalId, answer: ApprovalAnswer) {
      said.resolve(answer);
      return undefined;
    },
  };
  const approver = { answer: async () => parseApproval(line, plan) ?? { decision: "denied" as const } };
  const show = showProgramEvent.bind(undefined, output);
  await followTask(feed, { show, approver }, new AbortController().signal);
  return notes;
}

test("an answer to a part of a plan is told as that", async () => {
  expect((await follow("1,3")).at(-1)).toBe("  2 of 3 approved by terminal");
  expect((await follow("1-3")).at(-1)).toBe("  approved");
  expect((await follow("y")).at(-1)).toBe("  approved");
  expect((await follow("n")).at(-1)).toBe("  denied");
});

test("what another client has said first is told as they said it", async () => {
  expect((await follow("1,3", { decision: "denied" })).at(-1)).toBe("  denied");
});

test("a question has each input once", async () => {
  const [question = ""] = await follow("y");
  expect(question.match(/n: 2/g)).toHaveLength(1);
});

test("after an answer that does not fit, the same question is asked again, with what was wrong", async () => {
  const answers: ApprovalAnswer[] = [];
  const asked: (string | undefined)[] = [];
  const over = Promise.withResolvers<void>();
  const feed = {
    async *events(): AsyncGenerator<TaskEvent> {
      yield plan;
      await over.promise;
      yield { type: "completed" };
    },
    async answer(_id: ApprovalId, answer: ApprovalAnswer) {
      answers.push(answer);
      if (answers.length === 1) return "result: size is missing";
      over.resolve();
      return undefined;
    },
  };
  const approver = {
    async answer(_request: unknown, _signal: AbortSignal, wrong?: string): Promise<ApprovalAnswer> {
      asked.push(wrong);
      return { decision: wrong === undefined ? "approved" : "denied" };
    },
  };
  await followTask(feed, { show: () => undefined, approver }, new AbortController().signal);
  expect(asked).toEqual([undefined, "result: size is missing"]);
  expect(answers).toEqual([{ decision: "approved" }, { decision: "denied" }]);
});
