import { expect, onTestFinished, test, vi } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { signIn, type SocketClient } from "../test/socket-client.ts";

async function setup() {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return { ...gateway, client: await signIn(gateway.url) };
}

/** A session in which one message was answered. */
async function talk(client: SocketClient, message: string, more: object = {}): Promise<string> {
  const { sessionId } = await client.call("sessions.create");
  const { runId } = await client.call("chat.send", { sessionKey: sessionId, message, ...more });
  await client.push("chat.final", (data) => data.runId === runId);
  return sessionId;
}
const list = async (client: SocketClient) => (await client.call("sessions.list")).sessions;

test("[G92] a conversation is named, and an empty name gives what was said first back; going on takes it out of the archive", async () => {
  const { client } = await setup();
  const sessionKey = await talk(client, "Water the plants");
  await client.call("sessions.update", { sessionKey, title: "Plants", archived: true });
  expect(await list(client)).toMatchObject([
    { title: "Plants", isNamed: true, isArchived: true, isRunning: false },
  ]);
  await client.call("sessions.update", { sessionKey, title: " " });
  const { runId } = await client.call("chat.send", { sessionKey, message: "And the cat" });
  await client.push("chat.final", (data) => data.runId === runId);
  expect(await list(client)).toMatchObject([
    { title: "Water the plants", isNamed: false, isArchived: false },
  ]);
});

test("[G92] a deleted conversation is gone from lists and search, and its words from the log; a task's own is refused", async () => {
  const { client, log, createTask } = await setup();
  const kept = await talk(client, "Keep the teapot");
  const sessionKey = await talk(client, "Forget the teapot");
  await client.call("sessions.delete", { sessionKey });
  expect((await list(client)).map(({ id }) => id)).toEqual([kept]);
  const { hits } = await client.call("sessions.search", { query: "teapot" });
  expect(hits.map(({ sessionId }) => sessionId)).toEqual([kept]);
  const events = await Array.fromAsync(log.read(sessionKey as never));
  expect(events.filter(({ type }) => type === "user.message").map(({ data }) => data)).toEqual([null]);
  expect(JSON.stringify(events)).not.toContain("Forget the teapot");
  // What it cost stays known.
  expect(events.find(({ type }) => type === "turn.completed")?.data).not.toBeNull();
  const { stream } = await createTask();
  expect((await client.failure("sessions.delete", { sessionKey: stream })).data.code).toBe("invalid_request");
});

test("[G92] a fork has what came before a place, and an unknown session is refused", async () => {
  const { client } = await setup();
  const sessionKey = await talk(client, "First");
  const { sessionId } = await client.call("sessions.fork", { sessionKey });
  const { messages } = await client.call("chat.history", { sessionKey: sessionId });
  expect(messages.map(({ content }) => content)).toContain("First");
  expect((await client.failure("sessions.fork", { sessionKey, throughSeq: 1 })).data.code).toBe("not_found");
  expect((await client.failure("sessions.update", { sessionKey: "no", title: "x" })).data.code).toBe(
    "not_found",
  );
});

test("[G93] what others change is told, from then on", async () => {
  const { client, url, createTask } = await setup();
  await talk(client, "Before");
  const other = await signIn(url);
  await other.call("changes.subscribe");
  const id = await talk(client, "After");
  await other.push("changed", ({ sessions }) => sessions.includes(id as never));
  // Told at once or one after the other, as the machine is quick.
  expect(await other.push("changed", ({ tasks }) => tasks)).toMatchObject({ approvals: false });
  await createTask();
  await other.push("changed", ({ tasks, sessions }) => tasks && !sessions.includes(id as never));
  await client.call("sessions.update", { sessionKey: id, title: "Named" });
  await vi.waitFor(() => {
    const told = other.pushes().filter((push) => push.event === "changed");
    expect(told.filter(({ data }) => data.sessions.includes(id as never)).length).toBeGreaterThan(1);
  });
});

test("[G94] a message under the same key is said once, side by side and later", async () => {
  const { client, log } = await setup();
  const { sessionId } = await client.call("sessions.create");
  const send = () =>
    client.call("chat.send", { sessionKey: sessionId, message: "Once", messageKey: "key-1" });
  const [first, second] = await Promise.all([send(), send()]);
  await client.push("chat.final", (data) => data.runId === first.runId);
  const third = await send();
  expect([second.runId, third.runId]).toEqual([first.runId, first.runId]);
  const said = (await Array.fromAsync(log.read(sessionId))).filter(({ type }) => type === "user.message");
  expect(said).toMatchObject([{ data: { text: "Once", messageKey: "key-1" } }]);
});

test("[G94] one that was sent long ago is found when the client says that it was sent before", async () => {
  const { client, log } = await setup();
  const { sessionId } = await client.call("sessions.create");
  const message = { sessionKey: sessionId, message: "Long ago", messageKey: "key-2" };
  const { runId } = await client.call("chat.send", message);
  await client.push("chat.final", (data) => data.runId === runId);
  const note = { text: "x", attachments: [], channel: "note", sender: "deputy", trust: "user" as const };
  await log.append(
    sessionId,
    Array.from({ length: 450 }, () => ({ type: "user.message" as const, data: note })),
  );
  expect((await client.call("chat.send", { ...message, again: true })).runId).toBe(runId);
});

test("[G95] pages of events meet without a gap", async () => {
  const { client } = await setup();
  const stream = await talk(client, "Long");
  const all = await client.call("events.page", { stream });
  expect(all.hasMore).toBe(false);
  const seqs: number[] = [];
  for (let before: number | undefined; ;) {
    const page = await client.call("events.page", {
      stream,
      limit: 2,
      ...(before !== undefined && { before }),
    });
    seqs.unshift(...page.events.map(({ seq }) => seq));
    before = page.events[0]?.seq;
    if (!page.hasMore) break;
  }
  expect(seqs).toEqual(all.events.map(({ seq }) => seq));
  expect(seqs).toEqual(seqs.map((_seq, at) => at + 1));
  expect((await client.failure("events.page", { stream: "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV" })).data.code).toBe(
    "not_found",
  );
});

test("[G96] a schedule is previewed in the reader's zone, and one that cannot be understood says so", async () => {
  const { client, tasks } = await setup();
  const preview = await client.call("tasks.preview", {
    schedule: "weekdays at 9:00",
    zone: "Asia/Tokyo",
    count: 4,
  });
  expect(preview.next).toHaveLength(4);
  expect(new Set(preview.next.map((at) => new Date(at).getUTCHours()))).toEqual(new Set([0]));
  expect(preview.schedule).toMatchObject({ kind: "cron", zone: "Asia/Tokyo" });
  const failure = await client.failure("tasks.preview", { schedule: "whenever it rains" });
  expect(failure.data).toMatchObject({
    code: "invalid_schedule",
    hint: expect.stringContaining("For example"),
  });
  expect(await tasks.list()).toEqual([]);
});
