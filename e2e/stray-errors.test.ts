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
    return await runDeputy(["exec", cell, "--home", home.path, ...more], { process: "own" });
  };
  const run = async (code: string) =>
    await runDeputy(["run", `\`\`\`ts\n${code}\n\`\`\``, "--home", home.path], {
      env: { DEPUTY_MODEL: "rehearsal/tour" },
      process: "own",
    });
  return { exec, run, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E404] an unhandled rejection of a tool ends its call with a message; exec and run end in order", async () => {
  using world = setup();
  const { code, stdout, stderr } = await world.exec("return await tools.reject({});", "--json");
  expect(code).toBe(1);
  const [result] = stdout.trim().split("\n").slice(-1);
  expect(JSON.parse(result ?? "")).toMatchObject({ status: "failed" });
  expect(stdout).toMatch(/left a rejected promise unhandled: stray.{1,20} with \[redacted\]/);
  expect(stderr).not.toMatch(/node:internal|triggerUncaught|^ +at /m);
  const ran = await world.run("return await tools.reject({}).catch(() => 7);");
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("7") });
});

test("[E404] so does an uncaught exception", async () => {
  using world = setup();
  const { code, stderr } = await world.exec("return await tools.explode({});");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /While explode ran, the plugin .*stray\.ts threw an error that nothing caught: boom/,
  );
  expect(stderr).not.toMatch(/node:internal|^ +at /m);
  // It has released the home.
  expect((await world.exec("return 1;")).code).toBe(0);
});
