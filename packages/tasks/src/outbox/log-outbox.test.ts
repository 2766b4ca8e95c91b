import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource, type SessionId } from "@deputy/kit";
import { readNote } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import type { Channel, ChannelMessage } from "./channel.ts";
import { createLogOutbox } from "./log-outbox.ts";

const FIRST = { key: "terminal--default", agentId: "main", channel: "terminal" };

function setup(send?: (message: ChannelMessage, times: number) => Promise<{ providerId?: string }>) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sessions = createLogSessionService({ log, ids });
  const bugs: unknown[] = [];
  const sent: ChannelMessage[] = [];
  const telegram: Channel = {
    name: "telegram",
    async send(message) {
      sent.push(message);
      return await (send?.(message, sent.length) ?? Promise.resolve({ providerId: "77" }));
    },
  };
  const open = (process = new AbortController()) =>
    createLogOutbox({
      log,
      sessions,
      channels: send === undefined ? [] : [telegram],
      firstSession: FIRST,
      redact: (text) => text.replaceAll("hunter2", "[secret]"),
      clock,
      onBug: (error) => void bugs.push(error),
      signal: process.signal,
    });
  const begin = async (key: string, channel = "terminal"): Promise<SessionId> =>
    (await sessions.start({ key, agentId: "main", channel })).id;
  const notes = async (session: SessionId) =>
    (await Array.fromAsync(log.read(session))).flatMap(({ type, data }) =>
      type === "user.message" ? [readNote(data as Parameters<typeof readNote>[0])] : [],
    );
  const types = async (stream: SessionId | "system") =>
    (await Array.fromAsync(log.read(stream))).map(({ type }) => type);
  return { clock, ids, log, sessions, bugs, sent, open, begin, notes, types };
}

const hello = { key: "k1", to: "last", text: "The build is red.", from: "heartbeat" };
const turn = { type: "turn.started", data: { agentId: "main", model: "m" } } as const;

test("[J91] what was told is a note in the session, with what the wire says about it before it", async () => {
  const { open, begin, notes, types } = setup();
  const session = await begin("terminal--default");
  await open().tell({ ...hello, text: "The password is hunter2." });
  expect(await notes(session)).toEqual([{ from: "heartbeat", text: "The password is [secret]." }]);
  expect(await types(session)).toEqual(["session.started", "outbox.queued", "outbox.sent", "user.message"]);
});

test("[J91] one key is told once: side by side, and by the next process", async () => {
  const { open, begin, notes } = setup();
  const session = await begin("terminal--default");
  const outbox = open();
  await Promise.all([outbox.tell(hello), outbox.tell(hello)]);
  await open().tell(hello);
  await open().tell({ ...hello, key: "k2" });
  expect(await notes(session)).toHaveLength(2);
});

test("[J92] it is told in the session used last, whoever else has spoken since", async () => {
  const { open, begin, log, ids, notes } = setup();
  const [used, other] = [await begin("terminal--default"), await begin("web--1", "api")];
  const heartbeat = await begin("heartbeat", "heartbeat");
  await log.append(used, [{ ...turn, turnId: ids.next("turn") }]);
  const unasked = ids.next("turn");
  await log.append(other, [
    { type: "heartbeat.began", turnId: unasked, data: { kind: "exec", agentId: "main", refs: [] } },
    { ...turn, turnId: unasked },
  ]);
  await log.append(heartbeat, [{ ...turn, turnId: ids.next("turn") }]);
  await open().tell(hello);
  expect(await notes(used)).toHaveLength(1);
  expect([...(await notes(other)), ...(await notes(heartbeat))]).toEqual([]);
});

test("[J92] a session is named by its key; a task's, or none at all, means the last one", async () => {
  const { open, begin, log, ids, notes } = setup();
  const [named, task, last] = [await begin("web--1"), await begin("tasks--1"), await begin("web--2")];
  const created = { taskId: ids.next("task"), kind: "one-shot", prompt: "Look", agentId: "main" } as const;
  await log.append(task, [{ type: "task.created", data: created }]);
  const outbox = open();
  await outbox.tell({ ...hello, to: "web--1" });
  await outbox.tell({ ...hello, key: "k2", to: task });
  await outbox.tell({ ...hello, key: "k3", to: "telegram" });
  expect([await notes(named), await notes(task), await notes(last)].map((all) => all.length)).toEqual([
    1, 0, 2,
  ]);
});

test("[J92] an owner who never said anything finds it in the session that they will begin in", async () => {
  const { open, sessions, notes } = setup();
  await open().tell(hello);
  const session = await sessions.find(FIRST.key);
  expect(session).toMatchObject(FIRST);
  expect(session === undefined ? [] : await notes(session.id)).toHaveLength(1);
});

test("[J93] a channel sends it, and what it calls it is in the log", async () => {
  const { open, sent, types, log } = setup(async () => ({ providerId: "77" }));
  await open().tell({ ...hello, to: "telegram" });
  await vi.waitFor(async () => expect(await types("system")).toEqual(["outbox.queued", "outbox.sent"]));
  expect(sent).toEqual([{ key: "k1", from: "heartbeat", text: "The build is red." }]);
  const [, last] = await Array.fromAsync(log.read("system"));
  expect(last?.data).toMatchObject({ channel: "telegram", messageRef: "k1", providerId: "77" });
});

test("[J93] what was not sent when the process died is sent by the next one, and only that", async () => {
  const dead = Promise.withResolvers<never>();
  const { open, sent, types } = setup((_, times) => (times === 1 ? dead.promise : Promise.resolve({})));
  const process = new AbortController();
  const first = open(process);
  await first.tell({ ...hello, to: "telegram" });
  process.abort();
  dead.reject(process.signal.reason);
  await first[Symbol.asyncDispose]();
  expect(await types("system")).toEqual(["outbox.queued"]);
  await open().goOn();
  await vi.waitFor(async () => expect(await types("system")).toContain("outbox.sent"));
  await open().goOn();
  expect(sent.map(({ key }) => key)).toEqual(["k1", "k1"]);
});

test("[J93] a channel that fails is tried again; one that does not come round is told of in the session", async () => {
  const { open, begin, sent, notes, types, clock } = setup(async () => Promise.reject(new Error("blocked")));
  const session = await begin("terminal--default");
  await open().tell({ ...hello, to: "telegram" });
  await vi.waitFor(async () => {
    await clock.advance(60_000);
    expect(await types("system")).toEqual(["outbox.queued", "outbox.failed"]);
  });
  expect(sent.length).toBeGreaterThan(1);
  expect(await notes(session)).toEqual([{ from: "heartbeat", text: "The build is red." }]);
});
