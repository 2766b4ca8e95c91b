import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectOutput, jsonLines, runDeputy, scratchDirectory, startDeputy } from "./run-deputy.ts";

function setup() {
  const home = scratchDirectory();
  const settings = { tools: { bash: { sandbox: "none" } } };
  writeFileSync(join(home.path, "config.json"), JSON.stringify(settings));
  const mark = `${process.pid}${Date.now()}`.slice(-9);
  const sleepers = (): string => spawnSync("pgrep", ["-f", `sleep ${mark}`], { encoding: "utf8" }).stdout;
  const write = (code: string): string => {
    const cell = join(home.path, "cell.ts");
    writeFileSync(cell, code);
    return cell;
  };
  const args = (cell: string) => ["exec", cell, "--home", home.path, "--approve", "all"];
  return { home: home.path, mark, sleepers, write, args, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E131] a command runs while its program does other things, and ends with Deputy", async () => {
  using world = setup();
  const cell = world.write(`
    const long = await tools.exec({ command: "sleep ${world.mark}", background: true });
    const short = await tools.exec({ command: "echo $((6 * 7))" });
    const listed = await tools.process.list();
    return { long: long.status, short: short.stdout, listed: listed.map(({ status }) => status) };
  `);
  const { code, stdout } = await runDeputy([...world.args(cell), "--json"]);
  expect(code).toBe(0);
  expect(JSON.stringify(jsonLines(stdout))).toContain('"short":"42\\n"');
  expect(JSON.stringify(jsonLines(stdout))).toContain('"listed":["running"]');
  await expect.poll(world.sleepers).toBe("");
  expect(readdirSync(world.home)).not.toContain("processes");
});

test("[E131] after kill -9, the next start ends what still ran, and tells its session", async () => {
  using world = setup();
  const cell = world.write(`
    await tools.exec({ command: "sleep ${world.mark}", background: true });
    return await tools.exec({ command: "sleep ${world.mark}", yieldMs: 60000 });
  `);
  const child = startDeputy(world.args(cell));
  const output = collectOutput(child);
  await expect.poll(() => world.sleepers().trim().split("\n").length, { timeout: 90_000 }).toBe(2);
  child.kill("SIGKILL");
  await output;
  expect(world.sleepers()).not.toBe("");
  expect(readdirSync(world.home)).toContain("processes");

  const next = world.write("return 1;");
  expect((await runDeputy(world.args(next))).code).toBe(0);
  await expect.poll(world.sleepers).toBe("");
  const found = await runDeputy(["sessions", "search", "killed", "--home", world.home]);
  expect(found.stdout).toContain("It has been killed now; what it did is unknown");
});
