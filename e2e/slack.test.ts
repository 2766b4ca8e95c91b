import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { directChannel, serveSlack, type SlackShown } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test, vi } from "vitest";
import { runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const ADA = "UADA";
const EVE = "UEVE";
const PROMPT = "Close all issues older than 90 days";
const WAIT = { timeout: 90_000, interval: 50 };

async function setup() {
  const slack = await serveSlack();
  const home = scratchDirectory();
  const adapters = {
    slack: {
      enabled: true,
      botToken: "env:SLACK_BOT",
      appToken: "env:SLACK_APP",
      apiRoot: slack.apiRoot,
      allowedUserIds: [ADA],
      guestIds: [EVE],
      groupIds: ["C1"],
    },
  };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const env = {
    DEPUTY_TOKEN: TOKEN,
    DEPUTY_MODEL: "rehearsal/tour",
    SLACK_BOT: slack.botToken,
    SLACK_APP: slack.appToken,
  };
  const daemon = await startDaemon(home.path, [], env);
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    await slack[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  const seen = (thread: string, fits: (one: SlackShown) => boolean, channel = directChannel(ADA)) =>
    vi.waitFor(() => {
      const all = slack.messages(channel, thread);
      const found = all.findLast(fits);
      if (found === undefined) throw new Error(`not yet: ${all.map(({ text }) => text).join("\n---\n")}`);
      return found;
    }, WAIT);
  return { slack, seen, env, home: home.path };
}

const asks = ({ buttons }: SlackShown): boolean => buttons.includes("Approve");

test("[E780] in Slack a no may have a reason, `/deputy` begins a thread, the home tab says what waits; swapped tokens and other channels are not taken", async () => {
  const { slack, seen, env, home } = await setup();
  const tokens = ["--token", "env:SLACK_APP", "--app-token", "env:SLACK_BOT"];
  const swapped = await runDeputy(["channels", "add", "slack", "--home", home, ...tokens], { env });
  expect(swapped.stderr).toContain("Slack does not accept the token");
  await vi.waitFor(() => expect(slack.connections()).toBe(1), WAIT);

  slack.say(ADA, PROMPT, { channel: "C2" });
  const inGroup = slack.say(EVE, PROMPT, { channel: "C1" });
  const card = await seen(inGroup, asks, "C1");
  expect(await slack.press(ADA, "C1", card.ts, "Deny", "not these")).toBe("Denied");
  await seen(inGroup, ({ text }) => text.includes("Denied by slack:UADA: not these"), "C1");
  expect(slack.threads("C2")).toEqual([]);

  slack.openHome("UMALLORY");
  slack.openHome(EVE);
  slack.openHome(ADA);
  const tab = (user: string, fits: RegExp) => vi.waitFor(() => expect(slack.home(user)).toMatch(fits), WAIT);
  await tab(ADA, /Nothing waits for you/);
  await tab(EVE, /Say what you want done/);
  slack.command("UMALLORY", PROMPT);
  slack.command(ADA, PROMPT);
  const thread = await vi.waitFor(() => {
    const [found] = slack.threads(directChannel(ADA));
    if (found === undefined) throw new Error("no thread yet");
    return found;
  }, WAIT);
  const question = await seen(thread, asks);
  await tab(ADA, /One question waits for you/);
  expect(slack.home(EVE)).not.toMatch(/question waits/);
  expect(slack.home("UMALLORY")).toBe("");
  expect(slack.threads(directChannel("UMALLORY"))).toHaveLength(1);
  expect(await slack.press(ADA, directChannel(ADA), question.ts, "Approve")).toBe("Approved");
  await tab(ADA, /Nothing waits for you/);
  await seen(thread, ({ text }) => text.startsWith("acme/website had"));
});
