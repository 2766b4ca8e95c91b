import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway } from "../test/gateway.fixture.ts";
import { signIn } from "../test/socket-client.ts";

/** Two sessions with similar keys, and spellings that match neither. */
async function setup() {
  const gateway = await startTestGateway({ clock: createFakeClock() });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const begin = async (key: string) => {
    const id = gateway.ids.next("session");
    const data = { agentId: "main", key, channel: "test" };
    await gateway.log.append(id, [{ type: "session.started", data }]);
    return id;
  };
  const id = await begin("telegram--caf\u00e9-42");
  await begin("telegram--caf\u00e9-423");
  const client = await signIn(gateway.url);
  return { ...gateway, id, client };
}

const KEY = "telegram--caf\u00e9-42";
const nearly = (id: string): readonly string[] => [
  ...[KEY, id].flatMap((name) => [
    name.slice(0, -1),
    name.slice(0, 8),
    name.slice(1),
    `${name} `,
    ` ${name}`,
    `${name}\u0000`,
    `${name}\u200b`,
    `${name}%20`,
    `${name}/`,
    `${name}/../${name}`,
    `${name}*`,
  ]),
  KEY.normalize("NFD"),
  KEY.toUpperCase(),
  id.toLowerCase(),
  "",
  "*",
  "%",
  "telegram--%",
  "..",
  "__proto__",
  "system",
  `delivery:${"0".repeat(64)}`,
];

test("[GC20] over a socket, only the exact key or id finds a session", async () => {
  const { client, id, log } = await setup();
  expect(await client.call("sessions.get", { sessionKey: KEY })).toMatchObject({ session: { id } });
  expect(await client.call("sessions.get", { sessionKey: id })).toMatchObject({ session: { id } });
  for (const sessionKey of nearly(id)) {
    const message = { sessionKey, message: "hello" };
    for (const [method, params] of [
      ["sessions.get", { sessionKey }],
      ["chat.history", { sessionKey }],
      ["chat.send", message],
      ["events.subscribe", { stream: sessionKey }],
    ] as const) {
      if (method === "events.subscribe" && sessionKey === "system") continue;
      const { code } = await client.failure(method, params);
      expect([sessionKey, method, code < 0]).toEqual([sessionKey, method, true]);
    }
  }
  expect((await Array.fromAsync(log.read(id))).map(({ type }) => type)).toEqual(["session.started"]);
});

test("[GC20] over HTTP, only the whole id finds a thread, a run or a task", async () => {
  const { id, fetch, post, createTask, log } = await setup();
  const task = await createTask();
  expect((await fetch(`/api/v2/threads/${id}`)).status).toBe(200);
  for (const name of nearly(id)) {
    const encoded = encodeURIComponent(name);
    for (const path of [`/api/v2/threads/${encoded}`, `/api/v2/stream/${encoded}`])
      expect([name, [400, 404].includes((await fetch(path)).status)]).toEqual([name, true]);
    const { status } = await post("/api/v2/submit", { prompt: "hello", threadId: name });
    expect([name, [400, 404].includes(status)]).toEqual([name, true]);
  }
  for (const name of nearly(task.id).filter((one) => one !== "")) {
    const encoded = encodeURIComponent(name);
    for (const path of [`/api/tasks/${encoded}`, `/api/tasks/${encoded}/events`])
      expect([name, [400, 404].includes((await fetch(path)).status)]).toEqual([name, true]);
  }
  expect((await Array.fromAsync(log.read(id))).map(({ type }) => type)).toEqual(["session.started"]);
});
