import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setUpGate } from "../packages/agent/src/agent.fixture.ts";
import { bashTools } from "../packages/builtins/src/bash/bash-tool.ts";
import { createWorkspaceChanges } from "../packages/builtins/src/bash/workspace-changes.ts";
import { createCommandRunner } from "../packages/builtins/src/node/command-runner.ts";
import { openNoPlace, runnerParts } from "../packages/builtins/src/node/sandbox/places.fixture.ts";
import { workspaceState } from "../packages/builtins/src/node/workspace-state.ts";
import { createWorkspaceLane } from "../packages/workspace/src/workspace-lane.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "deputy-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

/** The gate with the real bash tool. `contains`: what its sandbox says of itself; it is none in truth. */
function setUp(contains = false) {
  const runner = createCommandRunner({
    ...runnerParts(),
    choosePlace: async () => ({ ...openNoPlace(), contains }),
    folder: async () => folder,
    env: { PATH: process.env["PATH"] },
    maxOutputBytes: 10_000,
  });
  const state = (command: string, cwd: string) => workspaceState(command, { folder, cwd });
  const changes = createWorkspaceChanges({
    lane: createWorkspaceLane(),
    state: ({ command, cwd }) => state(command, cwd),
  });
  const judge = () => ({ verdict: "ask", reasons: [] }) as const;
  const gate = setUpGate({
    extra: { bash: bashTools({ runner, judge, timeoutMs: 20_000, state }, changes) },
  });

  const asked = async () => {
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(1);
    const [question] = await gate.approvals.pending();
    if (question === undefined) throw new Error("Nothing was asked");
    return question.id;
  };
  const run = (command: string, signal = new AbortController().signal) =>
    gate.call("bash.run", { command }, signal);
  /** Runs a command with a yes of this scope; `before` the answer, something may happen. */
  const approve = async (command: string, scope: "once" | "session", before?: () => void) => {
    const running = run(command);
    const id = await asked();
    before?.();
    await gate.approvals.resolve(id, { decision: "approved", scope }, "me");
    return await running;
  };
  /** True if the command asks; it is stopped then. */
  const asks = async (command: string): Promise<boolean> => {
    const stop = new AbortController();
    const running = run(command, stop.signal);
    const first = await Promise.race([running.then(() => "ran"), asked().then(() => "asked")]);
    stop.abort();
    await running;
    return first === "asked";
  };
  return { approve, asks };
}

/** Each runs the file in some way that no list of words would find. */
const HIDDEN: readonly (readonly [command: string, files: Readonly<Record<string, string>>, file: string])[] =
  [
    ["bash build.sh", { "build.sh": "true" }, "build.sh"],
    ["node build", { "build.js": "1" }, "build.js"],
    ["node ./lib", { "lib/index.js": "1" }, "lib/index.js"],
    ["python3 -m tool", { "tool.py": "1" }, "tool.py"],
    ["PYTHONPATH=lib python3 app.py", { "app.py": "import util", "lib/util.py": "1" }, "lib/util.py"],
    ["make", { Makefile: "include rules.inc\n", "rules.inc": "all:\n\t@true\n" }, "rules.inc"],
    ["bash a.sh", { "a.sh": "D=lib; . $D/env", "lib/env": "true" }, "lib/env"],
    ["bash a.sh", { "a.sh": "sh b", b: "sh c", c: "sh d", d: "sh e", e: "sh f", f: "true" }, "f"],
    ["for f in parts/*; do sh $f; done", { "parts/one": "true" }, "parts/two"],
    ["git -c alias.x='!sh -c \"$(cat c)\"' x", { c: "true" }, "c"],
    ["perl -Ilib -MFoo -e1", { "lib/Foo.pm": "1" }, "lib/Foo.pm"],
    ["npm test --silent", { "package.json": '{"scripts":{"test":"node test"}}', "test.js": "1" }, "test.js"],
    [
      "node app.js",
      { "app.js": "require('mylib')", "node_modules/mylib/index.js": "1" },
      "node_modules/mylib/index.js",
    ],
    ["bash `echo build`", { build: "true" }, "build"],
    ["vim -es -S s", { s: "q" }, "s"],
    ["gdb -batch -x cmds", { cmds: "shell true" }, "cmds"],
  ];

test.each(HIDDEN)(
  "[TB25] uncontained, a standing yes to %s ends when what it runs changes (GC28)",
  async (command, files, file) => {
    const { approve, asks } = setUp();
    for (const [name, text] of Object.entries(files)) write(name, text);
    await approve(command, "session");
    expect(await asks(command)).toBe(false);
    write(file, "echo pwned");
    expect(await asks(command)).toBe(true);
  },
);

test.each(HIDDEN)(
  "[TB20] a single yes to %s is void when what it runs is swapped meanwhile (GC28)",
  async (command, files, file) => {
    for (const contains of [false, true]) {
      const { approve } = setUp(contains);
      for (const [name, text] of Object.entries(files)) write(name, text);
      expect(await approve(command, "once", () => write(file, "echo pwned"))).toMatchObject({
        status: "denied",
      });
    }
  },
);

test("[TB26] what the command itself writes does not end its standing yes; the next change by others does", async () => {
  const { approve, asks } = setUp();
  const command = "date >> log.txt; mkdir -p out; echo $RANDOM > out/cache";
  await approve(command, "session");
  for (let n = 0; n < 3; n += 1) expect(await asks(command)).toBe(false);
  write("out/cache", "other");
  expect(await asks(command)).toBe(true);
});

test("[TB25] contained, a standing yes goes on after edits, because what it changes is reviewed", async () => {
  const { approve, asks } = setUp(true);
  write("build.sh", "true");
  chmodSync(join(folder, "build.sh"), 0o755);
  await approve("./build.sh", "session");
  write("build.sh", "echo edited");
  expect(await asks("./build.sh")).toBe(false);
  expect(await asks("./build.sh --other")).toBe(true);
});
