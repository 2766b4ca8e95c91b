import { createLogSessionService } from "@deputy/agent/sessions";
import { type CallId, createIdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createConversationQueue, createLogReminders, createLogTaskService } from "@deputy/tasks";
import { wallStamp } from "@deputy/protocol/schedule";
import { expect, test } from "vitest";
import { openOwnServices } from "./open-own-services.ts";

const live = new AbortController().signal;

async function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const onBug = (error: unknown): never => {
    throw error;
  };
  const sessions = createLogSessionService({ log, ids });
  const completed = { kind: "completed" } as const;
  const tasks = createLogTaskService({ log, ids, work: async () => completed, onBug, signal: live });
  const turns = { run: async () => completed, stop: async () => completed, giveUp: async () => completed };
  const conversations = createConversationQueue({ log, ids, turns, sessions, onBug, signal: live });
  const reminders = createLogReminders({
    log,
    ids,
    clock,
    defaultAgent: "main",
    zone: "UTC",
    onBug,
    signal: live,
  });
  const services = openOwnServices({
    log,
    tasks,
    sessions,
    conversations,
    reminders,
    reporters: () => ({ hooks: ["builds"], mailboxes: [], folders: [] }),
    hooks: { list: async () => [], create: async () => ({ next: "" }), whyNot: () => undefined },
  });
  const { id } = await sessions.start({ key: "work", agentId: "main", channel: "cli" });
  const events = () => Array.fromAsync(log.read(id));
  return { log, ids, tasks, services, id, events };
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const todo = (
  callId: CallId,
  items: readonly TodoItem[],
  status: "succeeded" | "denied",
): readonly NewEvent[] => [
  {
    type: "call.requested",
    data: {
      callId,
      index: 0,
      toolPath: "todo.write",
      input: { items },
      inputHash: "0".repeat(64),
      labels: [],
    },
  },
  {
    type: "call.settled",
    data: { callId, toolPath: "todo.write", status, durationMs: 1, attachments: [], labels: [] },
  },
];

interface TodoItem {
  readonly text: string;
  readonly status: string;
}

test("a message to another session is not the user's word there, and is answered like any other", async () => {
  const { services, id, events } = await setup();
  expect(await services.sessions.send({ session: "work", text: "hello", from: "ses_x" })).toEqual({
    session: id,
  });
  const said = (await events()).find(({ type }) => type === "user.message");
  expect(said?.data).toMatchObject({ trust: "untrusted", channel: "session", sender: "ses_x" });
  expect(said?.turnId).toBeDefined();
  expect(await services.sessions.send({ session: "none", text: "hello", from: "ses_x" })).toBeUndefined();
});

test("a session cannot send to itself", async () => {
  const { services, id, events } = await setup();
  const before = (await events()).length;
  await expect(services.sessions.send({ session: "work", text: "x", from: id })).rejects.toMatchObject({
    code: "request_invalid",
  });
  expect(await events()).toHaveLength(before);
});

test("reads sessions by key or id, their last lines, and searches them", async () => {
  const { services, id, log } = await setup();
  for (const text of ["one apple", "two apples", "three pears"]) {
    const data = { text, attachments: [], channel: "cli", sender: "owner", trust: "user" as const };
    await log.append(id, [{ type: "user.message", data }]);
  }
  const read = await services.sessions.read("work", 2, live);
  expect(read).toMatchObject({ id, key: "work", isCut: true });
  expect(read?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    "user two apples",
    "user three pears",
  ]);
  expect((await services.sessions.read(id, 50, live))?.isCut).toBe(false);
  expect(await services.sessions.read("none", 2, live)).toBeUndefined();
  expect((await services.sessions.search("apple", 10, live)).map(({ seq }) => seq)).toHaveLength(2);
  expect(await services.sessions.list(10)).toMatchObject([{ id, title: "one apple" }]);
});

test("runs, lists and shows a task; its prompt is not the user's word", async () => {
  const { services, tasks, log } = await setup();
  const made = await services.tasks.create({ prompt: "Tidy up", from: "ses_x" });
  const [listed] = await services.tasks.list();
  expect(listed?.id).toBe(made.id);
  const lines = await services.tasks.history(made.id, 10, live);
  expect(lines?.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["user Tidy up"]);
  const stream = (await tasks.list())[0]?.stream;
  const events = stream === undefined ? [] : await Array.fromAsync(log.read(stream));
  const said = events.find(({ type }) => type === "user.message");
  expect(said?.data).toMatchObject({ trust: "untrusted", sender: "ses_x" });
  expect(await services.tasks.history("none", 10, live)).toBeUndefined();
  expect(await services.tasks.cancel("none")).toBe("unknown");
});

test("a session's list is the one last written in it, even after failed writes", async () => {
  const { services, log, ids, id } = await setup();
  expect(await services.todo(id, live)).toEqual([]);
  await log.append(id, todo(ids.next("call"), [{ text: "a", status: "open" }], "succeeded"));
  await log.append(id, todo(ids.next("call"), [{ text: "b", status: "done" }], "succeeded"));
  await log.append(id, todo(ids.next("call"), [{ text: "c", status: "open" }], "denied"));
  expect(await services.todo(id, live)).toEqual([{ text: "b", status: "done" }]);
  expect(await services.todo("key", live)).toEqual([]);
});

test("[TD6] [TD28] sets, lists with due times in words, changes and removes reminders", async () => {
  const { services, ids } = await setup();
  const { id } = await services.reminders.add({
    name: "Tea",
    text: "Drink",
    schedule: "every 2h",
    from: "s",
  });
  expect(await services.reminders.list()).toMatchObject([
    {
      id,
      runs: "every 2 hours",
      isEnabled: true,
      nextAt: wallStamp(Date.parse("2025-01-01T02:00:00.000Z"), ZONE),
    },
  ]);
  expect(await services.reminders.update(id, { isEnabled: false })).toMatchObject({ isEnabled: false });
  expect(await services.reminders.update(ids.next("reminder"), {})).toBeUndefined();
  expect(await services.reminders.update("none", {})).toBeUndefined();
  expect(await services.reminders.remove(id, "s")).toBe(true);
  expect(await services.reminders.remove("none", "s")).toBe(false);
});
