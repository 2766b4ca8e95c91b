import { createIdSource, createSystemClock } from "@deputy/kit";
import type { EventData } from "@deputy/protocol";
import { expect, test } from "vitest";
import { answerOf, permissionFor } from "./permission.ts";

const ids = createIdSource({ clock: createSystemClock() });
const sha256 = "0".repeat(64);

function question(more: Partial<EventData<"approval.requested">> = {}): EventData<"approval.requested"> {
  return {
    approvalId: ids.next("call"),
    toolPath: "mail.send",
    input: { to: "a@example.com" },
    preview: { title: "Send a mail" },
    bindingHash: sha256,
    ...more,
  };
}

const textOf = (asked: EventData<"approval.requested">): string => {
  const [card] = permissionFor("ses", asked).toolCall.content ?? [];
  if (card?.type !== "content" || card.content.type !== "text") throw new Error("The card is no text");
  return card.content.text;
};
const optionsOf = (asked: EventData<"approval.requested">) =>
  permissionFor("ses", asked).options.map(({ kind, name }) => `${kind}: ${name}`);

test("[E332] shows the card with nothing hidden and nothing that ends its block, and the whole input beside it", () => {
  const body = `${"x".repeat(200_000)} the end`;
  const asked = question({
    input: { body, to: "evil\u202e@example.com", note: "```\n# not Markdown <!-- gone? -->" },
    preview: { title: "Send\na\u200b mail", reasons: ["because"], changes: [{ path: "a", diff: "+added" }] },
  });
  const text = textOf(asked);
  for (const piece of [
    "left out",
    "the end",
    "evil\\u{202e}@example.com",
    "Send\\u{a}a\\u{200b} mail",
    "because",
    "+added",
  ])
    expect(text).toContain(piece);
  expect(permissionFor("ses", asked).toolCall.rawInput).toEqual(asked.input);
  expect(text).toMatch(/^````\n[^]*<!-- gone\? -->[^]*\n````$/);
  expect(permissionFor("ses", asked).toolCall.title).toBe("Send a\\u{200b} mail");
});

test("[E332] a plan is one question that names every call", () => {
  const planned = [1, 2].map((n) => ({
    callId: ids.next("call"),
    toolPath: "mail.send",
    input: { n },
    preview: { title: `Send number ${n}` },
  }));
  const asked = question({
    approvalId: ids.next("plan"),
    toolPath: "plan",
    input: { calls: planned, unforeseen: 2 },
    preview: { title: "send 2 mails" },
    calls: planned.map(({ callId, toolPath }) => ({ callId, toolPath, inputHash: sha256 })),
  });
  const text = textOf(asked);
  for (const piece of ["1. n: 1", "2. n: 2", "Send number {n}", "2 more"]) expect(text).toContain(piece);
  expect(optionsOf(asked)).toEqual([
    "allow_once: Allow this plan",
    "allow_always: Allow these tools for this conversation",
    "reject_once: Reject",
  ]);
});

test("[E332] what allowing for the session reaches is said; what became of a call is asked only once", () => {
  expect(optionsOf(question())[1]).toBe("allow_always: Allow mail.send for this conversation");
  expect(optionsOf(question({ grantable: "input" }))[1]).toBe(
    "allow_always: Allow the very same in this conversation",
  );
  const unknown = question({ unknownCall: ids.next("call") });
  expect(optionsOf(unknown)).toEqual(["allow_once: Run it again", "reject_once: Leave it"]);
  expect(answerOf(unknown, { outcome: "selected", optionId: "session" })).toEqual({ decision: "denied" });
  const running = question({ askedBy: ids.next("call") });
  expect(optionsOf(running)).toEqual(["allow_once: Yes", "reject_once: No"]);
});

test("[E332] only an offered option allows; anything else is a no", () => {
  const asked = question();
  const chosen = (optionId: string) => answerOf(asked, { outcome: "selected", optionId });
  expect(chosen("once")).toEqual({ decision: "approved", scope: "once" });
  expect(chosen("session")).toEqual({ decision: "approved", scope: "session" });
  for (const optionId of ["reject", "allow", "", "constructor"])
    expect(chosen(optionId)).toEqual({ decision: "denied" });
  expect(answerOf(asked, { outcome: "cancelled" })).toMatchObject({ decision: "denied" });
});
