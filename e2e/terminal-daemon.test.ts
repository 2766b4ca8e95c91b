import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { describe, expect, test } from "vitest";
import { openDaemonLink } from "../packages/client/src/daemon-link.ts";
import { count, finish, openChatWorld, READY } from "./chat-world.ts";
import { KEYS, openTerminal, pty } from "./pseudo-terminal.ts";
import {
  homeWithoutEmbedder,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDaemon,
  TOKEN,
} from "./run-deputy.ts";

const setup = (options: Parameters<typeof openChatWorld>[0] = {}) =>
  openChatWorld({ ...options, through: "daemon" });

describe.skipIf(pty === undefined)("a chat through the daemon, in a terminal", () => {
  test("[E381] attaches, streams, keeps its session's key, and others work beside it", async () => {
    await using world = await setup();
    const { terminal } = world;
    await terminal.see("Through the daemon at http://127.0.0.1:");
    const answering = await world.begin("hello", "The first part is here");
    finish(answering, " **the rest**.\n");
    await terminal.see("The first part is here and the rest.");
    await terminal.see("1.2k in, 34 out");
    await terminal.see("terminal--default");
    world.say("/usage");
    await terminal.see("This session: 1 model call, 1.2k in, 34 out.");
    const list = await runDeputy(["sessions", "list", "--json", "--home", world.home]);
    expect(jsonLines(list.stdout)).toMatchObject([
      { key: "terminal--default", channel: "terminal", turns: 1 },
    ]);
    for (const command of [["tasks"], ["approvals"], ["usage"], ["sessions", "show", "default"]])
      expect(await runDeputy([...command, "--home", world.home]), command.join(" ")).toMatchObject({
        code: 0,
      });
  });

  test("[E381] [E770] begins, lists and switches sessions and chooses an effort as without it", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.talk("the first", "First answer.");
    world.say("/effort low");
    await terminal.see("From the next turn on, the effort is low.");
    world.say("/effort");
    await terminal.see("The effort of this conversation is low.");
    world.say("/switch work");
    await terminal.see("terminal--work");
    await world.talk("in the other", "Third answer.");
    world.say("/sessions");
    await terminal.see(/\* terminal--work .*in the other/);
    world.say("/switch default");
    await terminal.see("Going on with terminal--default: 1 turn");
    world.say("/new");
    await terminal.see("A new session.");
    world.say("/switch nobody--knows");
    await terminal.see("There is no session");
    terminal.type(`/exit${KEYS.enter}`);
    expect(await terminal.ended()).toBe(0);
  });

  test("[E382] answers a plan in part, with a reason, as without a daemon", async () => {
    using home = scratchDirectory();
    await using _daemon = await startDaemon(home.path);
    await using terminal = openTerminal(["--home", home.path], {
      columns: 100,
      rows: 30,
      env: { DEPUTY_TOKEN: TOKEN },
    });
    await terminal.see(READY);
    terminal.type(`Close all issues older than 90 days${KEYS.enter}`);
    await terminal.see("or some, as in 1,3-5:");
    terminal.type(`1,3 still wanted${KEYS.enter}`);
    await terminal.see("Left open 1");
    await terminal.see("/help ·");
    expect(terminal.text()).toMatch(/✓ github\.issues\.list {2}\d+ ms/);
    expect(terminal.text()).toMatch(/⊘ github\.issues\.close {2}still wanted/);
    expect(terminal.text()).toContain("approved by owner");
  });

  test("[E383] Ctrl-C stops the turn; leaving and coming back shows the turn again", async () => {
    await using world = await setup();
    const { terminal } = world;
    const first = await world.begin("hello", "So far so good");
    terminal.type(KEYS.interrupt);
    await first.gone;
    await terminal.see("Stopped by owner");
    const second = await world.begin("once more", "Half of it");
    world.say("/exit");
    expect(await terminal.ended()).toBe(0);
    await terminal.see("The turn goes on in the daemon");
    await using back = world.open();
    await back.see("Going on with terminal--default");
    await back.see("Half of it");
    await back.see("working");
    finish(second, " all of it.");
    await back.see("Half of it and all of it.");
    await back.see("/help ·");
    expect(count(back.text(), "Half of it")).toBe(1);
  });

  test("[E384] after kill -9 of the daemon during an answer, says so and continues when it is back", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.talk("the first", "Answer one.");
    await world.begin("the second", "Half an ans");
    await world.daemon?.end("SIGKILL");
    await terminal.see("The connection to the daemon has ended. Waiting for it to come back");
    world.say("/help");
    await terminal.see("this");
    await using _next = await world.serve();
    await terminal.see("The daemon is back.");
    const again = await world.model.asked();
    expect(JSON.stringify(again.messages)).toContain("the second");
    finish(again, "The whole answer.");
    await terminal.see("The whole answer.");
    await terminal.see("/help ·");
    for (const part of ["Answer one.", "> the second", "The whole answer.", "> the first"])
      expect(count(terminal.text(), part), part).toBe(1);
    expect(terminal.text()).not.toContain("Half an ans");
    await world.talk("the third", "Answer three.");
    const { length: turns } = (await world.transcript()).filter(({ role }) => role === "user");
    expect(turns).toBe(3);
  });

  test("[E384] accepts messages while the daemon is away, and sends them once it is back", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.daemon?.end("SIGTERM");
    await terminal.see("Waiting for it to come back");
    world.say("are you there?");
    await using _next = await world.serve();
    finish(await world.model.asked(), "I am back.");
    await terminal.see("I am back.");
    expect(count(terminal.text(), "> are you there?")).toBe(1);
  });

  test("[E384] a new token ends the connection, and it reconnects with that", async () => {
    using home = scratchDirectory();
    await using _daemon = await startDaemon(home.path, [], {});
    await using terminal = openTerminal(["--home", home.path]);
    await terminal.see(READY);
    writeFileSync(join(home.path, "token"), "a-new-token-of-the-owner\n");
    await terminal.see("The daemon is back.");
    terminal.type(`Hello${KEYS.enter}`);
    await terminal.see("I am the rehearsal model");
  });

  test("[E385] two terminals in one session see the same; a question answered in one disappears in the other", async () => {
    await using world = await setup({ plugins: [PLUGIN] });
    const { terminal } = world;
    await using other = world.open();
    await other.see(READY);
    const answering = await world.begin("close it", "Both see");
    await other.see("> close it");
    await other.see("Both see");
    answering.call("run_code", { code: "return await tools.github.issues.close({ issueNumber: 1 });" });
    await terminal.see("Approve? [y]es, [n]o");
    await other.see("Approve? [y]es, [n]o");
    other.type(`n not now${KEYS.enter}`);
    finish(await world.model.asked(), "Done.");
    for (const one of [terminal, other]) {
      await one.see("denied by owner");
      await one.see("Done.");
      await one.see("/help ·");
      expect(one.text()).not.toContain("Approve? [y]es");
    }
  });

  test("[E386] a daemon started beside a local chat says who has the home; the chat continues", async () => {
    await using world = await openChatWorld();
    const refused = await runDeputy(["serve", "--port", "0", "--home", world.home], { env: world.env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/is in use by process \d+/);
    expect(refused.stderr).toContain("Stop that Deputy first");
    await world.talk("still there?", "Yes.");
  });

  test("[E387] --plain uses the daemon too", async () => {
    await using world = await setup({ args: ["--plain"] });
    const { terminal } = world;
    world.say("hello");
    const answering = await world.model.asked();
    answering.write("The first line.\nThe second and");
    await terminal.see("The first line.");
    expect(terminal.text()).not.toContain("The second");
    finish(answering, " last line.");
    await terminal.see("The second and last line.");
    expect(terminal.written()).not.toMatch(/\u001b\[\d*[AFH]|\u001b\[[23]J|\u001b\[\?/);
    world.say("/exit");
    expect(await terminal.ended()).toBe(0);
  });
});

test("[E367] a pipe uses the daemon; a wrong token is reported", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path);
  const env = { DEPUTY_TOKEN: TOKEN };
  const run = await runDeputy(["--home", home.path], { input: "```ts\nreturn 6 * 7;\n```\n/usage\n", env });
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain("42");
  expect(run.stderr).toContain(`Through the daemon at ${daemon.url}`);
  const wrong = await runDeputy(["--home", home.path], {
    input: "hello\n",
    env: { DEPUTY_TOKEN: "another-token-0123456789" },
  });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain("The daemon does not accept the token");
});

test("[E930] what was asked and answered before is not asked again, and takes no line of a pipe", async () => {
  using home = homeWithoutEmbedder();
  await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
  const program = 'return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });';
  const env = { DEPUTY_TOKEN: TOKEN };
  const talk = (input: string) => runDeputy(["--home", home.path], { input, env });
  const first = await talk(`\`\`\`ts\n${program}\n\`\`\`\ny\n`);
  expect(first.stderr).toContain("Approve?");
  for (const line of ["y", "no"]) {
    const again = await talk(`${line}\n`);
    expect(again.stderr).toContain("Going on with");
    expect(again.stderr).not.toContain("Approve?");
  }
  const { stdout } = await runDeputy(["sessions", "show", "default", "--home", home.path], { env });
  expect(stdout).toMatch(/^.*\by$[^]*^.*\bno$/m);
  expect(daemon.told()).toBe("");
});

test("[E368] gives up on a daemon that does not come back, with a clear message about what waits", async () => {
  using home = scratchDirectory();
  await using daemon = await startDaemon(home.path);
  const told: string[] = [];
  const clock = createFakeClock();
  const never = new AbortController().signal;
  let isThere = true;
  const find = async () => (isThere ? { url: daemon.url, token: TOKEN } : undefined);
  using link = await openDaemonLink({ find, clock, tell: (text) => void told.push(text) }, never);
  expect(await link.call("health.check", {}, "once", never)).toMatchObject({ status: "ok" });
  isThere = false;
  await daemon.end("SIGKILL");
  const waiting = link.call("sessions.list", {}, "safe_to_repeat", never);
  const settled = new AbortController();
  void Promise.allSettled([waiting]).then(() => settled.abort());
  while (!settled.signal.aborted) {
    await clock.advance(500);
    // Connecting takes real time.
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await expect(waiting).rejects.toMatchObject({
    code: "daemon_gone",
    message: "The daemon did not come back within 60 s",
  });
  expect(told).toEqual([expect.stringContaining("Waiting for it to come back")]);
});
