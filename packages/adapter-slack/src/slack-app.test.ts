import { type Heard, plainText } from "@deputy/channels";
import { createSystemClock } from "@deputy/kit";
import { directChannel, serveSlack } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEnvelope } from "./read-envelope.ts";
import { createSlackApp } from "./slack-app.ts";

const ADA = "UADA";
const DIRECT = directChannel(ADA);
const never = new AbortController().signal;
const WAIT = { timeout: 90_000, interval: 20 };

async function setup() {
  const server = await serveSlack();
  const { botToken, appToken, apiRoot } = server;
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  const app = createSlackApp({ botToken, appToken, apiRoot, clock: createSystemClock(), tell });
  const stopping = new AbortController();
  const heard: Heard[] = [];
  let gate = Promise.resolve();
  const over = app.receive(async (one) => {
    await gate;
    heard.push(one);
  }, stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await over.catch(() => undefined);
    await server[Symbol.asyncDispose]();
  });
  const until = (count: number) => vi.waitFor(() => expect(heard).toHaveLength(count), WAIT);
  return { server, app, heard, told, until, hold: (free: Promise<void>) => void (gate = free) };
}

test("[SL1] each thread is a conversation, and a new message begins one", async () => {
  const { server, heard, until } = await setup();
  const first = server.say(ADA, "one");
  server.say(ADA, "two", { thread: first });
  const other = server.say(ADA, "three");
  const inChannel = server.say(ADA, "four & <more>", { channel: "C1" });
  await until(4);
  // Of one place in order; places do not wait for each other.
  const timeOf = ({ id }: Heard): string => id.split(".")[1] ?? "";
  const sorted = heard.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
  expect(sorted.map(({ place, group }) => ({ place, group }))).toEqual([
    { place: `${DIRECT}--${first}`, group: undefined },
    { place: `${DIRECT}--${first}`, group: undefined },
    { place: `${DIRECT}--${other}`, group: undefined },
    { place: `C1--${inChannel}`, group: "C1" },
  ]);
  expect(sorted[3]).toMatchObject({ text: "four & <more>" });
});

test("[SL2] what was not answered in time comes again and is heard once; a connection that Slack ends is made anew", async () => {
  const { server, heard, until, hold, told } = await setup();
  const free = Promise.withResolvers<void>();
  hold(free.promise);
  server.say(ADA, "one");
  // Slack ends the connection before it has an answer.
  await vi.waitFor(() => expect(server.connections()).toBe(1), WAIT);
  server.recycle();
  await vi.waitFor(
    () => expect(server.calls.filter((call) => call === "apps.connections.open")).toHaveLength(2),
    WAIT,
  );
  free.resolve();
  await until(1);
  server.say(ADA, "two");
  await until(2);
  expect(heard).toMatchObject([{ text: "one" }, { text: "two" }]);
  expect(told).toEqual([]);
});

test("[SL3] a no asks for its reason first, and comes with it", async () => {
  const { server, app, heard, until } = await setup();
  const thread = server.say(ADA, "hi");
  await until(1);
  const place = `${DIRECT}--${thread}`;
  const buttons = [{ label: "Deny", data: "no 1", kind: "no" as const }];
  const ref = await app.post(place, { runs: plainText("may I?"), buttons }, "k", never);
  const answered = server.press(ADA, DIRECT, ref, "Deny", " not today ");
  await until(2);
  const pressed = heard[1];
  expect(pressed).toMatchObject({
    kind: "pressed",
    place,
    ref,
    data: "no 1",
    reason: "not today",
    by: { id: ADA },
  });
  if (pressed?.kind === "pressed") await pressed.tell("Denied");
  expect(await answered).toBe("Denied");
});

test("[SL4] an edit is heard as one; `!stop` is a command, because Slack keeps what begins with a slash", async () => {
  const { server, heard, until } = await setup();
  const ts = server.say(ADA, "fird");
  server.say(ADA, "first", { edits: ts });
  server.say(ADA, "!stop", { thread: ts });
  await until(3);
  expect(heard).toMatchObject([{ text: "fird" }, { text: "I meant: first" }, { text: "/stop" }]);
  expect(new Set(heard.map(({ place }) => place)).size).toBe(1);
});

test.each([
  "https://evil.example/f",
  "https://slack.com.evil.example/f",
  "http://files.slack.com/f",
  "nonsense",
])("[SL5] the token is not sent to %s", async (url) => {
  const { server, heard, until } = await setup();
  server.say(ADA, "see", { file: { name: "a", mimeType: "text/plain", bytes: new Uint8Array([1]), url } });
  await until(1);
  const [file] = heard[0]?.kind === "said" ? heard[0].files : [];
  await expect(file?.read(never)).rejects.toMatchObject({ code: "refused", message: "it is not at Slack" });
});

test.each([
  ["nothing", undefined],
  ["no event", { event: { type: "reaction_added" } }],
  ["a message without a time", { event: { type: "message", channel: "D1", channel_type: "im", text: "x" } }],
  [
    "a join",
    {
      event: {
        type: "message",
        subtype: "channel_join",
        channel: "D1",
        channel_type: "im",
        user: "U1",
        ts: "1",
        text: "x",
      },
    },
  ],
  [
    "Deputy itself",
    { event: { type: "message", channel: "D1", channel_type: "im", user: "UDEPUTY", ts: "1", text: "x" } },
  ],
  [
    "an edit by Slack",
    {
      event: {
        type: "message",
        subtype: "message_changed",
        channel: "D1",
        channel_type: "im",
        ts: "1",
        message: { user: "U1", ts: "1", text: "x" },
      },
    },
  ],
])("[SL6] %s is passed over", (_what, body) => {
  expect(readEnvelope("events_api", body, "UDEPUTY")).toEqual({ kind: "nothing" });
  expect(readEnvelope("interactive", body, "UDEPUTY")).toEqual({ kind: "nothing" });
  expect(readEnvelope("slash_commands", body, "UDEPUTY")).toEqual({ kind: "nothing" });
});

test("[SL7] a slash command begins a thread once it is wanted, however often; the home tab is shown", async () => {
  const { server, app, heard, until } = await setup();
  server.command(ADA, "close <all> issues");
  server.command(ADA, "");
  server.openHome(ADA);
  await until(3);
  const command = heard.find((one) => one.kind === "said" && one.text.startsWith("close"));
  expect(command).toMatchObject({ place: DIRECT, by: { id: ADA }, text: "close <all> issues" });
  expect(heard).toContainEqual(expect.objectContaining({ kind: "said", text: "/help" }));
  expect(heard).toContainEqual(expect.objectContaining({ kind: "looked", by: { id: ADA, name: ADA } }));
  expect(server.threads(DIRECT)).toEqual([]);
  const open = command?.kind === "said" ? command.open : undefined;
  server.fail("chat.postMessage", { kind: "limit", seconds: 1 });
  await expect(open?.(never)).rejects.toMatchObject({ code: "not_sent" });
  const place = (await open?.(never)) ?? "";
  expect(await open?.(never)).toBe(place);
  const [thread = ""] = server.threads(DIRECT);
  expect(place).toBe(`${DIRECT}--${thread}`);
  expect(server.messages(DIRECT, thread)).toMatchObject([{ text: "close <all> issues" }]);
  await app.showHome?.(ADA, { runs: plainText("One question waits <for> you") }, never);
  expect(server.home(ADA)).toBe("One question waits <for> you");
});
