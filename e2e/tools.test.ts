import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CELL_GLOBALS } from "@deputy/codemode";
import { createCatalogue } from "@deputy/tools";
import { openPlugin } from "@deputy/tools/node";
import { expect, test } from "vitest";
import { openBuiltins } from "../apps/deputy/src/builtins/open-builtins.ts";
import { openHome } from "../apps/deputy/src/home.ts";
import { CELL_COMPILER_OPTIONS } from "../packages/codemode/src/checker/cell-project.ts";
import { completeCode } from "./complete-code.ts";
import { ROOT } from "./repository.ts";
import { CELL, jsonLines, PLUGIN, runDeputy, scratchDirectory } from "./run-deputy.ts";

/** A home with two files to check: one that is right, one with a mistake in its second line. */
function setup() {
  const home = scratchDirectory();
  const right = join(home.path, "right.ts");
  const wrong = join(home.path, "wrong.ts");
  writeFileSync(right, "return (await tools.github.issues.list()).length;\n");
  writeFileSync(wrong, "const a = 1;\nawait tools.github.issues.close({ nubmer: a });\n");
  const run = (args: readonly string[], input?: string) =>
    runDeputy(
      [...args, "--tools", PLUGIN, "--home", home.path],
      input === undefined ? { cwd: home.path } : { cwd: home.path, input },
    );
  return { home: home.path, right, wrong, run, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E50] tools types prints exactly what programs are checked against", async () => {
  using world = setup();
  const { code, stdout } = await world.run(["tools", "types"]);
  const builtins = await openBuiltins(
    openHome(world.home, () => undefined),
    {},
  );
  const { signal } = new AbortController();
  await using plugin = await openPlugin(PLUGIN, { env: process.env, print: () => undefined, signal });
  const catalogue = createCatalogue([builtins, { source: PLUGIN, tree: plugin.tree }]);
  expect(code).toBe(0);
  const [header, ...rest] = stdout.split("\n");
  expect(header).toMatch(/^\/\/ /);
  expect(rest.join("\n")).toBe(CELL_GLOBALS + catalogue.declarations());
});

test("[E50] a path gives one tool, a namespace all of its tools", async () => {
  using world = setup();
  const one = await world.run(["tools", "types", "github.issues.close"]);
  expect(one.stdout).toContain("readonly close:");
  expect(one.stdout).not.toContain("readonly list:");
  const all = await world.run(["tools", "types", "github.issues.close", "github", "--json"]);
  expect(jsonLines(all.stdout)).toMatchObject([
    { type: "types", tools: ["github.issues.close", "github.issues.list"] },
  ]);
  expect(jsonLines(all.stdout)[0]?.["declarations"]).toContain("readonly list:");
});

test("[E50] --out writes a file, and only replaces its own", async () => {
  using world = setup();
  const file = join(world.home, "tools.d.ts");
  expect(await world.run(["tools", "types", "github.issues.close", "--out", "tools.d.ts"])).toMatchObject({
    code: 0,
    stdout: `Wrote 1 tool to ${file}\n`,
  });
  const again = await world.run(["tools", "types", "--out", file, "--json"]);
  const all = expect.arrayContaining(["files.read", "github.issues.close", "github.issues.list"]);
  expect(jsonLines(again.stdout)).toEqual([{ type: "types", file, tools: all }]);
  expect(readFileSync(file, "utf8")).toBe((await world.run(["tools", "types"])).stdout);

  const before = readFileSync(world.right, "utf8");
  const foreign = await world.run(["tools", "types", "--out", world.right]);
  expect(foreign).toMatchObject({ code: 1, stdout: "" });
  expect(foreign.stderr).toContain("file_unwritable");
  expect(readFileSync(world.right, "utf8")).toBe(before);
  const nowhere = await world.run(["tools", "types", "--out", join(world.home, "none", "tools.d.ts")]);
  expect(nowhere).toMatchObject({ code: 1 });
  expect(nowhere.stderr).toContain("directory does not exist");
});

test("[E50] says so if the user has no tools, and still lists Deputy's own", async () => {
  using home = scratchDirectory();
  const { code, stdout, stderr } = await runDeputy(["tools", "types", "--home", home.path]);
  expect(code).toBe(0);
  expect(stdout).toContain("readonly applyPatch:");
  expect(stderr).toContain("Only Deputy's own tools are connected");
});

test("[E51] an unknown path is reported with similar ones, and nothing is printed or written", async () => {
  using world = setup();
  const wrong = ["tools", "types", "github", "github.isues", "clsoe"];
  const { code, stdout, stderr } = await world.run(wrong);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("There is no tool or namespace “github.isues”, “clsoe” (unknown_tool)");
  expect(stderr).toContain("Did you mean github.issues, github.issues.close?");
  const json = await world.run([...wrong, "--json", "--out", "new.d.ts"]);
  expect(jsonLines(json.stdout)).toMatchObject([{ type: "error", code: "unknown_tool" }]);
  expect((await world.run(["tools", "types", "calendar"])).stderr).toContain("`deputy tools list` shows");
  expect((await world.run(["tools", "types", "--out", "new.d.ts"])).code).toBe(0);
});

test("[E52] check takes several files and stdin, and continues after a mistake", async () => {
  using world = setup();
  const { code, stdout, stderr } = await world.run(
    ["check", "wrong.ts", "-", CELL, "right.ts"],
    "return tools.x;",
  );
  expect(code).toBe(1);
  expect(stdout.match(/^\S+:\d+:\d+ - TS\d+/gm)).toEqual(["wrong.ts:2:35 - TS2353", "-:1:14 - TS2339"]);
  expect(stderr).toContain(`${CELL} typechecks.`);
  expect(stderr).toContain("right.ts typechecks.");
  expect(stderr).toContain("2 of 4 files do not typecheck.");
  expect(await world.run(["check", "right.ts", CELL])).toMatchObject({ code: 0, stdout: "" });
});

test("[E52] check --json has a line for each mistake and one for each file", async () => {
  using world = setup();
  const { code, stdout, stderr } = await world.run(["check", "right.ts", "wrong.ts", "right.ts", "--json"]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const [ok, diagnostic, rejected, ...more] = jsonLines(stdout);
  expect(ok).toEqual({ type: "checked", file: "right.ts", status: "ok", diagnostics: 0 });
  expect(diagnostic).toMatchObject({ type: "diagnostic", file: "wrong.ts", line: 2, code: "TS2353" });
  expect(rejected).toEqual({ type: "checked", file: "wrong.ts", status: "rejected", diagnostics: 1 });
  expect(more).toEqual([]);
});

test("[E52] one file that is too much for the checker does not hide the others", async () => {
  using world = setup();
  const row =
    'type Row<N extends number, A extends 1[] = []> = A["length"] extends N ? A : Row<N, [...A, 1]>;';
  const bomb = Array.from(
    { length: 400 },
    (_, n) => `const f${n} = (x: [Row<${900 + (n % 90)}>, ${n}]): [Row<${800 + (n % 90)}>, ${n}] => x;`,
  );
  writeFileSync(join(world.home, "bomb.ts"), [row, ...bomb].join("\n"));
  const { code, stdout } = await world.run(["check", "bomb.ts", "right.ts", "--json"]);
  expect(code).toBe(1);
  expect(jsonLines(stdout)).toMatchObject([
    {
      type: "checked",
      file: "bomb.ts",
      status: "failed",
      error: { code: expect.stringMatching(/^checker_/) },
    },
    { type: "checked", file: "right.ts", status: "ok" },
  ]);
});

test("[E52] reports a missing file, JavaScript and no file at all before checking anything", async () => {
  using world = setup();
  const missing = await world.run(["check", "wrong.ts", "nope.ts"]);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toContain("There is no file nope.ts");
  writeFileSync(join(world.home, "plain.js"), "return 1;");
  expect(await world.run(["check", "wrong.ts", "plain.js"])).toMatchObject({ code: 2, stdout: "" });
  expect(await world.run(["check"])).toMatchObject({ code: 2 });
});

test("[E52] the help of both explains their exit codes", async () => {
  for (const command of [["check"], ["tools", "types"]]) {
    expect((await runDeputy([...command, "--help"])).stdout).toContain("Exit codes: 0");
  }
});

/** The only block with compiler options in docs/programs.md. */
function documentedConfig(): unknown {
  const page = readFileSync(join(ROOT, "docs/programs.md"), "utf8");
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text = ""]) => JSON.parse(text) as object,
  );
  return blocks.find((block) => "compilerOptions" in block);
}

test("[E53] the tsconfig.json of docs/programs.md, the example and the checker are the same", () => {
  expect(documentedConfig()).toEqual({ compilerOptions: CELL_COMPILER_OPTIONS });
  const example: unknown = JSON.parse(readFileSync(join(ROOT, "examples/cells/tsconfig.json"), "utf8"));
  expect(example).toEqual(documentedConfig());
});

test("[E53] an editor set up by docs/programs.md finds what deputy check finds", async () => {
  using world = setup();
  const folder = join(world.home, "cells");
  mkdirSync(folder);
  expect(await world.run(["tools", "types", "--out", "cells/tools.d.ts"])).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(documentedConfig()));
  const close = "await tools.github.issues.close";
  const cells = {
    "right.ts": `/// <reference path="./tools.d.ts" />\nconst { state } = ${close}({ issueNumber: 1 });\n// @ts-ignore\nreturn state;\n`,
    "wrong.ts": `const n: string = (${close}({ nubmer: 1 })).number;\nfetch("x");\nconsole.log(n);\n`,
    "returns.ts": "return 1;\n",
  };
  for (const [name, code] of Object.entries(cells)) writeFileSync(join(folder, name), code);

  const tsc = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], {
    cwd: folder,
    encoding: "utf8",
  });
  const seen = [...tsc.stdout.matchAll(/^(\S+)\((\d+),(\d+)\): error (TS\d+)/gm)].map(
    ([, file, line, column, code]) => `${file}:${line}:${column} ${code}`,
  );
  const { stdout } = await world.run(["check", ...Object.keys(cells).map((name) => `cells/${name}`)]);
  const checked = [...stdout.matchAll(/^cells\/(\S+) - (TS\d+)/gm)].map(
    ([, place, code]) => `${place} ${code}`,
  );
  expect(checked.length).toBe(3);
  expect(seen.sort()).toEqual([...checked, "returns.ts:1:1 TS1108"].sort());
});

test("[E53] and completes known names", async () => {
  using world = setup();
  await world.run(["tools", "types", "--out", "tools.d.ts"]);
  writeFileSync(join(world.home, "tsconfig.json"), JSON.stringify(documentedConfig()));
  const complete = (text: string) => completeCode(world.right, text);
  expect(await complete("const a = 1;\nawait tools.github.issues.")).toEqual(["close", "list"]);
  expect(await complete("await tools.github.issues.close({ i")).toContain("issueNumber");
});
