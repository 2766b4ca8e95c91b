import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveTelegram } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test, vi } from "vitest";
import { collectOutput, runDeputy, scratchDirectory, startDaemon, startDeputy, TOKEN } from "./run-deputy.ts";

const ada = { id: 17, first_name: "Ada" };
const ENV = { DEPUTY_TOKEN: TOKEN, DEPUTY_MODEL: "rehearsal/tour" };

async function setup(more: object = {}) {
  const telegram = await serveTelegram();
  const home = scratchDirectory();
  const adapters = {
    telegram: { enabled: true, botToken: "env:TELEGRAM", apiRoot: telegram.apiRoot, ...more },
  };
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ adapters }));
  const env = { ...ENV, TELEGRAM: telegram.token };
  const start = () => startDaemon(home.path, [], env);
  let daemon = await start();
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    await telegram[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  const texts = (chat = ada.id) => telegram.messages(chat).map(({ text }) => text);
  const seen = (fits: RegExp, chat = ada.id) =>
    vi.waitFor(
      () => {
        const found = telegram.messages(chat).findLast(({ text }) => fits.test(text));
        if (found === undefined) throw new Error(`not yet: ${texts(chat).join("\n---\n")}`);
        return found;
      },
      { timeout: 90_000, interval: 50 },
    );
  const pair = async () => {
    const { stdout } = await runDeputy(["channels", "pair", "telegram", "--home", home.path], { env });
    telegram.say(ada, /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(stdout)?.[0] ?? stdout);
    await seen(/You are paired/);
  };
  const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path], { env });
  return {
    env,
    deputy,
    telegram,
    home,
    texts,
    seen,
    pair,
    daemon: () => daemon,
    restart: async (signal: NodeJS.Signals) => {
      await daemon.end(signal);
      daemon = await start();
    },
  };
}

test("[E760] (GC29) `channels add` connects and pairs; a task asks in the chat, a reply denies it with a reason; what failed is posted when asked for", async () => {
  const { telegram, home, seen, env, deputy, texts } = await setup({ enabled: false, botToken: "" });
  const refused = await deputy("channels", "add", "telegram", "--token", "123:wrong");
  expect(refused.stderr).toContain("must not be on the command line");
  expect((await deputy("channels", "add", "carrier-pigeon")).stderr).toContain("One of: telegram");
  const wrong = await runDeputy(["channels", "add", "telegram", "--token", "-", "--home", home.path], {
    env,
    input: "123:wrong",
  });
  expect(wrong.stderr).toContain("Telegram does not accept the token");
  expect((await deputy("channels", "pair", "telegram")).stderr).toContain("deputy channels add telegram");

  const adding = startDeputy(
    ["channels", "add", "telegram", "--token", "env:TELEGRAM", "--home", home.path],
    {
      env,
    },
  );
  let said = "";
  adding.stdout?.on("data", (bytes: Buffer) => {
    const before = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said)?.[0];
    said += bytes.toString();
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(said)?.[0];
    if (before === undefined && code !== undefined) telegram.say(ada, code);
  });
  const { code: exit } = await collectOutput(adding);
  expect(said).toContain("Deputy is @deputy_test_bot there");
  expect(said).toContain("Paired with Ada (17)");
  expect(exit).toBe(0);
  await seen(/You are paired/);
  expect((await deputy("doctor", "--online", "--json")).stdout).toContain("Telegram accepts the token");

  const at = new Date(Date.now() + 1_500).toISOString();
  const program =
    "```ts\nconst repository = { owner: 'acme', repo: 'website' };\n" +
    "const [first] = await tools.github.issues.list(repository);\n" +
    "return await tools.github.issues.close({ ...repository, issueNumber: first.number, title: first.title });\n```";
  await deputy("tasks", "add", program, "--at", at, "--deliver", "telegram");
  const card = await seen(/^the task “.*” asks:/);
  expect(card.buttons).toEqual(["Approve", "Deny", "Details"]);
  telegram.say(ada, "No, two of them are still open", { answers: card.id });
  await vi.waitFor(
    () =>
      expect(telegram.messages(ada.id).find(({ id }) => id === card.id)).toMatchObject({
        buttons: [],
        text: expect.stringContaining("Denied by telegram:17: two of them are still open"),
      }),
    { timeout: 60_000 },
  );

  telegram.block(ada.id);
  telegram.say(ada, "```ts\nreturn 40_000 + 2_357;\n```");
  const failed = () => deputy("channels", "failed", "telegram", "--json");
  await vi.waitFor(async () => expect((await failed()).stdout).toContain("They have blocked the bot"), {
    timeout: 60_000,
  });
  await vi.waitFor(
    async () => expect((await deputy("sessions", "show", "telegram--17")).stdout).toContain("42357"),
    { timeout: 60_000 },
  );
  expect(texts().join("\n")).not.toContain("42357");
  telegram.unblock(ada.id);
  expect((await deputy("channels", "retry", "telegram")).stdout).toMatch(/posts \d+ of them once more/);
  await seen(/42357/);
  await vi.waitFor(async () => expect((await failed()).stdout.trim()).toBe(""), { timeout: 90_000 });
});

test("[E752] a message that may have arrived is not sent again by itself; a button shows it again", async () => {
  const { telegram, seen, pair, daemon, restart, texts } = await setup();
  await pair();
  const killed = Promise.withResolvers<void>();
  telegram.tap((method, moment, text) => {
    if (method !== "sendMessage" || moment !== "after" || !text.startsWith("Here is a first program")) return;
    telegram.tap(() => undefined);
    daemon().child.kill("SIGKILL");
    killed.resolve();
  });
  telegram.say(ada, "Close all issues older than 90 days");
  await killed.promise;
  const first = texts().findLast((text) => text.startsWith("Here is a first program")) ?? "";
  await restart("SIGKILL");
  const notice = await seen(/If you do not see it above/);
  expect(texts().filter((text) => text === first)).toHaveLength(1);
  expect(await telegram.press(ada, ada.id, notice.id, "Show again")).toBe("Here it is.");
  await vi.waitFor(() =>
    expect(texts().filter((text) => text.startsWith(first.slice(0, 40)))).toHaveLength(2),
  );
  expect(texts()).toContain("Shown again below.");
});

test("[E754] what cannot be taken is said, and holds up nothing behind it", async () => {
  const { telegram, seen, pair } = await setup();
  await pair();
  const file = (mimeType: string, size = 3) => ({ name: "a.bin", mimeType, bytes: new Uint8Array(size) });
  telegram.say(ada, "see", { file: file("text/plain\r\nx: y") });
  telegram.say(ada, "and this", { file: file("text/plain", 21 * 1024 * 1024) });
  telegram.say(ada, "```ts\nreturn 40_000 + 2_357;\n```");
  await seen(/a\.bin” could not be taken along|That could not be taken/);
  await seen(/it is too large/);
  await seen(/42357/);
});
