import { createIdSource } from "@deputy/kit";
import { type NewEvent, noteMessage } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createChatTranscript } from "./chat-transcript.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const stream = ids.next("session");
  const transcript = createChatTranscript();
  const turnId = ids.next("turn");
  const take = async (...events: readonly NewEvent[]) => {
    const stored = await log.append(stream, events);
    return stored.map((event) => ({
      hides: transcript.hides({ kind: "event", event }),
      blocks: transcript.take({ kind: "event", event }),
    }));
  };
  const answer = (text: string): NewEvent => ({
    type: "assistant.message",
    turnId,
    data: { itemId: ids.next("item"), text },
  });
  return { clock, ids, transcript, stream, turnId, take, answer };
}

const prompt = {
  text: "Look",
  attachments: [],
  channel: "heartbeat",
  sender: "heartbeat",
  trust: "user",
} as const;

test("[E702] what Deputy tells is shown as what it is, without the words that are for the agent", async () => {
  const { take } = setup();
  const data = noteMessage({ from: "heartbeat", text: "The build is red." });
  const [shown] = await take({ type: "user.message", data });
  expect(shown?.blocks).toEqual([{ kind: "told", text: "● heartbeat: The build is red." }]);
});

test("[E702] of a heartbeat in the session only what it tells is shown", async () => {
  const { take, answer, transcript, turnId, stream, ids } = setup();
  const began: NewEvent = {
    type: "heartbeat.began",
    turnId,
    data: { kind: "exec", agentId: "main", refs: [] },
  };
  const shown = await take(
    began,
    { type: "user.message", turnId, data: { ...prompt, attachments: [] } },
    answer("HEARTBEAT_OK"),
    answer("The build is through."),
  );
  expect(shown.map(({ hides }) => hides)).toEqual([false, true, true, false]);
  expect(shown.flatMap(({ blocks }) => blocks)).toEqual([
    { kind: "assistant", text: "The build is through." },
  ]);
  const delta = {
    stream,
    turnId,
    itemId: ids.next("item"),
    itemType: "message",
    offset: 0,
    text: "HEART",
  } as const;
  transcript.take({
    kind: "delta",
    delta: { type: "assistant.delta", at: "2026-01-02T03:04:05.000Z", ...delta },
  });
  expect(transcript.live().text).toBe("");
});

test("[E702] the same words in a turn that somebody asked for are shown", async () => {
  const { take, answer, turnId } = setup();
  const said = { ...prompt, channel: "terminal", sender: "owner", attachments: [] };
  const shown = await take({ type: "user.message", turnId, data: said }, answer("HEARTBEAT_OK"));
  expect(shown.flatMap(({ blocks }) => blocks)).toEqual([
    { kind: "user", text: "Look" },
    { kind: "assistant", text: "HEARTBEAT_OK" },
  ]);
});

test("the time that the user takes to answer what a call asks is none of the call's", async () => {
  const { clock, ids, transcript, turnId, take } = setup();
  const [callId, approvalId] = [ids.next("call"), ids.next("call")];
  const startedAtMs = clock.now();
  await take({
    type: "call.started",
    turnId,
    data: { callId, toolPath: "shop.order", idempotencyKey: callId },
  });
  await clock.advance(2_000);
  const question = { approvalId, toolPath: "shop.order", input: {}, preview: { title: "Which?" } };
  const data = { ...question, bindingHash: "0".repeat(64), askedBy: callId };
  await take({ type: "approval.requested", turnId, data });
  const waiting = { toolPath: "shop.order", startedAtMs, waitsSinceMs: startedAtMs + 2_000 };
  expect(transcript.live().calls).toEqual([waiting]);
  await clock.advance(60_000);
  const answer = { approvalId, decision: "approved", by: "owner", scope: "once" } as const;
  await take({ type: "approval.resolved", turnId, data: answer });
  expect(transcript.live().calls).toEqual([{ toolPath: "shop.order", startedAtMs: startedAtMs + 60_000 }]);
});
