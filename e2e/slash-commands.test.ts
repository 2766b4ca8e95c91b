import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

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
