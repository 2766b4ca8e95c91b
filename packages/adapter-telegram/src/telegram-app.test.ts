import { type Heard, plainText, styledText } from "@deputy/channels";
import { createSystemClock } from "@deputy/kit";
import { readTelegramHtml, serveTelegram } from "@deputy/testing/chat-apps";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "./free-port.fixture.ts";
import type { WebhookOptions } from "./serve-webhook.ts";
import { createTelegramApp } from "./telegram-app.ts";
import { telegramHtml } from "./telegram-text.ts";

const ada = { id: 17, first_name: "Ada" };
const never = new AbortController().signal;

async function setup(webhook?: WebhookOptions) {
  const server = await serveTelegram();
  const app = createTelegramApp({
    token: server.token,
    apiRoot: server.apiRoot,
    clock: createSystemClock(),
    tell: () => undefined,
    webhook,
  });
  const stopping = new AbortController();
  const heard: Heard[] = [];
  let refuse = 0;
  const receiving = () =>
    app.receive(async (one) => {
      if (refuse-- > 0) throw new Error("the daemon is away");
      heard.push(one);
    }, stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await server[Symbol.asyncDispose]();
  });
  const until = (count: number) => vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(count));
  return {
    server,
    app,
    heard,
    receiving,
    until,
    stop: () => stopping.abort(),
    refuseNext: (n: number) => (refuse = n),
  };
}

const text = (words: string) => ({ runs: plainText(words) });

test("[TG1] what people say arrives once, in order, with who said it by number", async () => {
  const { server, heard, receiving, until, stop } = await setup();
  const over = receiving();
  server.say(ada, "one");
  server.say(ada, "two");
  await until(2);
  expect(heard).toMatchObject([
    { kind: "said", place: "17", by: { id: "17", name: "Ada" }, text: "one" },
    { kind: "said", text: "two" },
  ]);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(2);
  stop();
  await over;
});

test("[TG1] what was not taken comes again, and is confirmed only then", async () => {
  const { server, heard, receiving, until, refuseNext } = await setup();
  refuseNext(2);
  void receiving();
  server.say(ada, "one");
  await until(1);
  expect(heard).toHaveLength(1);
});

test("[TG2] a button in a topic is pressed in that topic", async () => {
  const { server, app, heard, receiving, until } = await setup();
  void receiving();
  const chat = { id: -100, type: "supergroup" as const };
  server.say(ada, "@deputy_test_bot hello", { chat, topic: 5 });
  await until(1);
  const { place } = heard[0] ?? expect.unreachable();
  const buttons = [{ label: "Approve", data: "yes 1", kind: "yes" as const }];
  const ref = await app.post(place, { ...text("may I?"), buttons }, "k", never);
  const told = server.press(ada, chat.id, Number(ref), "Approve");
  await until(2);
  expect(heard[1]).toMatchObject({ kind: "pressed", place: "-100--5", group: "-100", ref });
  const [, pressed] = heard;
  if (pressed?.kind === "pressed") await pressed.tell("Approved");
  expect(await told).toBe("Approved");
});

test("[TG2] (GC38) bots are not heard; in a group only what is said to Deputy is", async () => {
  const { server, heard, receiving, until } = await setup();
  void receiving();
  const chat = { id: -100, type: "supergroup" as const };
  server.say({ ...ada, is_bot: true }, "I am a bot");
  server.say(ada, "just talking", { chat });
  server.say(ada, "@deputy_test_bot what is new?", { chat, topic: 5 });
  server.say(ada, "/help@other_bot", { chat });
  server.say(ada, "/help", { chat });
  await until(2);
  expect(heard).toMatchObject([
    { place: "-100--5", group: "-100", text: "what is new?" },
    { place: "-100", group: "-100", text: "/help" },
  ]);
});

test("[TG2] an edit is heard as one, a button with its data, a file with its bytes", async () => {
  const { server, app, heard, receiving, until } = await setup();
  void receiving();
  const id = server.say(ada, "fird");
  server.say(ada, "first", { edits: id });
  server.say(ada, "see", { file: { name: "a.txt", mimeType: "text/plain", bytes: new Uint8Array([1, 2]) } });
  await until(3);
  expect(heard[1]).toMatchObject({ text: "I meant: first" });
  const [file] = heard[2]?.kind === "said" ? heard[2].files : [];
  expect(await file?.read(never)).toEqual(new Uint8Array([1, 2]));
  const ref = await app.post(
    "17",
    { ...text("ok?"), buttons: [{ label: "Yes", data: "yes 1", kind: "yes" }] },
    "k",
    never,
  );
  const told = server.press(ada, 17, Number(ref), "Yes");
  await until(4);
  const last = heard[3];
  expect(last).toMatchObject({ kind: "pressed", place: "17", by: { id: "17" }, data: "yes 1" });
  if (last?.kind === "pressed") await last.tell("Approved");
  expect(await told).toBe("Approved");
});

test("[TG2] a photo comes in its largest size, and what was spoken as a file", async () => {
  const { server, heard, receiving, until } = await setup();
  void receiving();
  const bytes = new Uint8Array([7, 8, 9]);
  server.say(ada, "", { file: { name: "", mimeType: "image/jpeg", bytes, as: "photo" } });
  server.say(ada, "listen", { file: { name: "", mimeType: "audio/ogg", bytes, as: "voice" } });
  await until(2);
  const files = heard.flatMap((one) => (one.kind === "said" ? one.files : []));
  expect(files).toMatchObject([
    { name: "photo.jpg", mimeType: "image/jpeg", size: 3 },
    { name: "voice.ogg", mimeType: "audio/ogg", size: 3 },
  ]);
  for (const file of files) expect(await file.read(new AbortController().signal)).toEqual(bytes);
});

test("[TG3] an edit that changes nothing is no failure; every other outcome is told apart", async () => {
  const { server, app } = await setup();
  server.say(ada, "hi");
  const ref = await app.post("17", text("one"), "k", never);
  await app.edit?.("17", ref, text("one"), never);
  await app.edit?.("17", ref, text("two"), never);
  expect(server.messages(17)).toMatchObject([{ text: "two" }]);
  server.fail("sendMessage", { kind: "refuse", code: 429, description: "Too Many Requests", retryAfter: 3 });
  await expect(app.post("17", text("x"), "k", never)).rejects.toMatchObject({
    code: "not_sent",
    retryAfterMs: 3_000,
  });
  server.fail("sendMessage", { kind: "cut_after" });
  await expect(app.post("17", text("x"), "k", never)).rejects.toMatchObject({ code: "unknown" });
  server.fail("sendMessage", { kind: "refuse", code: 502, description: "Bad Gateway" });
  await expect(app.post("17", text("x"), "k", never)).rejects.toMatchObject({ code: "unknown" });
  await expect(app.post("99", text("x"), "k", never)).rejects.toMatchObject({ code: "gone" });
  server.block(17);
  await expect(app.post("17", text("x"), "k", never)).rejects.toMatchObject({ code: "gone" });
});

test("[TG4] a token that is not accepted ends it, and no message has the token in it", async () => {
  const { server, receiving } = await setup();
  const { token } = server;
  server.revoke();
  const failure = await receiving().catch((error: unknown) => error as Error);
  expect(failure).toMatchObject({ code: "refused" });
  const nowhere = { token, apiRoot: "http://127.0.0.1:1", clock: createSystemClock(), tell: () => undefined };
  const app = createTelegramApp(nowhere);
  const gone = await app.post("17", text("x"), "k", never).catch((error: unknown) => error as Error);
  expect(gone).toMatchObject({ code: "not_sent" });
  for (const error of [failure, gone]) expect((error as Error).message).not.toContain(token);
});

test("[TG5] whatever a model writes is HTML that Telegram takes", () => {
  const words = fc.constantFrom(
    "a",
    "**b**",
    "*i*",
    "`c`",
    "```ts\nx\n```",
    "> q",
    "> > r",
    '[l](https://e.x/?a=1&b="2")',
    "<b>",
    "&amp;",
    "&",
    "\n\n",
    "- x",
    "~~s~~",
    "***`x`***",
    "# h",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), (parts) => {
      expect(readTelegramHtml(telegramHtml(styledText(parts.join(" "))))).toMatchObject({ kind: "ok" });
    }),
  );
});

test("[TG6] (GC35) (GC36) (GC37) a webhook hears only who knows the secret, where it is, and in a size that Telegram has", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/telegram/7f3k`;
  const { server, heard, receiving, until, stop, refuseNext } = await setup({
    url,
    host: "127.0.0.1",
    port,
    secret: "s3cret-of-ours",
  });
  refuseNext(2);
  const over = receiving();
  server.say(ada, "one");
  server.say(ada, "two");
  await until(2);
  const update = {
    update_id: 77,
    message: {
      message_id: 5,
      date: 0,
      chat: { id: 17, type: "private" },
      from: { ...ada, is_bot: false },
      text: "three",
    },
  };
  const send = async (more: { secret?: string; at?: string; method?: string; body?: string } = {}) => {
    const { secret = "s3cret-of-ours", at = url, method = "POST", body = JSON.stringify(update) } = more;
    const headers = { "x-telegram-bot-api-secret-token": secret };
    return (await fetch(at, { method, headers, ...(method === "POST" && { body }) })).status;
  };
  expect(await send({ secret: "s3cret-of-ourz" })).toBe(401);
  expect(await send({ secret: "" })).toBe(401);
  expect(await send({ secret: "s3cret-of-ours-and-more" })).toBe(401);
  expect(await send({ at: `${url}x` })).toBe(404);
  expect(await send({ method: "GET" })).toBe(405);
  expect(await send({ body: "{" })).toBe(400);
  expect(await send({ body: "null" })).toBe(400);
  expect(await send({ body: `"${"x".repeat(1_100_000)}"` })).toBe(413);
  expect(heard).toHaveLength(2);
  expect(await Promise.all(Array.from({ length: 10 }, () => send()))).toEqual(
    Array.from({ length: 10 }, () => 200),
  );
  expect(await send({ at: `${url}?again=1` })).toBe(404);
  expect(await send({ body: '{"update_id":78,"message":{"from":{"is_bot":false}}}' })).toBe(200);
  expect(heard.map((one) => one.kind === "said" && one.text)).toEqual(["one", "two", "three"]);
  stop();
  await over;
  const polling = await setup();
  void polling.receiving();
  polling.server.say(ada, "four");
  await polling.until(1);
});

test("[TG7] a malformed update holds up nothing", async () => {
  const { server, receiving, until, heard } = await setup();
  void receiving();
  for (const nonsense of [
    { from: { id: "x" }, text: 7 },
    { from: { id: 17, is_bot: false, first_name: "Ada" }, text: "no chat" },
  ]) {
    server.upset({ kind: "changed", change: () => nonsense });
    server.say(ada, "nonsense");
  }
  server.say(ada, "hello");
  await until(1);
  expect(heard).toMatchObject([{ text: "hello" }]);
});
