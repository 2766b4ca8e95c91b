import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFakeGitHub } from "@deputy/testing";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

const PLUGIN = join(ROOT, "examples/github/github-plugin.ts");
const TOKEN = "ghp_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e";

/** A home whose plugin speaks to a GitHub on this machine. */
async function setup(credentials: object = { github: { secret: "env:MY_TOKEN", tools: ["github.**"] } }) {
  const home = scratchDirectory();
  const github = await openFakeGitHub({
    token: TOKEN,
    issues: [{ number: 1, title: "One", body: `It is ${TOKEN}` }],
  });
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: [PLUGIN], credentials }));
  const exec = async (code: string) => {
    const cell = join(home.path, "cell.ts");
    writeFileSync(cell, code);
    const env = { GITHUB_API_URL: github.origin, MY_TOKEN: TOKEN };
    return await runDeputy(["exec", cell, "--home", home.path, "--approve", "all"], { env });
  };
  const dispose = async (): Promise<void> => {
    await github[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  };
  return { home: home.path, github, exec, [Symbol.asyncDispose]: dispose };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test("[E130] a plugin's token reaches only the service: no output, no program, no file of the home", async () => {
  await using world = await setup();
  const { code, stdout, stderr } = await world.exec(`
    const one = await tools.github.issues.get({ owner: "acme", repo: "demo", number: 1 });
    await tools.github.issues.comment({ owner: "acme", repo: "demo", number: 1, body: "seen: " + one.body.length });
    return one.body;
  `);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain("It is [redacted]");
  expect(stdout + stderr).not.toContain(TOKEN);
  // The program itself did not get more of it.
  expect(world.github.comments).toEqual([{ number: 1, body: `seen: ${"It is [redacted]".length}` }]);
  const files = filesBelow(world.home);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) expect(readFileSync(file).includes(TOKEN), file).toBe(false);
});

test("[E130] without its credential, a call says what to set, and nothing is sent", async () => {
  const program = `return await tools.github.issues.list({ owner: "acme", repo: "demo" });`;
  await using unset = await setup({});
  const missing = await unset.exec(program);
  expect(missing.code).toBe(1);
  expect(missing.stdout + missing.stderr).toContain("Set credentials.github in config.json");
  await using other = await setup({ github: { secret: "env:MY_TOKEN", tools: ["mail.**"] } });
  const refused = await other.exec(program);
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("is not for github.issues.list");
  expect([...unset.github.calls, ...other.github.calls]).toEqual([]);
});
