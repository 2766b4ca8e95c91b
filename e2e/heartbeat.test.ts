import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { count, finish, openChatWorld } from "./chat-world.ts";
import { openPacedModel } from "./paced-model.ts";
import { KEYS, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

/** Each look starts a program. */

/** Sets a reminder through the running daemon; due so soon that nobody waits long. */
async function remind(home: string, text: string): Promise<void> {
  const cell = join(home, "remind.ts");
  const input = { name: "Tea", text, schedule: "in 2 seconds" };
  writeFileSync(cell, `return await tools.cron.add(${JSON.stringify(input)});`);
  const env = { DEPUTY_TOKEN: TOKEN };
  const { code, stderr } = await runDeputy(["exec", cell, "--approve", "all", "--home", home], { env });
  expect(code, stderr).toBe(0);
}

async function setup() {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(scratchDirectory());
  const model = opened.use(await openPacedModel());
  const serve = () => startDaemon(home.path, [], { ...model.env, DEPUTY_TOKEN: TOKEN });
  const show = async (session = "default"): Promise<string> =>
    (await runDeputy(["sessions", "show", session, "--home", home.path])).stdout;
  const ended = async (): Promise<readonly unknown[]> =>
    jsonLines(
      (await runDeputy(["audit", "show", "--type", "heartbeat.ended", "--json", "--home", home.path])).stdout,
    ).map(({ data }) => Reflect.get(Object(data), "outcome"));
  const owned = opened.move();
  return { home: home.path, model, serve, show, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe("reminders through the daemon", () => {
  test("[E700] asks the agent when one is due; its answer is in the session, but HEARTBEAT_OK is not", async () => {
    await using world = await setup();
    await using _daemon = await world.serve();
    await remind(world.home, "The tea is ready");
    const first = await world.model.asked();
    expect(JSON.stringify(first.messages.at(-1))).toContain("Tea: The tea is ready");
    finish(first, "Your tea is ready.");
    await expect.poll(() => world.show()).toContain("● reminder: Your tea is ready.");
    await remind(world.home, "Nothing to tell");
    finish(await world.model.asked(), "**HEARTBEAT_OK**");
    await expect.poll(world.ended).toEqual(["told", "silent"]);
    expect(count(await world.show(), "●")).toBe(1);
    expect(await world.show("reminders--main")).toContain("HEARTBEAT_OK");
  });

  test("[E701] after kill -9, an interrupted notification is sent once", async () => {
    await using world = await setup();
    const daemon = await world.serve();
    await remind(world.home, "The tea is ready");
    await world.model.asked();
    await daemon.end("SIGKILL");
    const next = await world.serve();
    finish(await world.model.asked(), "Your tea is ready.");
    await expect.poll(world.ended).toEqual(["told"]);
    await next.end("SIGKILL");
    await using _last = await world.serve();
    await remind(world.home, "Another");
    finish(await world.model.asked(), "HEARTBEAT_OK");
    await expect.poll(world.ended).toEqual(["told", "silent"]);
    expect(count(await world.show(), "Your tea is ready.")).toBe(1);
  });
});

describe.skipIf(pty === undefined)("reminders in a terminal", () => {
  test("[E700] an open chat shows it as it comes, and so does one opened later", async () => {
    await using world = await openChatWorld({ through: "daemon" });
    await world.talk("hello", "Good morning.");
    await remind(world.home, "The tea is ready");
    finish(await world.model.asked(), "Your tea is ready.");
    await world.terminal.see("● reminder: Your tea is ready.");
    await using later = world.open();
    await later.see("● reminder: Your tea is ready.");
  });

  test("[E703] shows that a background command has ended, and the agent reports the result", async () => {
    await using world = await openChatWorld({ through: "daemon" });
    const { terminal, model } = world;
    world.say("build it");
    const code = 'return await tools.exec({ command: "sleep 2; exit 3", background: true });';
    (await model.asked()).call("run_code", { code });
    await terminal.see("Approve? [y]es");
    terminal.type(`y${KEYS.enter}`);
    finish(await model.asked(), "It is being built.");
    await terminal.see(
      /● process: The command `sleep 2; exit 3` in the background has ended with exit\s+code 3\./,
    );
    const heard = await model.asked();
    expect(JSON.stringify(heard.messages.at(-1))).toContain("come to an end");
    finish(heard, "The build has failed.");
    await terminal.see("The build has failed.");
    expect(count(terminal.text(), "Deputy's heartbeat")).toBe(0);
  });
});
