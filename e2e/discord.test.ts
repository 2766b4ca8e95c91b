import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discordChat, type DiscordShown, serveDiscord } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test, vi } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const ADA = "800000000000000017";
const EVE = "800000000000000066";
const CHANNEL = "600000000000000001";
const PROMPT = "Close all issues older than 90 days";
const WAIT = { timeout: 90_000, interval: 50 };

async function setup(more: object = { allowedUserIds: [ADA], enabled: true }) {
  const discord = await serveDiscord();
  const home = scratchDirectory();
  const adapters = { discord: { botToken: "env:DISCORD", apiRoot: discord.apiRoot, ...more } };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const env = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour", DISCORD: discord.token };
  const start = () => startDaemon(home.path, [], env);
  let daemon = await start();
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    await discord[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  const texts = (channel: string) => discord.messages(channel).map(({ text }) => text);
  const seen = (fits: (one: DiscordShown) => boolean, channel = discordChat(ADA)) =>
    vi.waitFor(() => {
      const found = discord.messages(channel).findLast(fits);
      if (found === undefined) throw new Error(`not yet: ${texts(channel).join("\n---\n")}`);
      return found;
    }, WAIT);
  const connected = () => vi.waitFor(() => expect(discord.connections()).toBe(1), WAIT);
  return {
    discord,
    texts,
    seen,
    connected,
    home: home.path,
    kill: () => void daemon.child.kill("SIGKILL"),
    restart: async () => {
      await daemon.end("SIGKILL");
      daemon = await start();
    },
  };
}

const asks = ({ buttons }: DiscordShown): boolean => buttons.includes("Approve");

test("[E820] in Discord a thread is of its channel, a no may have a reason, commands are registered, and nobody is mentioned; other channels are not heard", async () => {
  const { discord, seen, texts, connected } = await setup({
    enabled: true,
    allowedUserIds: [ADA],
    guestIds: [EVE],
    groupIds: [CHANNEL],
  });
  await connected();
  discord.say(ADA, PROMPT, { channel: "600000000000000002" });
  // In a thread of a channel that is allowed, a guest is answered.
  const thread = discord.openThread(CHANNEL);
  discord.say(EVE, PROMPT, { channel: thread });
  const card = await seen(asks, thread);
  expect(await discord.press(ADA, thread, card.id, "Deny", " not these ")).toBe("Denied");
  await seen(({ text }) => text.includes(`Denied by discord:${ADA}: not these`), thread);

  expect(discord.commands()).toEqual(["ask", "new", "stop", "help"]);
  await discord.command(ADA, "ask", { what: "```ts\nreturn 40 + 2;\n```" });
  await seen(({ text }) => text.includes("42"));
  await discord.command(ADA, "stop");
  await seen(({ text }) => text === "Nothing is being done.");
  expect(texts(CHANNEL)).toEqual([]);
  expect(texts("600000000000000002")).toEqual([]);
  for (const where of [thread, discordChat(ADA)])
    expect(discord.messages(where).flatMap(({ pinged }) => pinged)).toEqual([]);
});

/** While what was said is on its way; or once the card is there, and Discord forgets the session meanwhile. */
const KILLS = ["on its way", "the card"] as const;

test.each(KILLS)(
  "[E821] (GC37) killed (%s): nothing said is lost, nothing is shown twice, and buttons of before still work",
  async (moment) => {
    const { discord, seen, connected, kill, restart, home } = await setup();
    await connected();
    const kept = join(home, "channels/discord.json");
    await vi.waitFor(
      () => expect(existsSync(kept) && readFileSync(kept, "utf8")).toContain("session-1"),
      WAIT,
    );
    const chat = discordChat(ADA);
    const killed = Promise.withResolvers<void>();
    const killNow = (): void => {
      discord.tap(() => undefined);
      kill();
      killed.resolve();
    };
    discord.tap((call, when) => {
      const isCard = when === "after" && discord.messages(chat).some(asks);
      if (moment === "the card" && call.endsWith("messages") && isCard) killNow();
    });
    discord.say(ADA, PROMPT);
    if (moment === "on its way") killNow();
    await killed.promise;
    // Two requests at once are one to the rehearsal: the second is said once the first has its card.
    if (moment === "the card") discord.say(ADA, "```ts\nreturn 40 + 2;\n```");
    // Discord has forgotten the session: what was said is read where Deputy was heard before.
    if (moment === "the card") discord.forget("silently");
    await restart();
    await connected();
    const question = await seen(asks);
    expect(await discord.press(ADA, chat, question.id, "Approve")).toBe("Approved");
    await seen(({ text }) => text.startsWith("acme/website had"));
    if (moment === "the card") await seen(({ text }) => text.includes("42"));
    await vi.waitFor(() => expect(discord.messages(chat).filter(asks)).toEqual([]), WAIT);
    const replies = discord.messages(chat).map(({ text }) => text);
    // A model that is killed in the middle of an answer may say its beginning again: then the session has it twice, too.
    const { stdout } = await runDeputy(["sessions", "show", `discord--${chat}`, "--json", "--home", home]);
    const said = jsonLines(stdout).map((line) => (line as { content?: string }).content?.trim() ?? "");
    const timesIn = (all: readonly string[], text: string): number =>
      all.filter((one) => one === text).length;
    expect(replies.filter((text) => timesIn(replies, text) > Math.max(1, timesIn(said, text)))).toEqual([]);
    expect(said.filter((text) => text === PROMPT)).toHaveLength(1);
  },
);
