import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { discordChat } from "./discord-channels.ts";
import { serveDiscord } from "./discord-server.ts";

const ADA = "800000000000000017";
const CHAT = discordChat(ADA);
const V2 = 1 << 15;

async function setup() {
  const server = await serveDiscord({ limit: { count: 20, perMs: 60_000 } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  server.say(ADA, "hi");
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.apiRoot}/api/v10${path}`, {
      method,
      headers: {
        authorization: `Bot ${server.token}`,
        "user-agent": "DiscordBot (test, 1)",
        "content-type": "application/json",
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, ...(text === "" ? {} : JSON.parse(text)) };
  };
  const post = (body: unknown) => ask("POST", `/channels/${CHAT}/messages`, body);
  const { url } = await ask("GET", "/gateway/bot");
  const dial = async (query = "?v=10&encoding=json") => {
    const socket = new WebSocket(`${url}${query}`);
    onTestFinished(() => socket.terminate());
    const closed = once(socket, "close").then(([code]) => code as number);
    await once(socket, "open");
    return {
      closed,
      send: (payload: unknown) =>
        socket.send(typeof payload === "string" ? payload : JSON.stringify(payload)),
    };
  };
  return { server, ask, post, dial };
}

const text = (content: string, more: object = {}) => ({ type: 10, content, ...more });
const button = (custom_id: string, label = "Yes") => ({ type: 2, style: 1, label, custom_id });

test.each([
  ["an empty message", {}],
  ["components without their flag", { components: [text("a")] }],
  ["content beside components", { flags: V2, content: "a", components: [text("a")] }],
  ["a blank text", { flags: V2, components: [text(" ")] }],
  [
    "4,001 characters in two texts",
    { flags: V2, components: [text("a".repeat(2_001)), text("b".repeat(2_000))] },
  ],
  ["a button outside of a row", { flags: V2, components: [button("a")] }],
  [
    "six buttons in a row",
    {
      flags: V2,
      components: [{ type: 1, components: ["a", "b", "c", "d", "e", "f"].map((id) => button(id)) }],
    },
  ],
  ["two buttons of one id", { flags: V2, components: [{ type: 1, components: [button("a"), button("a")] }] }],
  ["two components of one number", { flags: V2, components: [text("a", { id: 7 }), text("b", { id: 7 })] }],
  [
    "an id of 101 characters",
    { flags: V2, components: [{ type: 1, components: [button("a".repeat(101))] }] },
  ],
  ["a nonce of 26 characters", { flags: V2, components: [text("a")], nonce: "a".repeat(26) }],
  ["a field that Discord does not have", { flags: V2, components: [text("a")], colour: 1 }],
])("the fake of Discord refuses %s", async (_what, body) => {
  const { server, post } = await setup();
  expect(await post(body)).toMatchObject({ status: 400, code: 50_035 });
  expect(server.messages(CHAT)).toEqual([]);
});

test("the fake of Discord refuses what is no JSON, a wrong token, no user agent, places that are not there, and too much", async () => {
  const { server, ask, post } = await setup();
  const message = { flags: V2, components: [text("<@1> @everyone \\@here")] };
  expect(await post("{")).toMatchObject({ status: 400, code: 50_109 });
  expect(await ask("GET", "/users/@me", undefined, { authorization: "Bot x" })).toMatchObject({
    status: 401,
  });
  expect(await ask("GET", "/users/@me", undefined, { "user-agent": "curl" })).toMatchObject({ status: 403 });
  expect(await ask("POST", "/channels/404/messages", message)).toMatchObject({ status: 404, code: 10_003 });
  expect(await ask("PATCH", `/channels/${CHAT}/messages/404`, message)).toMatchObject({
    status: 404,
    code: 10_008,
  });
  expect(await ask("POST", "/interactions/1/x/callback", { type: 6 })).toMatchObject({
    status: 404,
    code: 10_062,
  });
  expect(await ask("POST", "/webhooks/1/x", { content: "a" })).toMatchObject({ status: 404, code: 10_015 });
  expect(await post(message)).toMatchObject({ status: 200 });
  // It calls those who are mentioned, unless the message says otherwise.
  expect(server.messages(CHAT)[0]?.pinged).toEqual(["<@1>", "@everyone"]);
  for (let n = 0; n < 18; n++) await post({ ...message, allowed_mentions: { parse: [] } });
  const limited = await post(message);
  expect(limited).toMatchObject({ status: 429, global: false, retry_after: expect.any(Number) });
  expect(limited.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(server.messages(CHAT).at(-1)?.pinged).toEqual([]);
});

const identify = (token: string, intents = 4_608) => ({
  op: 2,
  d: { token, intents, properties: { os: "linux", browser: "x", device: "x" } },
});

test("the fake's gateway ends connections that do not keep to the order, with Discord's codes", async () => {
  const { server, dial } = await setup();
  const codeOf = async (...payloads: readonly unknown[]) => {
    const { closed, send } = await dial();
    for (const payload of payloads) send(payload);
    return await closed;
  };
  const { token } = server;
  expect(await (await dial("?v=9&encoding=json")).closed).toBe(4_012);
  expect(await codeOf("{")).toBe(4_002);
  expect(await codeOf({ op: 3, d: {} })).toBe(4_003);
  expect(await codeOf(identify("x"))).toBe(4_004);
  expect(await codeOf(identify(token), identify(token))).toBe(4_005);
  expect(await codeOf(identify(token), { op: 99, d: {} })).toBe(4_001);
  expect(await codeOf(identify(token, 1 << 30))).toBe(4_013);
  server.disallow(1 << 15);
  expect(await codeOf(identify(token, 1 << 15))).toBe(4_014);
  expect(await codeOf({ op: 6, d: { token: "x", session_id: "session-1", seq: 1 } })).toBe(4_004);
  expect(await codeOf({ op: 6, d: { token, session_id: "session-1", seq: 99 } })).toBe(4_007);
  expect(await codeOf(...Array.from({ length: 121 }, () => ({ op: 1, d: null })))).toBe(4_008);
});
