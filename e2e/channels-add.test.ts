import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveNtfy, serveSmtp, SMTP_PASSWORD, SMTP_USER } from "@deputy/testing/notify";
import { expect, onTestFinished, test } from "vitest";
import { openStage, type StagedApp } from "./chat-stage.ts";
import { KEYS, openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory } from "./run-deputy.ts";

/** Empties the line. */
const CLEAR = "\u0015";

function setup(adapters: object = {}) {
  const home = scratchDirectory();
  onTestFinished(() => home[Symbol.dispose]());
  const file = join(home.path, "config.json");
  writeFileSync(file, JSON.stringify({ adapters }));
  const config = (): { adapters: Record<string, unknown> } => JSON.parse(readFileSync(file, "utf8"));
  /** Answers each question, as somebody at the keyboard does; gives what the screen shows in the end. */
  const add = async (name: string, ...answers: readonly (readonly [asks: RegExp, answer: string])[]) => {
    await using terminal = openTerminal(["channels", "add", name, "--home", home.path], { columns: 110 });
    for (const [asks, answer] of answers) {
      await terminal.see(asks);
      terminal.type(answer + KEYS.enter);
    }
    return { code: await terminal.ended(), text: terminal.text() };
  };
  const doctor = async (...more: readonly string[]) => {
    const { stdout } = await runDeputy(["doctor", "--json", ...more, "--home", home.path]);
    return jsonLines(stdout).filter((line) => JSON.stringify(line).includes('"channels"'));
  };
  return { home: home.path, config, add, doctor };
}

const TOKENS: Readonly<Record<StagedApp, readonly (readonly [asks: RegExp, variable: string])[]>> = {
  telegram: [[/The bot's token/, "TELEGRAM"]],
  slack: [
    [/The bot's token \(xoxb/, "SLACK_BOT"],
    [/The app's token \(xapp/, "SLACK_APP"],
  ],
  discord: [[/The bot's token/, "DISCORD"]],
};

test.skipIf(pty === undefined).each(["telegram", "slack", "discord"] as const)(
  "[E761] `channels add %s` asks in a terminal, shows no token, tries it, keeps it in a file; what is not accepted changes nothing, and doctor says what is wrong later",
  async (app) => {
    await using stage = await openStage(app);
    const it = setup({ [app]: { apiRoot: stage.apiRoot } });
    const asked = TOKENS[app];
    const wrong = await it.add(app, ...asked.map(([asks]) => [asks, "wrong-token-1234"] as const));
    expect(wrong.code).not.toBe(0);
    expect(wrong.text).toMatch(/does not accept the token/);
    expect(it.config()).toEqual({ adapters: { [app]: { apiRoot: stage.apiRoot } } });

    const right = await it.add(
      app,
      ...asked.map(([asks, variable]) => [asks, stage.env[variable] ?? ""] as const),
    );
    expect(right).toMatchObject({
      code: 0,
      text: expect.stringMatching(/accepts it: Deputy is @deputy\w* there/),
    });
    expect(right.text).toContain("deputy serve");
    const kept = readFileSync(join(it.home, "config.json"), "utf8");
    for (const token of Object.values(stage.env))
      for (const text of [right.text, kept]) expect(text).not.toContain(token);
    expect(it.config().adapters[app]).toMatchObject({
      enabled: true,
      botToken: expect.stringMatching(/^file:/),
    });
    expect(JSON.stringify(await it.doctor("--online"))).toContain("accepts the token");

    // Its token is another one by now; then its file is gone; then nobody can be reached.
    const file = join(it.home, "keys", app);
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, "another-token-5678");
    expect(await it.doctor("--online")).toMatchObject([
      { fix: expect.stringContaining(`deputy channels add ${app}`) },
    ]);
    writeFileSync(file, stage.env[asked[0]?.[1] ?? ""] ?? "");
    await stage[Symbol.asyncDispose]();
    const away = JSON.stringify(await it.doctor("--online"));
    expect(away).toMatch(/cannot be reached/);
    expect(away).toContain("network");
  },
);

test.skipIf(pty === undefined)(
  "[E762] `channels add mail` and `channels add push` ask in a terminal, and send a first message; what a server refuses changes nothing",
  async () => {
    await using smtp = await serveSmtp();
    await using ntfy = await serveNtfy();
    const it = setup();
    const mail = (password: string) =>
      it.add(
        "mail",
        [/mail server that sends/, "127.0.0.1"],
        [/Encryption/, `${CLEAR}none`],
        [/Its port/, String(smtp.port)],
        [/name to sign in with/, SMTP_USER],
        [/The password/, password],
        [/sender's address/, ""],
        [/Your address/, "owner@example.org"],
      );
    const wrong = await mail("not this one");
    expect(wrong.code).not.toBe(0);
    expect(it.config()).toEqual({ adapters: {} });
    expect(await mail(SMTP_PASSWORD)).toMatchObject({ code: 0, text: expect.stringContaining("Mail works") });
    expect(smtp.mails).toMatchObject([
      { to: ["owner@example.org"], source: expect.stringContaining("Deputy can reach you here") },
    ]);
    expect(it.config().adapters["mail"]).toMatchObject({ enabled: true, password: "file:keys/mail" });

    const push = await it.add(
      "push",
      [/The ntfy server/, CLEAR + ntfy.origin],
      [/The ntfy topic/, "ada-7f3k"],
      [/ntfy access token/, ntfy.token],
    );
    expect(push).toMatchObject({ code: 0, text: expect.stringContaining("Push works") });
    expect(ntfy.messages).toHaveLength(1);
    for (const secret of [SMTP_PASSWORD, "ada-7f3k", ntfy.token]) {
      expect(push.text).not.toContain(secret);
      expect(readFileSync(join(it.home, "config.json"), "utf8")).not.toContain(secret);
    }
    expect(JSON.stringify(await it.doctor("--online"))).toMatch(/accepts the sign-in.*Pushes go to ntfy/);
  },
);
