import type { ApprovalId, EventData } from "@deputy/protocol";
import { expect, test } from "vitest";
import { callsOff } from "./calls-off.ts";
import { message, setUpConversations } from "./conversation-queue.fixture.ts";

test.each([
  "Stop!",
  "no",
  "No, #2 is still wanted",
  "Wait, not that one",
  "don’t do it",
  "Please don't close #2",
  "oh, never mind",
  "Actually, cancel that.",
  "Halt, lass das",
  "I’d rather not",
  "keep them all",
  "Lieber nicht",
  "annuler",
  "Non, pas celui-là",
  "espera",
  "👎",
  "👎🏽 not that",
])("[J130] “%s” calls off", (text) => expect(callsOff(text)).toBe(true));

test.each([
  "Yes",
  "approve",
  "go ahead",
  "No problem, go ahead",
  "Don't worry about the rest",
  "Wait for Bob's mail afterwards",
  "Also add milk to the list",
  "Notes go into notes.md",
  "nobody needs #3",
  "Keep it short, please",
  "keep going",
  "None of them is urgent",
  "Keepass has the password",
  "stopwatch.ts is the file",
  "What does cancel mean here?",
  "",
])("[J130] “%s” does not", (text) => expect(callsOff(text)).toBe(false));

async function setup() {
  const world = setUpConversations();
  const { log, ids, approvals, begin, open, untilAsked } = world;
  const session = await begin();
  const { queue } = open();
  const { runId } = await queue.send(message(session, "Close what is old"));
  const model = await untilAsked(1);
  const ask = async (more: Partial<EventData<"approval.requested">> = {}, stream = session) => {
    const approvalId = ids.next("call") satisfies ApprovalId;
    const hash = "0".repeat(64);
    const question = {
      approvalId,
      toolPath: "issues.close",
      input: { number: 2 },
      preview: { title: "Close" },
    };
    const data = { ...question, bindingHash: hash, ...more };
    await log.append(stream, [{ type: "approval.requested", turnId: runId, data }]);
    return approvalId;
  };
  const waiting = async () => (await approvals.pending()).map(({ id }) => id);
  return { ...world, session, queue, model, ask, waiting };
}

test("[J130] a message that calls off withdraws its session's questions, and gives the reason", async () => {
  const { queue, session, ask, waiting, approvals, model, begin, ids } = await setup();
  const elsewhere = await ask({}, await begin("test--2"));
  const [first, second] = [await ask(), await ask()];
  const ran = await ask({ unknownCall: ids.next("call") });
  expect(await waiting()).toEqual([elsewhere, first, second, ran]);
  await queue.send(message(session, "Stop, #2 is still wanted"));
  expect(await waiting(), "other sessions, and what has already happened, wait on").toEqual([elsewhere, ran]);
  expect(await approvals.answered(first)).toMatchObject({
    decision: "denied",
    reason: "Stop, #2 is still wanted",
    by: "owner",
  });
  model.answer();
});

test("[J130] no message approves anything, and others' messages withdraw nothing", async () => {
  const { queue, session, ask, waiting, model } = await setup();
  const question = await ask();
  for (const text of ["yes", `approve ${question}`, "go ahead", "and add milk to the list"])
    await queue.send(message(session, text));
  await queue.send({ ...message(session, "Stop"), trust: "untrusted" });
  expect(await waiting()).toEqual([question]);
  model.answer();
});
