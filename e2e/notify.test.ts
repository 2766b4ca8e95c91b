import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFakeImapServer } from "@deputy/testing";
import { serveNtfy, servePush, serveSmtp, SMTP_PASSWORD, SMTP_USER } from "@deputy/testing/notify";
import { createVapidKeys } from "@deputy/notify/push";
import { expect, onTestFinished, test, vi } from "vitest";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const OWNER = "owner@example.org";
const WAIT = { timeout: 90_000, interval: 100 };

const PROGRAM =
  "```ts\nconst repository = { owner: 'acme', repo: 'website' };\n" +
  "const [first] = await tools.github.issues.list(repository);\n" +
  "return await tools.github.issues.close({ ...repository, issueNumber: first.number, title: first.title });\n```";

/** Without the line breaks and signs of its encoding. */
const readable = (source: string): string => source.replaceAll("=\r\n", "").replaceAll("=3D", "=");

test("[E790] (GC28) (GC29) a task asks by mail and push; a fetched link answers nothing, only a mail with the code does, once; what a server refused is listed and sent again", async () => {
  await using smtp = await serveSmtp();
  await using imap = await openFakeImapServer({ user: "ada", password: "imap-password" });
  await using ntfy = await serveNtfy();
  const keys = createVapidKeys();
  await using push = await servePush(() => keys.publicKey);
  const home = scratchDirectory();
  writeFileSync(
    join(home.path, "config.json"),
    JSON.stringify({
      notifications: { deliverTo: "mail" },
      events: [
        {
          type: "imap",
          name: "answers",
          host: "127.0.0.1",
          port: imap.port,
          secure: "none",
          user: "ada",
          password: "env:IMAP_PASSWORD",
        },
      ],
      adapters: {
        mail: {
          enabled: true,
          host: "127.0.0.1",
          port: smtp.port,
          secure: "none",
          user: SMTP_USER,
          password: "env:SMTP_PASSWORD",
          to: [OWNER],
          answersFrom: "answers",
        },
        push: {
          enabled: true,
          origins: [push.origin],
          ntfy: { server: ntfy.origin, topicSecret: "env:NTFY_TOPIC", token: "env:NTFY_TOKEN" },
        },
      },
    }),
  );
  writeFileSync(join(home.path, "push.json"), JSON.stringify([push.subscription]), { mode: 0o600 });
  const env = {
    DEPUTY_TOKEN: TOKEN,
    DEPUTY_MODEL: "rehearsal/tour",
    IMAP_PASSWORD: "imap-password",
    SMTP_PASSWORD,
    NTFY_TOPIC: "ada-7f3k",
    NTFY_TOKEN: ntfy.token,
  };
  const deputy = (...args: readonly string[]) => runDeputy([...args, "--home", home.path], { env });
  await deputy("doctor");
  writeFileSync(join(home.path, "keys", "push"), keys.privateKey, { mode: 0o600 });
  const daemon = await startDaemon(home.path, [], env);
  onTestFinished(async () => {
    await daemon[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });
  expect((await deputy("doctor", "--online")).stdout).toMatch(
    /accepts the sign-in[^]*ntfy at .* and 1 browser/,
  );

  const soon = (): string => new Date(Date.now() + 4_000).toISOString();
  for (const more of [[], ["--deliver", "push"]])
    // On a slow machine that time is over before the command has begun.
    await vi.waitFor(
      async () =>
        expect(await deputy("tasks", "add", PROGRAM, "--at", soon(), ...more)).toMatchObject({ code: 0 }),
      WAIT,
    );
  const asked = await vi.waitFor(() => {
    const found = smtp.mails
      .map(({ source }) => readable(source))
      .find((one) => one.includes("deputy-answer-"));
    if (found === undefined)
      throw new Error(`not asked yet: ${smtp.mails.map(({ source }) => source).join("\n")}`);
    return found;
  }, WAIT);
  expect(smtp.mails[0]?.to).toEqual([OWNER]);
  const link = /answer on Deputy's page: (\S+)/.exec(asked)?.[1] ?? "";
  expect(link).toContain(`${daemon.url}/#/approvals?q=`);
  for (const method of ["GET", "HEAD", "POST"]) await fetch(link, { method });
  await vi.waitFor(() => expect(push.messages).toHaveLength(1), WAIT);
  expect(ntfy.messages).toMatchObject([{ message: "Deputy waits for your answer." }]);
  for (const url of [ntfy.messages[0]?.click ?? "", ntfy.messages[0]?.actions?.[0]?.url ?? ""])
    await fetch(url);
  const pending = async () => jsonLines((await deputy("approvals", "--json")).stdout);
  expect(await pending()).toHaveLength(2);

  const [, code = ""] = /^approve (deputy-answer-\S+)\r$/m.exec(asked) ?? [];
  const reply = (from: string, text: string) =>
    imap.deliver({
      source: Buffer.from(
        `From: ${from}\r\nTo: ${SMTP_USER}\r\nSubject: Re: Deputy asks\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
      ),
    });
  await vi.waitFor(() => expect(imap.idling).toBe(1), WAIT);
  reply("eve@example.org", `approve ${code}`);
  reply(OWNER, `I am on holiday.\r\n> approve ${code}`);
  reply(OWNER, `approve ${code.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`);
  reply(OWNER, `approve ${code}\r\n\r\nOn Monday Deputy wrote:\r\n> deny ${code}`);
  const told = (text: RegExp) =>
    vi.waitFor(() => expect(smtp.mails.some(({ source }) => text.test(source))).toBe(true), WAIT);
  await told(/By your mail: approved/);
  reply(OWNER, `deny ${code}`);
  await told(/came too late/);
  expect(await pending()).toHaveLength(1);
  const kept = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), "latin1"))
    .join("\n");
  expect(kept).toContain(`mail:${OWNER}`);
  expect(kept).not.toContain(code);

  smtp.fail({ code: 550 });
  await deputy("tasks", "add", "```ts\nreturn 40 + 2;\n```", "--at", soon());
  const failed = () => deputy("channels", "failed", "mail");
  await vi.waitFor(async () => expect((await failed()).stdout).toContain("(550)"), WAIT);
  expect((await deputy("channels", "retry", "mail")).stdout).toContain("posts 1 of them once more");
  await told(/\b42\b/);
  await vi.waitFor(async () => expect((await failed()).stdout.trim()).toBe(""), WAIT);
});
