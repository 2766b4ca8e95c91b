import { spawn, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { CELL, jsonLines, PLUGIN, scratchDirectory, SOURCE_LAUNCHER, waitForOutput } from "./run-deputy.ts";

// All other tests use the packed program.
const { PATH = "", HOME = "" } = process.env;
const options = { cwd: tmpdir(), env: { PATH, HOME } };

test("[E38] from the sources, a program runs against a plugin, typecheck and sandbox included", () => {
  using home = scratchDirectory();
  const args = ["exec", CELL, "--tools", PLUGIN, "--approve", "all", "--json", "--home", home.path];
  const { status, stdout, stderr } = spawnSync(process.execPath, [SOURCE_LAUNCHER, ...args], {
    ...options,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", status: "completed" });
});

test("[E38] from the sources, a daemon serves its page, and SIGTERM ends it", async () => {
  using home = scratchDirectory();
  const args = ["serve", "--json", "--port", "0", "--home", home.path];
  const child = spawn(process.execPath, [SOURCE_LAUNCHER, ...args], options);
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const ready = new Promise<string>((resolve) => {
    child.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString()));
  });
  await waitForOutput(child, "\n");
  const { url } = JSON.parse(await ready) as { readonly url: string };
  const page = await fetch(url);
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
});
