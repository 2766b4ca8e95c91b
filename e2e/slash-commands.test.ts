import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLUGIN, runDeputy, scratchDirectory } from "./run-deputy.ts";

test("[E132] a prompt of the user's is said by its name, listed by /help, and found by programs", async () => {
  using home = scratchDirectory();
  mkdirSync(join(home.path, "commands"));
  const text = "---\ndescription: Greets somebody\nargument-hint: NAME\n---\nSay good morning to $1, twice.";
  writeFileSync(join(home.path, "commands", "greet.md"), text);
  const env = { DEPUTY_MODEL: "rehearsal/tour" };
  const say = async (input: string) => {
    const { code, stdout, stderr } = await runDeputy(["--home", home.path], { input, env });
    return { code, shown: stdout + stderr };
  };

  expect((await say("/help\n")).shown).toMatch(/\/greet NAME +Greets somebody/);
  expect((await say("/nothing here\n")).shown).toContain("There is no command /nothing");
  expect((await say('/greet "Ada L."\n')).code).toBe(0);
  const found = await runDeputy(["sessions", "search", "good morning", "--home", home.path]);
  expect(found.stdout).toContain("Say good morning to Ada L., twice.");

  const cell = join(home.path, "cell.ts");
  writeFileSync(cell, `return await tools.slash_command.expand({ name: "greet", arguments: "Bo" });`);
  const run = await runDeputy(["exec", cell, "--home", home.path]);
  expect(run.stdout).toContain("Say good morning to Bo, twice.");
});

test("[E306] without a terminal, too: a session that was not there is said to be new, and a slash alone helps", async () => {
  using home = scratchDirectory();
  const input = "/switch wrok\n/switch wrok\n/\n/EXIT\nnever said\n";
  const { code, stderr } = await runDeputy(["--home", home.path], {
    input,
    env: { DEPUTY_MODEL: "rehearsal/tour" },
  });
  expect(code).toBe(0);
  expect(stderr.match(/this is a new one: terminal--wrok\./g)).toHaveLength(1);
  expect(stderr).toContain("Going on with terminal--wrok");
  expect(stderr).toMatch(/\/sessions +the sessions used last/);
  const found = await runDeputy(["sessions", "search", "never", "--home", home.path]);
  expect(found.stdout).not.toContain("never said");
});

test("[E303] without a terminal, too: an answer to a part of a plan says how much it left out", async () => {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: [PLUGIN] }));
  const program = `for (const issueNumber of [1, 2, 3])
  try { await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber }); } catch {}`;
  const input = `\`\`\`ts\n${program}\n\`\`\`\n1,3\n/exit\n`;
  const { stderr } = await runDeputy(["--home", home.path], { input });
  expect(stderr).toContain("  2 of 3 approved by terminal\n");
});
