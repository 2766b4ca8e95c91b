import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { count, finish, openChatWorld as setup, READY } from "./chat-world.ts";
import type { PacedAnswer } from "./paced-model.ts";
import { KEYS, openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, PLUGIN, runDeputy, scratchDirectory } from "./run-deputy.ts";

const NAME = "in a terminal (skipped where it has no pseudo-terminals)";

describe.skipIf(pty === undefined)(NAME, () => {
  test("[E300] shows and renders text as it is written", async () => {
    await using world = await setup();
    const { terminal } = world;
    world.say("hello");
    const answer = await world.model.asked();
    answer.write("# A title\n\nThe **first** part is");
    await terminal.see("The first part");
    expect(terminal.text()).not.toContain("**");
    expect(terminal.text()).toMatch(/[◐◓◑◒] working \d+ s, Ctrl-C stops/);
    answer.write(" here and the rest.\n\n- one\n- two\n\n```ts\nconst x = 1;\n```\n");
    answer.end();
    await terminal.see("1.2k in, 34 out");
    expect(terminal.text()).toMatch(
      /A title\n+The first part is here and the rest\.\n+• one\n• two\n+ {2}ts\n {2}const x = 1;/,
    );
    await expect.poll(() => terminal.text()).not.toContain("working");
    expect(count(terminal.text(), "The first part")).toBe(1);
  });

  test("[E301] no escape sequence of the model reaches the terminal, in pieces or whole", async () => {
    await using world = await setup();
    const { terminal } = world;
    world.say("hello");
    const answer = await world.model.asked();
    answer.write("before \u001b");
    answer.write("]0;owned\u0007 \u001b[2J\u009b31m \u202eevil [x](\u001b]8;;http://a) end of it");
    await terminal.see("end of");
    answer.end();
    await terminal.see("34 out");
    for (const written of ["\u001b]0;owned", "\u001b]8;;http://a", "\u009b", "\u202e"])
      expect(terminal.written()).not.toContain(written);
    expect(terminal.text()).toContain("\\u{1b}]0;owned\\u{7} \\u{1b}[2J\\u{9b}31m");
  });

  const line = (n: number): string => `Line number ${n} of it.`;
  const write = (answer: PacedAnswer, from: number, to: number): void => {
    for (let n = from; n <= to; n++) answer.write(`${line(n)}\n\n`);
  };
  const expectOnce = (text: string, lines: number): void => {
    for (let n = 1; n <= lines; n++) expect(count(text, line(n)), line(n)).toBe(1);
  };

  test("[E302] a long answer is in the scrollback once, even if the window is resized meanwhile", async () => {
    await using world = await setup({ columns: 60, rows: 15 });
    const { terminal } = world;
    world.say("a long one");
    const answer = await world.model.asked();
    write(answer, 1, 60);
    await terminal.see(line(59));
    terminal.resize(34, 12);
    write(answer, 61, 120);
    await terminal.see(line(119));
    terminal.resize(100, 30);
    answer.end();
    await terminal.see("34 out");
    await terminal.quiet();
    expectOnce(terminal.text(), 120);
    expect(count(terminal.text(), "working")).toBe(0);
    expect(count(terminal.text(), "a long one")).toBe(1);
  });

  test("[E311] resizing keeps other programs' output, and duplicates nothing", async () => {
    const theirs = (n: number): string => `Somebody else's line ${n}.`;
    const left = Array.from({ length: 40 }, (_, n) => `${theirs(n)}\n`).join("");
    await using world = await setup({ columns: 60, rows: 15, left });
    const { terminal } = world;
    world.say("a long one");
    const answer = await world.model.asked();
    write(answer, 1, 60);
    await terminal.see(line(59));
    for (const [columns, rows] of [
      [34, 12],
      [90, 12],
      [90, 30],
      [40, 9],
    ] as const) {
      await terminal.quiet();
      // Right after the time of the turn was drawn, as happens to one who drags a window.
      await terminal.beat();
      terminal.resize(columns, rows);
    }
    await terminal.quiet();
    world.say("and go on");
    await terminal.see("> and go on");
    await terminal.quiet();
    write(answer, 61, 120);
    answer.end();
    finish(await world.model.asked(), "I did.");
    await terminal.see("I did.");
    await terminal.quiet();
    terminal.resize(100, 30);
    await terminal.quiet();
    expectOnce(terminal.text(), 120);
    for (let n = 0; n < 40; n++) expect(count(terminal.text(), theirs(n)), theirs(n)).toBe(1);
    for (const once of ["a long one", "> and go on", "I did."])
      expect(count(terminal.text(), once), once).toBe(1);
    expect(terminal.written()).not.toContain("\u001b[3J");
    // On request, all of it is drawn again.
    terminal.type(KEYS.details);
    await terminal.quiet();
    expectOnce(terminal.text(), 120);
  });

  test("[E303] asks about a plan in place; a part is approved, and calls are rows", async () => {
    await using world = await setup();
    const { terminal } = world;
    await terminal[Symbol.asyncDispose]();
    await using rehearsal = openTerminal(["--home", world.home], { columns: 100, rows: 30 });
    await rehearsal.see(READY);
    rehearsal.type(`Close all issues older than 90 days${KEYS.enter}`);
    await rehearsal.see("or some, as in 1,3-5:");
    for (const part of [
      "? Close 3 issues in acme/website",
      "asked by “Close all issues older than 90 days”",
      "1. #1 Search finds nothing on Safari",
      "3. #3 Dark mode flickers",
      "each line: issueNumber, title",
    ])
      expect(rehearsal.text()).toContain(part);
    rehearsal.type(`d${KEYS.enter}`);
    await rehearsal.see("issueNumber: 3");
    rehearsal.type(`yes please do${KEYS.enter}`);
    await rehearsal.see("That is no answer");
    rehearsal.type(`1,3 still wanted${KEYS.enter}`);
    await rehearsal.see("Left open 1");
    await rehearsal.quiet();
    expect(rehearsal.text()).toContain("2 of 3 approved by terminal");
    expect(rehearsal.text()).toMatch(/✓ github\.issues\.list {2}\d+ ms/);
    expect(rehearsal.text()).toMatch(/⊘ github\.issues\.close {2}still wanted/);
    expect(rehearsal.text()).toMatch(/▸ program, \d+ lines/);
    expect(rehearsal.text()).not.toContain("const cutoff");
    rehearsal.type(KEYS.details);
    await rehearsal.see("const cutoff");
    rehearsal.type(KEYS.details);
    await rehearsal.see(/^(?![\s\S]*const cutoff)/);
    expect(count(rehearsal.text(), "? Close 3 issues")).toBe(2);
  });

  test("[E862] calls of a plan are chosen with keys; none is until it is marked", async () => {
    using home = scratchDirectory();
    await using rehearsal = openTerminal(["--home", home.path], { columns: 100, rows: 30 });
    await rehearsal.see(READY);
    rehearsal.type(`Close all issues older than 90 days${KEYS.enter}`);
    await rehearsal.see("or some, as in 1,3-5:");
    rehearsal.type(KEYS.down);
    await rehearsal.see("❯ [ ] 1. #1 Search finds nothing on Safari");
    rehearsal.type(KEYS.enter);
    await rehearsal.see("none is marked");
    rehearsal.type(" ");
    await rehearsal.see("❯ [x] 1. #1");
    rehearsal.type(KEYS.down);
    rehearsal.type(KEYS.down);
    rehearsal.type(" ");
    await rehearsal.see("Enter approves 2 of 3");
    rehearsal.type(KEYS.enter);
    await rehearsal.see("2 of 3 approved by terminal");
    await rehearsal.see("Left open 1");
    expect(rehearsal.text()).not.toContain("[x]");
  });

  test("[E304] Ctrl-C stops the turn and stays; twice leaves", async () => {
    await using world = await setup();
    const { terminal } = world;
    const answering = await world.begin("hello", "So far so good");
    terminal.type(KEYS.interrupt);
    await answering.gone;
    await terminal.see("Stopped by user");
    world.say("go on");
    const next = await world.model.asked();
    expect(next.messages.at(-1)?.content).toContain("go on");
    finish(next, "Here I am.");
    await terminal.see("Here I am.");
    terminal.type(KEYS.interrupt);
    await terminal.see("Ctrl-C again leaves.");
    terminal.type(KEYS.interrupt);
    expect(await terminal.ended()).toBe(0);
    expect(count(terminal.text(), "Here I am.")).toBe(1);
  });

  test("[E304] twice during a turn leaves, and its end is in the log", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.begin("hello", "So far so good");
    terminal.type(KEYS.interrupt);
    terminal.type(KEYS.interrupt);
    expect(await terminal.ended()).toBe(0);
    const lines = await world.transcript();
    expect(lines.at(-1)).toMatchObject({ type: "turn", error: { code: "aborted" } });
  });

  test("[E304] SIGTERM during a turn ends both, and restores the terminal", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.begin("hello", "So far so good");
    process.kill(terminal.pid, "SIGTERM");
    expect(await terminal.ended()).toBe(0);
    // The cursor is back, and pastes are no longer marked.
    expect(terminal.written().lastIndexOf("\u001b[?25h")).toBeGreaterThan(
      terminal.written().lastIndexOf("\u001b[?25l"),
    );
    expect(terminal.written()).toContain("\u001b[?2004l");
    expect((await world.transcript()).at(-1)).toMatchObject({ type: "turn", error: { code: "aborted" } });
  });

  test("[E305] text typed during a turn joins it", async () => {
    await using world = await setup();
    const { terminal } = world;
    world.say("count to three");
    const answer = await world.model.asked();
    answer.write("One, and");
    await terminal.see("One,");
    world.say("in French");
    // Below what is being written, then and afterwards.
    await terminal.see(/One,\n+> in French/);
    answer.write(" two, three.");
    answer.end();
    const second = await world.model.asked();
    expect(JSON.stringify(second.messages)).toContain("in French");
    finish(second, "Un, deux, trois.");
    const inOrder = /count to three\n+One, and two, three\.\n+> in French\n+Un, deux, trois\./;
    await terminal.see(inOrder);
    expect(count(terminal.text(), "> in French")).toBe(1);
    terminal.type(`/exit${KEYS.enter}`);
    expect(await terminal.ended()).toBe(0);
    const sessions = jsonLines(
      (await runDeputy(["sessions", "list", "--json", "--home", world.home])).stdout,
    );
    expect(sessions).toMatchObject([{ key: "terminal--default", turns: 1 }]);
    await using again = world.open();
    await again.see(inOrder);
  });

  test("[E861] what is typed before the chat is drawn is there, and what was sent is said", async () => {
    await using world = await setup({ through: "daemon" });
    await using early = openTerminal(["--home", world.home, "--session", "early"], { env: world.env });
    early.type(`/usage${KEYS.enter}and then`);
    await early.see("This session: 0 model calls");
    await early.see(/─\nand then\n─/);
  });

  test("[E861] the chat begins in a line of its own, whatever the terminal has echoed by then", async () => {
    using home = scratchDirectory();
    await using terminal = openTerminal(["--home", home.path], { left: "$ deputy\ntyped early" });
    await terminal.see("/help ·");
    const begun = ["$ deputy", "typed early", "Deputy. Say what you want; /help shows the commands."];
    expect(terminal.lines().slice(0, 3)).toEqual(begun);
  });

  test("[E953] Tab completes the path of a file of the workspace, and Enter right behind it sends that", async () => {
    using home = scratchDirectory();
    using folder = scratchDirectory();
    writeFileSync(join(folder.path, "zebras.md"), "Striped.");
    await runDeputy(["workspace", "import", folder.path, "--home", home.path]);
    await using terminal = openTerminal(["--home", home.path]);
    await terminal.see("/help ·");
    terminal.type("read @zeb\t");
    await terminal.see(/─\nread @zebras\.md\s*\n─/);
    terminal.type(`${KEYS.interrupt}now @zeb\t${KEYS.enter}`);
    await terminal.see("> now @zebras.md");
  });

  test("[E306] [E770] begins, lists and switches sessions, chooses how much the model reasons; the up key brings back earlier input", async () => {
    await using world = await setup();
    const { terminal } = world;
    await world.talk("the first", "Answer one.");
    world.say("/switch work");
    await terminal.see("this is a new one: terminal--work.");
    await world.talk("the second", "Answer two.");
    world.say("/sessions");
    await terminal.see(/\* terminal--work .*the second/);
    world.say("/switch default");
    await terminal.see("Going on with terminal--default");
    await terminal.see(/Answer one\.[\s\S]*Answer one\./);
    world.say("/usage");
    await terminal.see("This session: 1 model call, 1.2k in, 34 out.");
    world.say("/effort");
    await terminal.see("The effort of this conversation is what the settings say.");
    world.say("/effort high");
    await terminal.see("From the next turn on, the effort is high.");
    terminal.type("/mo\t");
    await terminal.see(/─\n\/model/);
    terminal.type(KEYS.enter);
    await terminal.see("The model of this conversation is that of the agent.");
    world.say("/model no/such");
    await terminal.see("This model is not among those to choose from");
    terminal.type(`/tas\t${KEYS.enter}`);
    await terminal.see("There are no tasks.");
    world.say("/approvals");
    await terminal.see("No question waits for an answer.");
    world.say("/frobnicate");
    await terminal.see("There is no command /frobnicate");
    terminal.type(KEYS.up);
    await terminal.quiet();
    terminal.type(`${KEYS.lineEnd} again${KEYS.newLine}and more${KEYS.enter}`);
    const asked = await world.model.asked();
    expect(asked.messages.at(-1)?.content).toContain("the first again\nand more");
    expect(asked.effort).toBe("high");
  });

  test("[E312] earlier input of a session comes back after a restart, also by a part of it", async () => {
    await using world = await setup();
    await world.talk("buy oat milk", "Bought.");
    await world.talk("read the news", "Read.");
    world.say("/exit");
    await world.terminal.ended();
    await using next = world.open();
    await next.see("Going on with terminal--default");
    await next.see("Read.");
    next.type(`milk${KEYS.find}`);
    await next.see(/─\nbuy oat milk\n─/);
    next.type(KEYS.enter);
    expect((await world.model.asked()).messages.at(-1)?.content).toMatch(/^buy oat milk\n\nDeputy says: /);
  });

  test("[E307] NO_COLOR prints no colours, and a narrow window works", async () => {
    await using world = await setup({ columns: 18, rows: 8, env: { NO_COLOR: "1" } });
    const { terminal } = world;
    world.say("hi");
    const answer = await world.model.asked();
    answer.write(
      "# Überschrift\n\nEin **sehr** langes Wort: Donaudampfschifffahrtsgesellschaft 日本語日本語日本語日本語\n",
    );
    answer.end();
    await terminal.see("gesellschaft");
    terminal.resize(3, 4);
    await terminal.quiet();
    terminal.resize(18, 8);
    await terminal.quiet();
    terminal.type(KEYS.details);
    await terminal.see("Überschrift");
    expect(terminal.written()).not.toMatch(/\u001b\[(?:3\d|9\d|1|2)m/);
    terminal.type(KEYS.end);
    expect(await terminal.ended()).toBe(0);
  });

  test("[E308] --plain draws nothing: prints complete lines, and Ctrl-C works as elsewhere", async () => {
    await using world = await setup({ args: ["--plain"] });
    const { terminal } = world;
    world.say("hello");
    const answer = await world.model.asked();
    answer.write("The first line.\nThe second");
    await terminal.see("The first line.");
    expect(terminal.text()).not.toContain("The second");
    world.say("and more");
    answer.write(" line.\n");
    answer.end();
    const second = await world.model.asked();
    expect(JSON.stringify(second.messages)).toContain("and more");
    terminal.type(KEYS.interrupt);
    await second.gone;
    await terminal.see("Stopped by user");
    await terminal.quiet();
    expect(count(terminal.text(), "The first line.")).toBe(1);
    // Nothing moves up, and only typed text is cleared.
    expect(terminal.written()).not.toMatch(/\u001b\[\d*[AFH]|\u001b\[[23]J|\u001b\[\?/);
    world.say("/exit");
    expect(await terminal.ended()).toBe(0);
  });

  test("[E309] text typed when a question comes does not answer it, and comes back after it", async () => {
    await using world = await setup({ plugins: [PLUGIN] });
    const { terminal } = world;
    terminal.type(`close it${KEYS.enter}`);
    const answer = await world.model.asked();
    terminal.type("y");
    await terminal.quiet();
    answer.call("run_code", { code: "return await tools.github.issues.close({ issueNumber: 1 });" });
    await terminal.see("Approve? [y]es, [n]o");
    terminal.type(KEYS.enter);
    await terminal.quiet();
    expect(terminal.text()).not.toContain("approved by");
    terminal.type(`n not now${KEYS.enter}`);
    await terminal.see("denied by terminal");
    const second = await world.model.asked();
    finish(second, "Fine.");
    await terminal.see("/help ·");
    terminal.type(KEYS.enter);
    const third = await world.model.asked();
    expect(third.messages.at(-1)?.content).toMatch(/^y\n\nDeputy says: /);
  });
});

test("[E310] reports a home without sessions, with exit code 0", async () => {
  using home = scratchDirectory();
  const list = await runDeputy(["sessions", "list", "--home", home.path]);
  expect(list).toMatchObject({ code: 0, stdout: "" });
  expect(list.stderr).toContain("There are no sessions yet.");
  expect(await runDeputy(["sessions", "list", "--json", "--home", home.path])).toMatchObject({
    code: 0,
    stdout: "",
  });
});
