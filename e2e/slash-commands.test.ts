import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLUGIN, runDeputy, scratchDirectory } from "./run-deputy.ts";

test("[E132] a user's prompt is used by its name, listed by /help, and found by programs", async () => {
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

test("[E306] the same without a terminal: says that a session is new, and a lone slash shows help", async () => {
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
  expect(stderr, "nobody is there whom a prompt would ask").not.toMatch(/^> |… /m);
  const found = await runDeputy(["sessions", "search", "never", "--home", home.path]);
  expect(found.stdout).not.toContain("never said");
});

test("[E303] the same without a terminal: a partial answer to a plan says how much it left out", async () => {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: [PLUGIN] }));
  const program = `for (const issueNumber of [1, 2, 3])
  try { await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber }); } catch {}`;
  const input = `\`\`\`ts\n${program}\n\`\`\`\n1,3\n/exit\n`;
  const { stderr } = await runDeputy(["--home", home.path], { input });
  expect(stderr).toContain("  2 of 3 approved by terminal\n");
});

test("[E313] what is allowed for longer is listed in words, and taken back by its number", async () => {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: [PLUGIN] }));
  const close = `await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });`;
  const program = `\`\`\`ts\n${close}\n\`\`\`\n`;
  const input = `/grants\n${program}s\n/grants\n/revoke 2\n/revoke 1\n/revoke 1\n/grants\n${program}n\n/exit\n`;
  const { stderr } = await runDeputy(["--home", home.path], { input });
  const said = stderr.split("\n");
  expect(
    said.filter((line) => line.startsWith("You have allowed nothing in this conversation")),
  ).toHaveLength(2);
  expect(
    said.filter((line) => /^ {2}1\. .*github\.issues\.close.*: this tool for this conversation$/.test(line)),
  ).toHaveLength(1);
  expect(stderr).toContain("There is no grant 2; /grants lists what there is.");
  expect(stderr.match(/Revoked: .*github\.issues\.close/g)).toHaveLength(1);
  expect(stderr).toContain("There is no grant 1;");
  expect(stderr.match(/Approve\?/g)).toHaveLength(2);
  expect(stderr).not.toMatch(/[0-9a-f]{12}/);
});
