import type { Turn, TurnOutcome } from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { NewEvent, StoredEvent } from "@deputy/protocol";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createChatTranscript } from "./chat-transcript.ts";
import { talkIn, type TalkingEngine } from "./local-conversation.ts";
import { createSpendMeter } from "./spend-meter.ts";

const never = new AbortController().signal;
const usage = { inputTokens: 10, outputTokens: 2, modelCalls: 1 };

/** A session over a real log; turns end when the test says so. */
async function setup() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const session = await createLogSessionService({ log, ids }).start({
    agentId: "main",
    key: "terminal--default",
    channel: "terminal",
  });
  const turns: Turn[] = [];
  const ends: ((outcome: TurnOutcome) => void)[] = [];
  const engine = {
    log,
    ids,
    turns: {
      run: (turn: Turn) => {
        turns.push(turn);
        const { promise, resolve } = Promise.withResolvers<TurnOutcome>();
        ends.push(resolve);
        return promise;
      },
    },
  } as unknown as TalkingEngine;
  const conversation = await talkIn(engine, session, undefined);
  const append = (...events: readonly NewEvent[]) => log.append(session.id, events);
  const messages = async () =>
    (await Array.fromAsync(log.read(session.id))).filter(({ type }) => type === "user.message");
  const heard = (throughSeq: number): NewEvent => ({
    type: "assistant.message",
    ...(turns[0] === undefined ? {} : { turnId: turns[0].turnId }),
    data: { itemId: ids.next("item"), text: "Yes.", answer: { usage, stop: "end", throughSeq } },
  });
  return { conversation, turns, ends, append, messages, heard, log, session };
}

test("what is said in a turn joins it; said after its end, it begins another", async () => {
  const { conversation, turns, ends, append, messages, heard } = await setup();
  await conversation.say("one", never);
  expect(conversation.isBusy()).toBe(true);
  await conversation.say("two", never);
  expect(turns).toHaveLength(1);
  await append(heard(3), { type: "turn.completed", turnId: turns[0]!.turnId, data: { usage } });
  // Its end is in the log, and nobody here knows yet.
  const third = conversation.say("three", never);
  ends[0]?.({ kind: "completed" });
  await third;
  expect(turns).toHaveLength(2);
  const said = (await messages()).map(({ turnId }) => turnId);
  expect(said).toEqual([turns[0]?.turnId, turns[0]?.turnId, turns[1]?.turnId]);
});

test("what a turn did not hear before its end is answered by another", async () => {
  const { conversation, turns, ends, append, heard } = await setup();
  await conversation.say("one", never);
  await conversation.say("too late", never);
  await append(heard(2), { type: "turn.completed", turnId: turns[0]!.turnId, data: { usage } });
  ends[0]?.({ kind: "completed" });
  await expect.poll(() => turns.length).toBe(2);
  expect(conversation.isBusy()).toBe(true);
  await append({ ...heard(6), turnId: turns[1]!.turnId });
  ends[1]?.({ kind: "completed" });
  await conversation.idle(never);
  expect(conversation.isBusy()).toBe(false);
});

test("a transcript counts what a turn took once, and forgets its questions at its end", async () => {
  const { conversation, turns, append, heard, log, session } = await setup();
  await conversation.say("one", never);
  const turnId = turns[0]!.turnId;
  await append(heard(2), {
    type: "turn.completed",
    turnId,
    data: { usage, cost: { amount: 0.5, currency: "USD" } },
  });
  const meter = createSpendMeter();
  const transcript = createChatTranscript();
  const events: StoredEvent[] = await Array.fromAsync(log.read(session.id));
  const blocks = events.flatMap((event) => {
    meter.take(event);
    return transcript.take({ kind: "event", event });
  });
  expect(blocks).toEqual([
    { kind: "user", text: "one" },
    { kind: "assistant", text: "Yes." },
  ]);
  expect(meter.total()).toEqual({ ...usage, cost: 0.5 });
  expect(transcript.live()).toEqual({ text: "", calls: [] });
});
