import { type Heard, plainText, styledText } from "@deputy/channels";
import { createSystemClock } from "@deputy/kit";
import { discordChat, readDiscordMarkdown, serveDiscord } from "@deputy/testing/chat-apps";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDiscordApp } from "./discord-app.ts";
import { discordMarkdown } from "./discord-text.ts";
import { readDispatch } from "./read-dispatch.ts";

const ADA = "800000000000000017";
const CHAT = discordChat(ADA);
const CHANNEL = "600000000000000001";
const never = new AbortController().signal;
const WAIT = { timeout: 90_000, interval: 20 };

async function setup(options: Parameters<typeof serveDiscord>[0] = {}) {
  const server = await serveDiscord(options);
  const told: string[] = [];
  let kept: unknown;
  const connect = () =>
    createDiscordApp({
      token: server.token,
      apiRoot: server.apiRoot,
      kept: { read: () => kept, write: (value) => void (kept = structuredClone(value)) },
      clock: createSystemClock(),
      tell: (text) => void told.push(text),
    });
  const heard: Heard[] = [];
  const stopping: AbortController[] = [];
  let gate = Promise.resolve();
  const receive = () => {
    const stop = new AbortController();
    stopping.push(stop);
    const over = connect().receive(async (one) => {
      if (one.place === CHAT) await gate;
      stop.signal.throwIfAborted();
      heard.push(one);
    }, stop.signal);
    over.catch(() => undefined);
    return {
      over,
      stop: () => stop.abort(),
      connected: () => vi.waitFor(() => expect(server.connections()).toBe(1), WAIT),
    };
  };
  onTestFinished(async () => {
    for (const one of stopping) one.abort();
    await server[Symbol.asyncDispose]();
  });
  const until = (count: number) => vi.waitFor(() => expect(heard).toHaveLength(count), WAIT);
  const texts = () =>
    heard.map((one) => (one.kind === "said" ? one.text : one.kind === "pressed" ? one.data : one.kind));
  return {
    server,
    connect,
    receive,
    heard,
    told,
    until,
    texts,
    hold: (free: Promise<void>) => void (gate = free),
  };
}

test("[DC1] (GC38) a channel and a thread are places, a thread is of its channel's group; edits are heard, Discord's own are not", async () => {
  const { server, receive, heard, until } = await setup();
  await receive().connected();
  const first = server.say(ADA, "fird");
  await until(1);
  server.say(ADA, "first", { edits: first, byDiscord: true });
  server.say(ADA, "first", { edits: first });
  await until(2);
  server.say(ADA, "just talking", { channel: CHANNEL, mentions: false });
  server.say(ADA, "in a channel", { channel: CHANNEL });
  await until(3);
  const thread = server.openThread(CHANNEL);
  server.say(ADA, "in a thread", { channel: thread });
  server.say(ADA, "again there", { channel: thread });
  await until(5);
  expect(heard).toMatchObject([
    { text: "fird", place: CHAT, by: { id: ADA } },
    { text: "I meant: first", place: CHAT, by: { id: ADA } },
    { text: "in a channel", place: CHANNEL, group: CHANNEL },
    { text: "in a thread", place: thread, group: CHANNEL },
    { text: "again there", place: thread, group: CHANNEL },
  ]);
  expect(new Set(heard.map(({ id }) => id)).size).toBe(5);
});

test.each(["reconnect", "cut"] as const)(
  "[DC2] (GC37) a connection that ends (%s) is gone on with, and what was said meanwhile is heard once",
  async (how) => {
    const { server, receive, until, texts, told } = await setup();
    await receive().connected();
    server.say(ADA, "one");
    await until(1);
    server.recycle(how);
    await vi.waitFor(() => expect(server.connections()).toBe(0), { ...WAIT, interval: 1 });
    server.say(ADA, "two");
    await until(2);
    server.say(ADA, "three");
    await until(3);
    expect(texts()).toEqual(["one", "two", "three"]);
    expect(server.counts).toEqual({ identified: 1, resumed: 1 });
    expect(told).toEqual([]);
  },
);

test.each([
  ["goes on with the session", "remembered", { identified: 1, resumed: 1 }],
  ["reads what was said since", "forgotten", { identified: 2, resumed: 0 }],
] as const)(
  "[DC2] (GC37) after a restart it %s; what was not taken comes again",
  async (_what, session, counts) => {
    const { server, receive, until, texts, hold } = await setup();
    const before = receive();
    await before.connected();
    server.say(ADA, "one");
    await until(1);
    const free = Promise.withResolvers<void>();
    hold(free.promise);
    server.say(ADA, "two");
    server.say(ADA, "three");
    // It is taken while others still wait, so that Discord sends it again.
    server.say(ADA, "elsewhere", { channel: CHANNEL });
    await until(2);
    before.stop();
    await before.over;
    free.resolve();
    if (session === "forgotten") server.forget("silently");
    server.say(ADA, "four");
    receive();
    await until(5);
    server.say(ADA, "five");
    await until(6);
    expect(texts()).toEqual(["one", "elsewhere", "two", "three", "four", "five"]);
    expect(server.counts).toEqual(counts);
  },
);

test("[DC2] a session that Discord calls invalid is begun anew, and nothing is lost", async () => {
  const { server, receive, until, texts } = await setup();
  const first = receive();
  await first.connected();
  server.say(ADA, "one");
  await until(1);
  server.forget("tells");
  server.say(ADA, "two");
  await until(2);
  expect(texts()).toEqual(["one", "two"]);
});

test("[DC2] a connection whose heartbeats nobody answers is made anew", async () => {
  const { server, receive, until } = await setup({ heartbeatMs: 60 });
  await receive().connected();
  server.mute();
  await vi.waitFor(() => expect(server.counts.resumed).toBeGreaterThan(0), WAIT);
  server.say(ADA, "still there?");
  await until(1);
});

test("[DC3] intents that are not allowed end the connection, and so does a token that is revoked meanwhile", async () => {
  const { server, receive, told } = await setup();
  server.disallow(1 << 12);
  await expect(receive().over).rejects.toMatchObject({ code: "refused", hint: expect.any(String) });
  server.disallow(0);
  const again = receive();
  await again.connected();
  server.revoke();
  server.recycle("cut");
  await expect(again.over).rejects.toMatchObject({
    code: "refused",
    message: "Discord does not accept the token",
  });
  expect(told.join("\n")).not.toContain(server.token.slice(0, 20));
});

test("[DC3] while everything fails it is tried again and again, said once, and goes on", async () => {
  const { server, receive, until, told } = await setup();
  await receive().connected();
  server.storm("begins");
  await vi.waitFor(() => expect(told).toEqual(["Discord cannot be reached; Deputy goes on trying."]), WAIT);
  server.say(ADA, "one");
  server.storm("ends");
  await until(1);
  expect(told).toHaveLength(1);
});

test("[DC4] (GC29) a no asks for its reason first and comes with it; what was pressed too long ago is not pressed", async () => {
  const { server, connect, receive, heard, until } = await setup();
  await receive().connected();
  server.say(ADA, "hi");
  await until(1);
  const buttons = [
    { label: "Approve", data: "yes 1", kind: "yes" as const },
    { label: "Deny", data: "no 1", kind: "no" as const },
  ];
  const ref = await connect().post(CHAT, { runs: plainText("may I?"), buttons }, "k", never);
  const answered = server.press(ADA, CHAT, ref, "Deny", " not today ");
  await until(2);
  const pressed = heard[1];
  expect(pressed).toMatchObject({
    kind: "pressed",
    place: CHAT,
    ref,
    data: "no 1",
    reason: "not today",
    by: { id: ADA },
  });
  if (pressed?.kind === "pressed") await pressed.tell("Denied_it *now*");
  expect(await answered).toBe("Denied_it *now*");
  server.fail("POST callback", { kind: "error", status: 404, code: 10_062, message: "Unknown interaction" });
  void server.press(ADA, CHAT, ref, "Approve");
  await vi.waitFor(
    () => expect(server.calls.filter((call) => call === "POST callback")).toHaveLength(3),
    WAIT,
  );
  server.say(ADA, "after");
  await until(3);
  expect(heard[2]).toMatchObject({ kind: "said", text: "after" });
});

test("[DC5] commands are registered and heard; those used among other people are not", async () => {
  const { server, receive, heard, until } = await setup();
  await receive().connected();
  expect(server.commands()).toEqual(["ask", "new", "stop", "help"]);
  await server.command(ADA, "stop");
  await server.command(ADA, "ask", { what: "What is new?", channel: CHANNEL });
  void server.command(ADA, "ask", { what: "Between us", context: 2 });
  server.say(ADA, "last");
  await until(3);
  expect(heard).toMatchObject([
    { text: "/stop", place: CHAT },
    { text: "What is new?", place: CHANNEL, group: CHANNEL },
    { text: "last" },
  ]);
});

const PIECES = [
  "a",
  "**b**",
  "*i*",
  "~~s~~",
  "`c`",
  "``d ` e``",
  "```ts\nx ``` y\n```",
  "> q\n> r",
  "# h",
  "- x",
  "1. y",
  "[l](https://e.x/a_(b)?c=1)",
  "https://e.x/a_b_c*d",
  "[https://good.example](https://evil.example)",
  "<@123>",
  "<@&5>",
  "@everyone",
  "@here",
  "<t:0:R>",
  "<:pepe:12345>",
  "||spoiler||",
  "__u__",
  "a_b_c",
  "\\*",
  "*",
  "_",
  "`",
  "~",
  "|",
  "***x***",
  "**a***b*",
  "\n\n",
  "\n",
  "> ",
  "-# small",
  "# ",
  "😀",
  "***`x`***",
  "| a | b |\n|---|---|\n| 1 | 2 |",
];

test("[DC6] whatever a model writes is shown as it is, and mentions nobody", () => {
  const bare = (text: string): string =>
    text.replaceAll(/[\s\u200B]/g, "").replaceAll(/%(?:2A|7E|3E|3C|5C|28|29)/g, decodeURIComponent);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }),
      fc.constantFrom("", " ", "\n"),
      (parts, between) => {
        const runs = styledText(parts.join(between));
        const read = readDiscordMarkdown(discordMarkdown(runs));
        expect(read.mentions).toEqual([]);
        const wanted = runs.map(({ text }) => text).join("");
        // Where a name for an address is itself an address, the address is said, too.
        if (!wanted.includes("good.example")) expect(bare(read.text)).toBe(bare(wanted));
      },
    ),
    { numRuns: 4000 },
  );
});

test("[DC6] a link goes where it says; a name that looks like another address does not hide it", () => {
  const linksOf = (markdown: string) => readDiscordMarkdown(discordMarkdown(styledText(markdown)));
  expect(linksOf("[here](https://e.x/?a=1&b=2)")).toMatchObject({
    text: "here",
    links: ["https://e.x/?a=1&b=2"],
  });
  expect(linksOf("https://e.x/a_b_c").links).toEqual(["https://e.x/a_b_c"]);
  expect(linksOf("[https://good.example](https://evil.example)")).toMatchObject({
    text: "https://good.example (https://evil.example)",
    links: ["https://evil.example"],
  });
  expect(readDiscordMarkdown(discordMarkdown(plainText("https://e.x/a_b")))).toMatchObject({
    text: "https://e.x/a_b",
    links: [],
  });
});

test("[DC7] the same key is posted once, and its message is found when Discord has forgotten the key", async () => {
  const { server, connect } = await setup();
  server.say(ADA, "hi");
  const app = connect();
  const message = { runs: plainText("answer") };
  const ref = await app.post(CHAT, message, "session item 0", never);
  expect(await app.post(CHAT, message, "session item 0", never)).toBe(ref);
  server.forgetNonces();
  expect(await connect().find?.(CHAT, "session item 0", never)).toBe(ref);
  expect(await app.find?.(CHAT, "session item 1", never)).toBeUndefined();
  expect(server.messages(CHAT)).toHaveLength(1);
});

test("[DC7] a channel that takes five messages in five seconds is left alone for as long as Discord says", async () => {
  const { server, connect } = await setup({ limit: { count: 2, perMs: 300 } });
  server.say(ADA, "hi");
  const app = connect();
  for (const n of [1, 2]) await app.post(CHAT, { runs: plainText(`${n}`) }, `k${n}`, never);
  const failure = await app
    .post(CHAT, { runs: plainText("3") }, "k3", never)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "not_sent" });
  // Discord was not even asked.
  expect(server.calls.filter((call) => call === "POST messages")).toHaveLength(2);
  await createSystemClock().sleep((failure as { retryAfterMs: number }).retryAfterMs + 60, never);
  await app.post(CHAT, { runs: plainText("3") }, "k3", never);
  expect(server.messages(CHAT)).toHaveLength(3);
});

test.each([
  "https://evil.example/f",
  "https://cdn.discordapp.com.evil.example/f",
  "http://cdn.discordapp.com/f",
  "nonsense",
])("[DC8] a file at %s is not fetched", async (url) => {
  const { server, receive, heard, until } = await setup();
  await receive().connected();
  server.say(ADA, "see", { file: { name: "a", mimeType: "text/plain", bytes: new Uint8Array([1]), url } });
  await until(1);
  const [file] = heard[0]?.kind === "said" ? heard[0].files : [];
  await expect(file?.read(never)).rejects.toMatchObject({ code: "refused", message: "it is not at Discord" });
});

const USER = { id: ADA, username: "ada" };
const said = { id: "2", channel_id: CHAT, type: 0, author: USER, content: "x" };
const pressed = {
  id: "3",
  token: "t",
  application_id: "1",
  type: 3,
  channel: { id: CHAT, type: 1 },
  user: USER,
  message: { id: "2" },
};
test.each([
  ["nothing", "MESSAGE_CREATE", undefined],
  ["a message without an author", "MESSAGE_CREATE", { ...said, author: undefined }],
  ["a webhook", "MESSAGE_CREATE", { ...said, webhook_id: "7" }],
  ["another bot", "MESSAGE_CREATE", { ...said, author: { ...USER, bot: true } }],
  ["Deputy itself", "MESSAGE_CREATE", { ...said, author: { id: "900" } }],
  ["somebody who joined", "MESSAGE_CREATE", { ...said, type: 7 }],
  ["an empty message", "MESSAGE_CREATE", { ...said, content: " " }],
  ["a channel's message to others", "MESSAGE_CREATE", { ...said, guild_id: "7" }],
  ["a reaction", "MESSAGE_REACTION_ADD", { ...said, emoji: { name: "👍" } }],
  ["a button of another kind", "INTERACTION_CREATE", { ...pressed, data: { custom_id: "yes 1" } }],
  [
    "a form of another kind",
    "INTERACTION_CREATE",
    { ...pressed, type: 5, data: { custom_id: "x", components: [] } },
  ],
  [
    "a button without anybody",
    "INTERACTION_CREATE",
    { ...pressed, user: undefined, data: { custom_id: "!yes 1" } },
  ],
  ["a ping", "INTERACTION_CREATE", { ...pressed, type: 1 }],
])("[DC9] %s is passed over", (_what, type, data) => {
  expect(readDispatch(type, data, "900")).toEqual({ kind: "nothing" });
});
