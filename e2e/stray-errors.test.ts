import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

const PLUGIN = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
const tool = (run) => defineTool({ description: "Strays", approval: "auto", effect: "read", args: z.object({}), run });
const later = () => new Promise((resolve) => setImmediate(resolve));
export default {
  reject: tool(async () => { void Promise.reject(new Error("stray\\u202e with ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a")); await later(); return 7; }),
  explode: tool((_input, { signal }) => new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    setTimeout(() => { throw new Error("boom"); }, 1);
  })) };`;

function setup() {
  const home = scratchDirectory();
  const plugin = join(home.path, "stray.ts");
  writeFileSync(plugin, PLUGIN);
  writeFileSync(join(home.path, "config.json"), JSON.stringify({ toolSources: ["./stray.ts"] }));
  const exec = async (code: string, ...more: string[]) => {
    const cell = join(home.path, "cell.ts");
    writeFileSync(cell, code);
    return await runDeputy(["exec", cell, "--home", home.path, ...more]);
  };
  const run = async (code: string) =>
    await runDeputy(["run", `\`\`\`ts\n${code}\n\`\`\``, "--home", home.path], {
      env: { DEPUTY_MODEL: "rehearsal/tour" },
    });
  return { exec, run, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E404] a rejection that a tool leaves to nobody is told on one line; exec and run go on", async () => {
  using world = setup();
  const asLines = (code: string) => world.exec(code, "--json");
  for (const go of [asLines, world.run]) {
    const { code, stdout, stderr } = await go("return await tools.reject({});");
    expect(code).toBe(0);
    expect(stdout).toContain("7");
    if (go === asLines)
      for (const line of stdout.trim().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const told = stderr.split("\n").filter((line) => line.includes("stray"));
    expect(told).toEqual([
      expect.stringContaining(
        "deputy: A tool failed where nothing waited for it: stray\\u{202e} with [redacted]",
      ),
    ]);
    expect(stderr).not.toMatch(/node:internal|triggerUncaught|^ +at /m);
  }
});

test("[E404] an exception that nobody catches ends the command in order, and as failed", async () => {
  using world = setup();
  const { code, stderr } = await world.exec("return await tools.explode({});");
  expect(code).toBe(1);
  expect(stderr).toContain("deputy: A tool failed where nothing waited for it: boom");
  expect(stderr).not.toMatch(/node:internal|^ +at /m);
  // It has let go of the home.
  expect((await world.exec("return 1;")).code).toBe(0);
});
