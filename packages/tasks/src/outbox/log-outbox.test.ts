import { createLogSessionService } from "@deputy/agent/sessions";
import { importSession } from "@deputy/agent/sessions/import";
import { createIdSource, type SessionId } from "@deputy/kit";
import { readNote } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import type { Channel, ChannelMessage } from "./channel.ts";
import { type ActiveHours, activeHours } from "../heartbeat/active-hours.ts";
import { ChannelFailure } from "./channel-failure.ts";
import { createLogOutbox } from "./log-outbox.ts";

const FIRST = { key: "terminal--default", agentId: "main", channel: "terminal" };

function setup(
  send?: (message: ChannelMessage, times: number) => Promise<{ providerId?: string }>,
  more: { deliverTo?: string; quietHours?: ActiveHours } = {},
) {
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
      ...more,
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

test("[J91] a notification is a note in the session, after the events about it", async () => {
  const { open, begin, notes, types } = setup();
  const session = await begin("terminal--default");
  await open().tell({ ...hello, text: "The password is hunter2." });
  expect(await notes(session)).toEqual([{ from: "heartbeat", text: "The password is [secret]." }]);
  expect(await types(session)).toEqual(["session.started", "outbox.queued", "outbox.sent", "user.message"]);
});

test("[J91] an imported session is never the one used last, nor its fork, nor told anything by its name", async () => {
  const { open, begin, notes, ids, log, sessions } = setup();
  const own = await begin("terminal--default");
  const stream = ids.next("session");
  const events = [
    {
      type: "session.started",
      data: { agentId: "evil-agent", key: "terminal--default", channel: "terminal" },
    },
    { type: "turn.started", turnId: ids.next("turn"), data: { agentId: "evil-agent", model: "a/b" } },
  ].map((event, n) =>
    Object.assign(event, {
      id: ids.next("event"),
      seq: n + 1,
      stream,
      at: "2030-03-01T09:00:00.000Z",
      payloadHash: "0".repeat(64),
      prev: "0".repeat(64),
    }),
  );
  const { key } = await importSession({ log, ids, agentId: "main" }, { stream, events });
  expect(await sessions.find(stream)).toMatchObject({ agentId: "main", channel: "imported" });
  const fork = await sessions.fork(stream, {});
  const outbox = open();
  for (const [n, to] of ["last", stream, key].entries()) await outbox.tell({ ...hello, key: `k${n}`, to });
  expect(await notes(own)).toHaveLength(3);
  // Also not once the owner has said something there.
  await log.append(stream, [{ ...turn, turnId: ids.next("turn") }]);
  await outbox.tell({ ...hello, key: "later" });
  expect(await notes(own)).toHaveLength(4);
  expect(await notes(stream)).toEqual([]);
  if (fork.kind === "forked") expect(await notes(fork.session.id)).toEqual([]);
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

test("[J92] sends to the session that the owner used last, even if others spoke since", async () => {
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

test("[J92] finds a session by its key; for a task's or an unknown one, uses the last", async () => {
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

test("[J92] for an owner without a session, begins the one they will start in", async () => {
  const { open, sessions, notes } = setup();
  await open().tell(hello);
  const session = await sessions.find(FIRST.key);
  expect(session).toMatchObject(FIRST);
  expect(session === undefined ? [] : await notes(session.id)).toHaveLength(1);
});

test("[J93] a channel sends it, and its message id is in the log", async () => {
  const { open, sent, types, log } = setup(async () => ({ providerId: "77" }));
  await open().tell({ ...hello, to: "telegram" });
  await vi.waitFor(async () => expect(await types("system")).toEqual(["outbox.queued", "outbox.sent"]));
  expect(sent).toEqual([{ key: "k1", from: "heartbeat", text: "The build is red." }]);
  const [, last] = await Array.fromAsync(log.read("system"));
  expect(last?.data).toMatchObject({ channel: "telegram", messageRef: "k1", providerId: "77" });
});

test("[J93] the next process sends only what was not sent when the process died", async () => {
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

test("[J93] retries a failing channel; if it does not recover, notifies in the session", async () => {
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

const home = (session: SessionId, person = "17") =>
  ({ type: "channel.home", data: { channel: "slack", person, session } }) as const;

test("[J142] a chat counts as the owner's only once the app says so, and until its person is unpaired", async () => {
  const { open, begin, notes, log, ids } = setup();
  const terminal = await begin("terminal--default");
  const [guest, own] = [await begin("slack--D66", "slack"), await begin("slack--D17", "slack")];
  for (const session of [guest, own]) await log.append(session, [{ ...turn, turnId: ids.next("turn") }]);
  const outbox = open();
  await outbox.tell(hello);
  await outbox.tell({ ...hello, key: "k2", to: "slack" });
  expect([await notes(guest), await notes(own), await notes(terminal)].map((all) => all.length)).toEqual([
    0, 0, 2,
  ]);
  await log.append("system", [home(own)]);
  await outbox.tell({ ...hello, key: "k3" });
  await log.append(terminal, [{ ...turn, turnId: ids.next("turn") }]);
  await outbox.tell({ ...hello, key: "k4", to: "slack" });
  expect(await notes(own)).toHaveLength(2);
  await log.append("system", [{ type: "channel.unpaired", data: { channel: "slack", person: "17" } }]);
  await outbox.tell({ ...hello, key: "k5", to: "slack" });
  expect([await notes(guest), await notes(own), await notes(terminal)].map((all) => all.length)).toEqual([
    0, 2, 3,
  ]);
});

test("[J142] `last` leads where the settings say", async () => {
  const { open, begin, notes, log } = setup(undefined, { deliverTo: "slack" });
  const [chat, terminal] = [await begin("slack--D17", "slack"), await begin("terminal--default")];
  await log.append("system", [home(chat)]);
  await log.append(terminal, [turn]);
  await open().tell(hello);
  expect([await notes(chat), await notes(terminal)].map((all) => all.length)).toEqual([1, 0]);
});

test("[J143] quiet hours hold what would ring; then it comes as one message, questions by themselves, also from the next process", async () => {
  // The fake clock begins at midnight.
  const { open, begin, notes, log, clock, types, ids } = setup(undefined, {
    quietHours: activeHours("22-7", "UTC"),
  });
  const chat = await begin("slack--D17", "slack");
  await log.append("system", [home(chat)]);
  const process = new AbortController();
  const first = open(process);
  const asks = ids.next("call");
  await first.tell({ ...hello, text: "one" });
  await first.tell({ ...hello, key: "k2", text: "two" });
  await first.tell({ ...hello, key: "k2", text: "two, again" });
  await first.tell({ ...hello, key: "q", text: "It needs you", asks });
  await first.tell({ ...hello, key: "k3", text: "Get up", from: "reminder", isAskedFor: true });
  expect(await notes(chat)).toEqual([{ from: "reminder", text: "Get up" }]);
  process.abort();
  await first[Symbol.asyncDispose]();
  const next = open();
  await next.goOn();
  await clock.advance(6 * 3_600_000);
  expect(await notes(chat)).toHaveLength(1);
  await vi.waitFor(async () => {
    await clock.advance(600_000);
    expect(await notes(chat)).toHaveLength(3);
  });
  expect((await notes(chat)).slice(1)).toEqual([
    { from: "quiet hours", text: "While it was quiet:\n- heartbeat: one\n- heartbeat: two" },
    { from: "heartbeat", text: "It needs you" },
  ]);
  expect((await types("system")).filter((type) => type === "outbox.held")).toHaveLength(3);
  await open().goOn();
  await next.tell({ ...hello, key: "k9", text: "day" });
  expect(await notes(chat)).toHaveLength(4);
});

test("[J143] what does not ring is told at once, quiet or not", async () => {
  const { open, begin, notes } = setup(undefined, { quietHours: activeHours("22-7", "UTC") });
  const terminal = await begin("terminal--default");
  await open().tell(hello);
  expect(await notes(terminal)).toHaveLength(1);
});

test("[J172] what a channel gave up is known with its reason, and is sent once more when asked for; a refusal is not repeated", async () => {
  let isOpen = false;
  const { open, begin, sent, notes, log, clock } = setup(async () => {
    if (isOpen) return {};
    throw new ChannelFailure("not_accepted", "The mail server does not accept the sign-in hunter2");
  });
  const session = await begin("terminal--default");
  const outbox = open();
  await outbox.tell({ ...hello, to: "telegram" });
  await vi.waitFor(async () => expect(await outbox.failed("telegram")).toHaveLength(1));
  expect(sent).toHaveLength(1);
  expect(await notes(session)).toMatchObject([{ text: hello.text }]);
  const again = open();
  expect(await again.failed("telegram")).toEqual([
    {
      key: "k1",
      reason: "The mail server does not accept the sign-in [secret]",
      at: new Date(clock.now()).toISOString(),
    },
  ]);
  expect(await again.failed("mail")).toEqual([]);
  isOpen = true;
  expect(await again.retry("telegram")).toBe(1);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(sent[0]);
  await vi.waitFor(async () =>
    expect((await Array.fromAsync(log.read("system"))).at(-1)).toMatchObject({ type: "outbox.sent" }),
  );
  expect(await again.failed("telegram")).toEqual([]);
  expect(await again.retry("telegram")).toBe(0);
});

test("[J172] a channel is left alone for as long as it wants to be", async () => {
  const { open, sent, clock } = setup(async (_message, times) => {
    if (times > 1) return {};
    throw new ChannelFailure("not_taken", "busy", { retryAfterMs: 40_000 });
  });
  await using outbox = open();
  await outbox.tell({ ...hello, to: "telegram" });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await clock.advance(39_000);
  expect(sent).toHaveLength(1);
  await vi.waitFor(async () => {
    await clock.advance(500);
    expect(sent).toHaveLength(2);
  });
});
