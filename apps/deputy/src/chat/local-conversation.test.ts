import { createLogApprovalDesk, createTurnKeeper, type Turn, type TurnOutcome } from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import type { StoredEvent } from "@deputy/protocol";
import { createConversationQueue } from "@deputy/tasks";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createChatTranscript } from "@deputy/terminal/chat";
import { talkIn } from "./local-conversation.ts";
import { createSpendMeter } from "@deputy/terminal/chat";

const never = new AbortController().signal;
const usage = { inputTokens: 10, outputTokens: 2, modelCalls: 1 };

/** A session over a real log; turns end when the test says so. */
async function setup() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sessions = createLogSessionService({ log, ids });
  const session = await sessions.start({ agentId: "main", key: "terminal--default", channel: "terminal" });
  const redactor = createRedactor([]);
  const costOf = async () => 500_000;
  const keeper = createTurnKeeper({ log, owner: "test", clock, redactor, costOf });
  const turns: Turn[] = [];
  const ends: (() => void)[] = [];
  const run = (turn: Turn, signal: AbortSignal): Promise<TurnOutcome> => {
    turns.push(turn);
    return keeper.run(
      turn,
      async ({ begin, view }) => {
        await begin("test/told");
        await view.current();
        const throughSeq = view.seq();
        await new Promise<void>((resolve) => ends.push(resolve));
        const data = { itemId: ids.next("item"), text: "Yes.", answer: { usage, stop: "end", throughSeq } };
        await keeper.log.append(turn.stream, [{ type: "assistant.message", turnId: turn.turnId, data }]);
        return { throughSeq };
      },
      signal,
    );
  };
  const onBug = (error: unknown): never => {
    throw error;
  };
  const conversations = createConversationQueue({
    log,
    ids,
    sessions,
    turns: { run, stop: keeper.stop, giveUp: keeper.giveUp },
    onBug,
    signal: never,
  });
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const conversation = await talkIn({ log, conversations, approvals, onBug }, session);
  const messages = async () =>
    (await Array.fromAsync(log.read(session.id))).filter(({ type }) => type === "user.message");
  /** The running turn has seen the message. */
  const hasLooked = () => expect.poll(() => ends.length).toBe(1);
  /** Lets it finish. */
  const answer = async (): Promise<void> => {
    await hasLooked();
    ends.shift()?.();
  };
  return { conversation, turns, hasLooked, answer, messages, log, session };
}

test("a message during a turn joins it and is answered in it; after its end it begins another", async () => {
  const { conversation, turns, hasLooked, answer, messages } = await setup();
  await conversation.say("one", never);
  expect(conversation.isBusy()).toBe(true);
  await hasLooked();
  await conversation.say("two", never);
  expect(turns).toHaveLength(1);
  await answer();
  await answer();
  await conversation.idle(never);
  expect(conversation.isBusy()).toBe(false);
  await conversation.say("three", never);
  await answer();
  await conversation.idle(never);
  expect(turns).toHaveLength(2);
  const said = (await messages()).map(({ turnId }) => turnId);
  expect(said).toEqual([turns[0]?.turnId, turns[0]?.turnId, turns[1]?.turnId]);
});

test("a transcript counts a turn's usage once, and forgets its questions at its end", async () => {
  const { conversation, answer, log, session } = await setup();
  await conversation.say("one", never);
  await answer();
  await conversation.idle(never);
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
  expect(transcript.live()).toEqual({ text: "", calls: [], unasked: [] });
});
