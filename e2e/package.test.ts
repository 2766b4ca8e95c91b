import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listWorkspaces, ROOT } from "./repository.ts";
import { makeTestTarball } from "./test-bundle.ts";
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
/** A project with only the package, and the zod for its schemas. */
const project = join(scratch.path, "project");
const packageFolder = join(project, "node_modules/@deputy/deputy");
const installed = join(project, "node_modules/.bin/deputy");
let tarball: string;

beforeAll(async () => {
  tarball = await makeTestTarball();
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "packages/tools/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const args = ["install", "--no-audit", "--no-fund", tarball, `zod@${dependencies["zod"]}`];
  execFileSync("npm", args, { cwd: project, stdio: "ignore" });
  const plugin = readFileSync(PLUGIN, "utf8");
  writeFileSync(join(project, "plugin.ts"), plugin);
  const typed = plugin.replace('"@deputy/tools"', '"@deputy/deputy/tools"');
  writeFileSync(join(project, "typed-plugin.ts"), typed);
  copyFileSync(join(ROOT, "examples/embed/embed.ts"), join(project, "embed.ts"));
});

afterAll(() => scratch[Symbol.dispose]());

function run(node: string, launcher: string, args: readonly string[]) {
  const home = join(scratch.path, "home");
  return spawnSync(node, [launcher, ...args], {
    cwd: scratch.path,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], DEPUTY_HOME: home },
  });
}

test("[E30] the installed package plays the example on its demo tracker", () => {
  const args = ["run", "Close all issues older than 90 days", "--approve", "all", "--json"];
  const { status, stdout, stderr } = run(process.execPath, installed, args);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const said = jsonLines(stdout).findLast(({ type }) => type === "agent_message");
  expect(said).toMatchObject({ text: expect.stringContaining("Closed 3:") });
});

test("[E30] contains no source of the repository, and nothing that could be bundled", () => {
  const { dependencies } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies).sort()).toEqual(["playwright-core", "quickjs-wasi", "typescript"]);
});

test("[E34] contains the licences of all code in its bundle", () => {
  const notices = readFileSync(join(packageFolder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["zod", "croner", "ws", "openai", "@anthropic-ai/sdk", "@workflow/core", "commander"])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\S* \\(\\S+`, "m"));
  expect(notices).toContain("Permission is hereby granted, free of charge");
  expect(notices).toContain("Apache License");
});

/** The diagnostics of `tsc` for files of the project. */
function compile(files: readonly string[], compilerOptions: object): string {
  const config = { compilerOptions: { strict: true, noEmit: true, types: [], ...compilerOptions }, files };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "-p", "."], { cwd: project, encoding: "utf8" }).stdout;
}

test.each([
  { module: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
  { module: "nodenext", target: "es2022", lib: ["es2023", "dom"], exactOptionalPropertyTypes: true },
])("[E35] an embedding program and a plugin compile against the installed package: %o", (options) => {
  expect(compile(["embed.ts", "typed-plugin.ts"], options)).toBe("");
});

test("[E35] so does a plugin that imports @deputy/tools, as the manual says; a mistake in it is an error", () => {
  const file = "./node_modules/@deputy/deputy/dist/types/tools.d.ts";
  writeFileSync(
    join(project, "wrong.ts"),
    `import { defineTool } from "@deputy/tools"; import { z } from "zod";
     export default defineTool({ description: "X", approval: "never", args: z.object({}), run: () => 1 });`,
  );
  const paths = { "@deputy/tools": [file] };
  const said = compile(["plugin.ts", "wrong.ts"], { module: "nodenext", paths }).trim();
  expect(said).toMatch(/^wrong\.ts\(2,\d+\): error TS2322: Type '"never"' is not assignable/);
  expect(said.split(/^\S/m)).toHaveLength(2);
  const manual = readFileSync(join(ROOT, "docs/plugins.md"), "utf8");
  expect(manual).toContain(`"paths": { "@deputy/tools": ["${file}"] }`);
});

test("[E36] the embedding program runs: a call, its approval, its result", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["embed.ts"], {
    cwd: project,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("? Light on (lamp.switch): approved\n");
  expect(stdout).toContain('= {"lamp":"shines"}\n');
});

test.each(["plugin.ts", "typed-plugin.ts"])(
  "[E30] [E36] runs a program against a plugin, by either name of its import: %s",
  (name) => {
    const args = ["exec", CELL, "--tools", join(project, name), "--approve", "all", "--json"];
    const { status, stdout, stderr } = run(process.execPath, installed, args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", status: "completed" });
  },
);

test("[E37] publint and are-the-types-wrong find nothing", async () => {
  const bytes = new Uint8Array(readFileSync(tarball));
  const pack = { tarball: bytes.buffer };
  const { messages, pkg } = await publint({ strict: true, pack });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  const analysed = await checkPackage(createPackageFromTarballData(bytes));
  if (analysed.types === false) throw new Error("The tarball has no types");
  // Every supported Node can require its modules, and a resolver without `exports` finds none of it.
  const wrong = analysed.problems.filter(
    ({ kind, ...problem }) =>
      kind !== "CJSResolvesToESM" && !("resolutionKind" in problem && problem.resolutionKind === "node10"),
  );
  expect(wrong).toEqual([]);
});

test.skipIf(oldNode === undefined)("[E31] tells an older Node how to get a newer one", () => {
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

test("[E33] has one version everywhere", () => {
  const versions = [ROOT, ...listWorkspaces().map(({ folder }) => folder)].map(
    (folder) =>
      (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version,
  );
  expect(new Set(versions)).toEqual(new Set(["0.1.0"]));
});
