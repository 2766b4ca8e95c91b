import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { discordChat, type DiscordShown, serveDiscord } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXAMPLE_REQUESTS } from "./example-requests.ts";
import {
  collectOutput,
  jsonLines,
  runDeputy,
  scratchDirectory,
  startDaemon,
  startDeputy,
  TOKEN,
} from "./run-deputy.ts";

const ADA = "800000000000000017";
const EVE = "800000000000000066";
const MALLORY = "800000000000000099";
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
    env,
    home: home.path,
    kill: () => void daemon.child.kill("SIGKILL"),
    restart: async () => {
      await daemon.end("SIGKILL");
      daemon = await start();
    },
  };
}

const asks = ({ buttons }: DiscordShown): boolean => buttons.includes("Approve");

test("[E820] (GC29) (GC38) (GC39) (GC40) `channels add` pairs in Discord; strangers reach no model, a guest approves nothing, and the example requests are approved by button", async () => {
  const { discord, seen, texts, env, home } = await setup({
    enabled: false,
    botToken: "",
    guestIds: [EVE],
    groupIds: [CHANNEL],
  });
  const args = ["channels", "add", "discord", "--home", home];
  const wrong = await runDeputy([...args, "--token", "-"], { env, input: "no.such.token" });
  expect(wrong.stderr).toContain("Discord does not accept the token");
  const adding = startDeputy([...args, "--token", "env:DISCORD"], { env });
  const shown = Promise.withResolvers<string>();
  let said = "";
  adding.stdout?.on("data", (bytes: Buffer) => {
    said += bytes.toString();
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said)?.[0];
    if (code !== undefined) shown.resolve(code);
  });
  const code = await shown.promise;
  await vi.waitFor(() => expect(discord.connections()).toBe(1), WAIT);
  discord.say(ADA, code);
  expect((await collectOutput(adding)).code).toBe(0);
  expect(said).toContain("Deputy is @deputy there");
  await seen(({ text }) => text.startsWith("You are paired"));
  expect(discord.commands()).toEqual(["ask", "new", "stop", "help"]);
  const doctor = await runDeputy(["doctor", "--online", "--json", "--home", home], { env });
  expect(doctor.stdout).toContain("Discord accepts the token");

  discord.say(MALLORY, PROMPT);
  await seen(({ text }) => text.includes("does not know you"), discordChat(MALLORY));
  discord.say(MALLORY, "hello?", { channel: CHANNEL });
  discord.say(ADA, PROMPT, { channel: "600000000000000002" });
  // In a thread of a channel that is allowed, a guest is answered.
  const thread = discord.openThread(CHANNEL);
  discord.say(EVE, PROMPT, { channel: thread });
  const card = await seen(asks, thread);
  expect(await discord.press(EVE, thread, card.id, "Approve")).toBe("Only the owner can answer.");
  // The id of the question is worth nothing elsewhere, and to others.
  expect(await discord.press(ADA, thread, card.id, "Deny", " not these ")).toBe("Denied");
  await seen(({ text }) => text.includes(`Denied by discord:${ADA}: not these`), thread);

  const ask = async (prompt: string, answered: RegExp) => {
    discord.say(ADA, prompt);
    const question = await seen(asks);
    expect(await discord.press(ADA, discordChat(ADA), question.id, "Approve")).toBe("Approved");
    await seen(
      ({ id, text, buttons }) => id === question.id && buttons.length === 0 && text.includes("Approved by"),
    );
    await seen(({ id, text }) => BigInt(id) > BigInt(question.id) && answered.test(text));
  };
  for (const [request, answered] of EXAMPLE_REQUESTS) await ask(request, answered);
  const tasks = await runDeputy(["tasks", "list", "--json", "--home", home], { env });
  expect(jsonLines(tasks.stdout).length).toBeGreaterThanOrEqual(3);

  await discord.command(ADA, "stop");
  await seen(({ text }) => text === "Nothing is being done.");
  expect(texts(discordChat(MALLORY))).toHaveLength(1);
  expect(texts(CHANNEL)).toEqual([]);
  expect(texts("600000000000000002")).toEqual([]);
  expect(discord.messages(discordChat(ADA)).flatMap(({ pinged }) => pinged)).toEqual([]);
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
