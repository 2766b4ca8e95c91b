import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packTarball } from "../apps/deputy/build/pack-tarball.ts";
import { listWorkspaces, ROOT } from "./repository.ts";
import { CELL, jsonLines, PLUGIN, scratchDirectory, SOURCE_LAUNCHER } from "./run-deputy.ts";

/** A Node on this machine that is too old for Deputy, if there is one. */
function findOldNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  return folders
    .map((folder) => join(folder, "node"))
    .filter((path) => existsSync(path))
    .find(
      (path) =>
        Number(execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".")[0]) < 24,
    );
}

const oldNode = findOldNode();
const scratch = scratchDirectory();
const prefix = join(scratch.path, "prefix");
const installed = join(prefix, "bin", "deputy");

beforeAll(async () => {
  const tarball = await packTarball(join(scratch.path, "pack"));
  const args = ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", tarball.path];
  execFileSync("npm", args, { cwd: scratch.path, stdio: "ignore" });
}, 240_000);

afterAll(() => scratch[Symbol.dispose]());

function run(node: string, launcher: string, args: readonly string[]) {
  const home = join(scratch.path, "home");
  return spawnSync(node, [launcher, ...args], {
    cwd: scratch.path,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], DEPUTY_HOME: home },
  });
}

test("[E30] the installed package runs a program against a plugin, typecheck and sandbox included", () => {
  const args = ["exec", CELL, "--tools", PLUGIN, "--approve", "all", "--json"];
  const { status, stdout, stderr } = run(process.execPath, installed, args);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", status: "completed" });
});

test("[E30] the installed package plays the example on its demo tracker", () => {
  const args = ["run", "Close all issues older than 90 days", "--approve", "all", "--json"];
  const { status, stdout, stderr } = run(process.execPath, installed, args);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const said = jsonLines(stdout).findLast(({ type }) => type === "agent_message");
  expect(said).toMatchObject({ text: expect.stringContaining("Closed 3:") });
});

test("[E30] it brings no source of the repository along, and nothing it could have bundled", () => {
  const { dependencies } = JSON.parse(
    readFileSync(join(prefix, "lib/node_modules/@deputy/deputy/package.json"), "utf8"),
  ) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).sort()).toEqual(["playwright-core", "quickjs-wasi", "typescript"]);
});

test("[E34] it brings the licences of all code in its bundle", () => {
  const notices = readFileSync(
    join(prefix, "lib/node_modules/@deputy/deputy/THIRD-PARTY-NOTICES.txt"),
    "utf8",
  );
  for (const name of ["zod", "fastify", "ws", "openai", "@anthropic-ai/sdk", "@workflow/core", "commander"])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\S* \\(\\S+`, "m"));
  expect(notices).toContain("Permission is hereby granted, free of charge");
  expect(notices).toContain("Apache License");
});

test.skipIf(oldNode === undefined)("[E31] an older Node is told how to get a newer one", () => {
  const { status, stderr } = run(oldNode ?? "", installed, ["--version"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/needs Node 24 or newer[\s\S]*nodejs\.org/);
});

test.skipIf(oldNode === undefined)(
  "[E32] in the repository, an older Node re-executes itself under the pinned one",
  () => {
    const { status, stdout } = run(oldNode ?? "", SOURCE_LAUNCHER, ["--version"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "0.1.0\n" });
    expect(run(oldNode ?? "", SOURCE_LAUNCHER, ["nonsense"]).status).toBe(2);
  },
);

test("[E33] one version everywhere", () => {
  const versions = [ROOT, ...listWorkspaces().map(({ folder }) => folder)].map(
    (folder) =>
      (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version,
  );
  expect(new Set(versions)).toEqual(new Set(["0.1.0"]));
});
