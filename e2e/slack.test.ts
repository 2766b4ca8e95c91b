import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { directChannel, serveSlack, type SlackShown } from "@deputy/testing/chat-apps";
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

const ADA = "UADA";
const EVE = "UEVE";
const PROMPT = "Close all issues older than 90 days";
const WAIT = { timeout: 90_000, interval: 50 };

async function setup(more: object = { allowedUserIds: [ADA], enabled: true }) {
  const slack = await serveSlack();
  const home = scratchDirectory();
  const tokens = { botToken: "env:SLACK_BOT", appToken: "env:SLACK_APP" };
  const adapters = { slack: { ...tokens, apiRoot: slack.apiRoot, ...more } };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const env = {
    DEPUTY_TOKEN: TOKEN,
    DEPUTY_MODEL: "rehearsal/tour",
    SLACK_BOT: slack.botToken,
    SLACK_APP: slack.appToken,
  };
  const start = () => startDaemon(home.path, [], env);
  let daemon = await start();
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    await slack[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  const seen = (thread: string, fits: (one: SlackShown) => boolean, channel = directChannel(ADA)) =>
    vi.waitFor(() => {
      const found = slack.messages(channel, thread).findLast(fits);
      if (found === undefined)
        throw new Error(
          `not yet: ${slack
            .messages(channel, thread)
            .map(({ text }) => text)
            .join("\n---\n")}`,
        );
      return found;
    }, WAIT);
  return {
    slack,
    seen,
    env,
    home: home.path,
    kill: () => void daemon.child.kill("SIGKILL"),
    restart: async () => {
      await daemon.end("SIGKILL");
      daemon = await start();
    },
  };
}

const asks = ({ buttons }: SlackShown): boolean => buttons.includes("Approve");

test("[E780] (GC29) (GC38) (GC39) (GC40) `channels add` pairs in Slack; strangers reach no model, a guest approves nothing, the owner approves by button", async () => {
  const { slack, seen, env, home } = await setup({
    enabled: false,
    botToken: "",
    appToken: "",
    guestIds: [EVE],
    groupIds: ["C1"],
  });
  const args = ["channels", "add", "slack", "--home", home];
  const swapped = await runDeputy([...args, "--token", "env:SLACK_APP", "--app-token", "env:SLACK_BOT"], {
    env,
  });
  expect(swapped.stderr).toContain("Slack does not accept the token");
  const adding = startDeputy([...args, "--token", "env:SLACK_BOT", "--app-token", "env:SLACK_APP"], { env });
  const shown = Promise.withResolvers<string>();
  let said = "";
  adding.stdout?.on("data", (bytes: Buffer) => {
    said += bytes.toString();
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said)?.[0];
    if (code !== undefined) shown.resolve(code);
  });
  const first = slack.say(ADA, await shown.promise);
  expect((await collectOutput(adding)).code).toBe(0);
  expect(said).toContain("Deputy is @deputy there");
  await seen(first, ({ text }) => text.startsWith("You are paired"));

  const mallory = slack.say("UMALLORY", PROMPT);
  await seen(mallory, ({ text }) => text.includes("does not know you"), directChannel("UMALLORY"));
  const inGroup = slack.say(EVE, PROMPT, { channel: "C1" });
  slack.say(ADA, PROMPT, { channel: "C2" });
  const card = await seen(inGroup, asks, "C1");
  expect(await slack.press(EVE, "C1", card.ts, "Approve")).toBe("Only the owner can answer.");
  expect(await slack.press(ADA, "C1", card.ts, "Deny", "not these")).toBe("Denied");
  await seen(inGroup, ({ text }) => text.includes("Denied by slack:UADA: not these"), "C1");

  slack.openHome("UMALLORY");
  slack.openHome(EVE);
  slack.openHome(ADA);
  const tab = (user: string, fits: RegExp) => vi.waitFor(() => expect(slack.home(user)).toMatch(fits), WAIT);
  await tab(ADA, /Nothing waits for you/);
  await tab(EVE, /Say what you want done/);
  slack.command("UMALLORY", PROMPT);
  slack.command(ADA, PROMPT);
  const begun = await vi.waitFor(() => {
    const found = slack.threads(directChannel(ADA)).find((one) => one > inGroup);
    if (found === undefined) throw new Error("no thread yet");
    return found;
  }, WAIT);
  const thread = begun;
  const question = await seen(thread, asks);
  await tab(ADA, /One question waits for you/);
  expect(slack.home(EVE)).not.toMatch(/question waits/);
  expect(slack.home("UMALLORY")).toBe("");
  expect(await slack.press(ADA, directChannel(ADA), question.ts, "Approve")).toBe("Approved");
  await tab(ADA, /Nothing waits for you/);
  await seen(thread, ({ text }) => text.startsWith("acme/website had"));
  const decided = slack.messages(directChannel(ADA), thread).find(({ ts }) => ts === question.ts);
  expect(decided).toMatchObject({ buttons: [], text: expect.stringContaining("Approved by slack:UADA") });
  // The first of the examples was that by the command.
  for (const [request, answered] of EXAMPLE_REQUESTS.slice(1)) {
    const own = slack.say(ADA, request);
    const asked = await seen(own, asks);
    expect(await slack.press(ADA, directChannel(ADA), asked.ts, "Approve")).toBe("Approved");
    await seen(own, ({ ts, text }) => Number(ts) > Number(asked.ts) && answered.test(text));
  }
  const tasks = await runDeputy(["tasks", "list", "--json", "--home", home], { env });
  expect(jsonLines(tasks.stdout).length).toBeGreaterThanOrEqual(3);
  const doctor = await runDeputy(["doctor", "--online", "--json", "--home", home], { env });
  expect(doctor.stdout).toContain("Slack accepts the token");
  expect(slack.messages(directChannel("UMALLORY"), mallory)).toHaveLength(1);
});
