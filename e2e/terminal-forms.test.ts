import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { READY } from "./chat-world.ts";
import { KEYS, openTerminal, type PseudoTerminal, pty } from "./pseudo-terminal.ts";
import { ROOT } from "./repository.ts";
import { runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const NAME = "in a terminal (skipped where it has no pseudo-terminals)";
const SERVER = join(ROOT, "e2e/form-server.ts");
const PROGRAM = ["```ts", "return await tools.shop.order({})", "```"];

/** A home with a server whose only tool asks for seven values. */
async function openShop() {
  const home = scratchDirectory();
  const added = await runDeputy(
    ["--home", home.path, "tools", "add", "mcp", "shop", "--yes", "--", process.execPath, SERVER],
    {},
  );
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("Added shop: 1 tool, ") });
  return { home: home.path, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

/** The program runs, and the server has asked. */
async function order(terminal: PseudoTerminal): Promise<void> {
  await terminal.see(READY);
  terminal.type(PROGRAM.join(KEYS.newLine) + KEYS.enter);
  await terminal.see("Approve? [y]es");
  terminal.type(`y${KEYS.enter}`);
  await terminal.see("Answer? [f]ill it in, [n]o, [d]etails:");
}

/** Types a line, and waits for what it leads to. */
async function line(terminal: PseudoTerminal, typed: string, wanted: string | RegExp): Promise<void> {
  terminal.type(typed + KEYS.enter);
  await terminal.see(wanted);
}

describe.skipIf(pty === undefined)(NAME, () => {
  test("[E975] a server's form is filled in value by value, seen whole, and sent", async () => {
    using shop = await openShop();
    await using terminal = openTerminal(["--home", shop.home], { columns: 120, rows: 30 });
    await order(terminal);
    await line(terminal, 'a {"mail":"a@b.example"}', "result: size\\u{202e}\\u{200b}: is missing");
    terminal.type(KEYS.lineStart + KEYS.cutToEnd);
    await line(terminal, "y", "Value 1 of 7: one of these, by its number or its name. It must be given.");
    for (const part of [
      "│ size\\u{202e}\\u{200b}: The size\\u{202e}\\u{200b}: Which one?",
      "│   Value 9 of 9: sent already.",
      "┊ Long words",
      "│ 40. s40",
      "“size\\u{202e}\\u{200b}” (/back, /no declines):",
    ])
      expect(terminal.text()).toContain(part);
    await line(terminal, "", "It must be given.");
    await line(terminal, "41", "That is none of the choices.");
    await line(terminal, "40", "Value 2 of 7: a whole number, from 1 to 9.");
    expect(terminal.text()).toContain("(Enter keeps 2, /back, /no declines):");
    await line(terminal, "12", "It must be at most 9.");
    await line(terminal, "two", "This is not a number.");
    await line(terminal, "", "Value 3 of 7: a mail address. It must be given.");
    await line(terminal, "nobody", "It must be a mail address.");
    await line(terminal, "/skip", /mail: Mail[^]*It must be given\./);
    await line(terminal, "a@b.example", "Value 4 of 7: a date, such as 2026-01-31. It may be left out.");
    await line(terminal, "2026-02-30", "It must be a date, such as 2026-01-31.");
    await line(terminal, "2026-02-28", "Value 5 of 7: an address.");
    await line(terminal, "b.example", "It must be a whole address");
    await line(terminal, "/back", '(Enter keeps "2026-02-28", /skip takes it away, /back, /no declines):');
    await line(terminal, "/skip", "“site” (Enter leaves it out");
    await line(terminal, "", "Value 6 of 7: y or n.");
    await line(terminal, "perhaps", "Type y or n.");
    await line(terminal, "no", "Value 7 of 7: some of these, with commas between, at most 2 of them.");
    await line(terminal, "1, 2, 3", "It must have at most 2 items.");
    await line(terminal, "1, bag", "Send it? [y]es, [n]o, or the number of a value to change it:");
    for (const part of [
      '│ 1. size\\u{202e}\\u{200b}: "s40"',
      "│ 2. count: 2",
      "│ 4. day: left out",
      "│ 6. gift: false",
    ])
      expect(terminal.text()).toContain(part);
    await line(terminal, "what?", "or the number of a value to change it.");
    await line(terminal, "2", "“count” (Enter keeps 2");
    await line(terminal, "7", "│ 2. count: 7");
    await line(terminal, "y", "The program ran to its end.");
    const told = terminal.text().replaceAll("\n", "");
    for (const part of [
      '\\"action\\":\\"accept\\"',
      '\\"count\\":7',
      '\\"gift\\":false',
      '\\"extras\\":[\\"bow\\",\\"bag\\"]',
    ])
      expect(told).toContain(part);
    expect(told).not.toContain('\\"day\\"');
    expect(terminal.written()).not.toContain("\u202e");
  });

  test("[E975] [E306] in the middle, a form goes back to its question, and is declined; /approvals lists it", async () => {
    using shop = await openShop();
    await using _daemon = await startDaemon(shop.home, [], { DEPUTY_TOKEN: TOKEN });
    const env = { DEPUTY_TOKEN: TOKEN };
    await using terminal = openTerminal(["--home", shop.home, "--plain"], { columns: 100, env });
    await order(terminal);
    // The same question, from its own conversation and from another.
    const id = /deputy approvals approve (cal_\w+)/;
    await line(terminal, "/approvals", id);
    expect(terminal.text()).toMatch(/shop asks you something \(shop\.order\), here\n/);
    await using other = openTerminal(["--home", shop.home, "--session", "other"], { columns: 100, env });
    await other.see(READY);
    await line(other, "/approvals", id);
    expect(other.text()).toMatch(/shop asks you something \(shop\.order\), ses_\w+\n/);
    expect(id.exec(other.text())?.[1]).toBe(id.exec(terminal.text())?.[1]);
    await line(terminal, "fill", "“size");
    await line(terminal, "/back", /size[^]*Answer\? \[f\]ill it in, \[n\]o, \[d\]etails:$/);
    await line(terminal, "f", "Value 1 of 7");
    await line(terminal, "s3", "“count”");
    await line(terminal, "/no too many questions", "The program ran to its end.");
    expect(terminal.text().replaceAll("\n", "")).toContain('\\"action\\":\\"decline\\"');
  });

  test("[E976] `approvals approve` fills it in, too; what is filled in reaches the server through the daemon", async () => {
    using shop = await openShop();
    await using _daemon = await startDaemon(shop.home, [], { DEPUTY_TOKEN: TOKEN });
    const options = { columns: 100, env: { DEPUTY_TOKEN: TOKEN } };
    await using terminal = openTerminal(["--home", shop.home], options);
    await order(terminal);
    const { stdout } = await runDeputy(["approvals", "--json", "--home", shop.home], { env: options.env });
    const { id } = JSON.parse(stdout) as { id: string };
    await using other = openTerminal(["approvals", "approve", id, "--home", shop.home], options);
    await other.see("“size");
    other.type(KEYS.end);
    expect(await other.ended()).toBe(2);
    expect(other.text()).toContain("Nothing was sent; the question still waits");
    await line(terminal, 'a {"size\\u202e\\u200b":"s2","mail":"a@b.example","count":5}', "ran to its end.");
    expect(terminal.text().replaceAll("\n", "")).toContain('\\"count\\":5');
    expect((await runDeputy(["approvals", "--home", shop.home], { env: options.env })).stderr).toContain(
      "Nothing waits",
    );
  });
});

test("[E977] in a pipe, the values of a form are lines, or JSON; what does not fit is said", async () => {
  using shop = await openShop();
  const talk = (...lines: readonly string[]) =>
    runDeputy(["--home", shop.home], { input: [...PROGRAM, "y", ...lines, ""].join("\n") });
  const filled = await talk("a {}", "f", "s7", "", "a@b.example", "", "", "y", "[]", "y");
  expect(filled.stderr).toContain("That does not fit.");
  expect(filled.stdout.replaceAll("\n", "")).toContain('\\"count\\":2');
  expect(filled.stdout).toContain('\\"gift\\":true');
  const json = await talk('a {"size\\u202e\\u200b":"s1","mail":"a@b.example"}');
  expect(json.stdout).toContain("a@b.example");
  const ended = await talk("f", "s7");
  expect(ended.stdout).toContain('\\"action\\":\\"decline\\"');
});
