import type { SessionEntry } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { ClientError } from "../client-error.ts";
import type { DaemonLink, Followed } from "../daemon-link.ts";
import { talkThrough } from "./daemon-conversation.ts";

const never = new AbortController().signal;
const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };

/** A conversation over a real log, and a link whose answers and breaks the test controls. */
async function setup() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const id = ids.next("session");
  const data = { key: "terminal--default", agentId: "main", channel: "terminal" };
  await log.append(id, [{ type: "session.started", data }]);
  const [turnId, calls] = [ids.next("turn"), [] as string[]];
  let answer: () => Promise<object> = async () => ({ runId: turnId });
  let reconnect = Promise.withResolvers<void>();
  const link: Omit<DaemonLink, "changes"> = {
    call: async (method) => {
      calls.push(method);
      return (await answer()) as never;
    },
    async *follow(stream, after): AsyncGenerator<Followed> {
      for (let seq = after; ;) {
        yield { kind: "head", seq: (await log.head(stream))?.seq ?? 0 };
        for await (const event of log.read(stream, { after: seq })) {
          yield { kind: "event", event };
          ({ seq } = event);
        }
        await reconnect.promise;
        reconnect = Promise.withResolvers();
      }
    },
    [Symbol.dispose]: () => undefined,
  };
  const at = new Date().toISOString();
  const session: SessionEntry = { ...data, id, startedAt: at, lastAt: at, turns: 0, isTask: false };
  const conversation = talkThrough(link, session, 1);
  const seen: string[] = [];
  void (async () => {
    for await (const item of conversation.items(never)) if (item.kind === "event") seen.push(item.event.type);
  })();
  const said = (text: string): NewEvent => ({
    type: "user.message",
    turnId,
    data: { text, attachments: [], channel: "ws", sender: "owner", trust: "user" },
  });
  return {
    conversation,
    calls,
    seen,
    /** New events in the daemon's log, which the client gets. */
    append: async (...events: readonly NewEvent[]) => {
      await log.append(id, events);
      reconnect.resolve();
    },
    said,
    ended: { type: "turn.completed", turnId, data: { usage } } satisfies NewEvent,
    answerWith: (next: () => Promise<object>) => void (answer = next),
    comeBack: () => reconnect.resolve(),
  };
}

const gone = (): Promise<never> => Promise.reject(new ClientError("daemon_gone", "gone"));

test("is busy from a message until the turn's end was read", async () => {
  const { conversation, append, said, ended } = await setup();
  expect(conversation.isBusy()).toBe(false);
  await conversation.say("hello", never);
  expect(conversation.isBusy()).toBe(true);
  await append(said("hello"));
  const idle = conversation.idle(never);
  await append(ended);
  await idle;
  expect(conversation.isBusy()).toBe(false);
  expect(await conversation.headSeq()).toBe(3);
});

test("a message whose answer was lost counts as accepted if it is in the log", async () => {
  const { conversation, append, said, answerWith, calls } = await setup();
  answerWith(gone);
  const saying = conversation.say("hello", never);
  await append(said("hello"));
  await saying;
  expect(calls).toEqual(["chat.send"]);
  expect(conversation.isBusy()).toBe(true);
});

test("one that is not in the log when the daemon is back was not accepted, and is not sent again", async () => {
  const { conversation, answerWith, comeBack, calls, seen } = await setup();
  await expect.poll(() => seen).toEqual(["session.started"]);
  answerWith(gone);
  const saying = conversation.say("hello", never);
  comeBack();
  await expect(saying).rejects.toMatchObject({
    code: "daemon_gone",
    message: expect.stringContaining("Send it again"),
  });
  expect(calls).toEqual(["chat.send"]);
  expect(conversation.isBusy()).toBe(false);
});

test("a late answer to a question is no failure; leaving does not stop a turn", async () => {
  const { conversation, append, said, answerWith, calls } = await setup();
  await append(said("hello"));
  await expect.poll(() => conversation.isBusy()).toBe(true);
  answerWith(() => Promise.reject(new ClientError("already_decided", "It was already denied")));
  const callId = createIdSource({ clock: createSystemClock() }).next("call");
  await conversation.answer(callId, { decision: "approved" });
  expect(await conversation.leave("user")).toBe("goes_on");
  expect(calls).toEqual(["exec.approve"]);
});
