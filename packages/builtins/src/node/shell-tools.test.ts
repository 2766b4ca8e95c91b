import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openContainedShell } from "@deputy/contained-shell/node";
import { createCatalogue } from "@deputy/tools";
import { createWorkspaceLane } from "@deputy/workspace";
import { openLocalWorkspace } from "@deputy/workspace/node";
import { expect, test } from "vitest";
import { shellTools } from "../shell/shell-tools.ts";
import { createKeptOutput } from "./kept-output.ts";

const live = new AbortController().signal;

async function setup() {
  const scratch = mkdtempSync(join(tmpdir(), "deputy-shell-tools-"));
  const real = join(scratch, "real");
  mkdirSync(join(real, "src"), { recursive: true });
  writeFileSync(join(real, "a.txt"), "one\ntwo\n");
  writeFileSync(join(real, "src", "x.c"), "TODO\n");
  const workspace = openLocalWorkspace({ directory: join(scratch, "ws"), apart: [], now: Date.now });
  await workspace.import({ root: real, uncommitted: "keep" }, live);
  const shell = openContainedShell({ folder: workspace.treeFolder });
  const deps = {
    open: async () => shell,
    network: "closed" as const,
    keep: () => createKeptOutput(1_000),
    timeoutMs: 60_000,
    nowMs: () => performance.now(),
  };
  const tree = { shell: shellTools(deps, async () => workspace, createWorkspaceLane()) };
  const catalogue = createCatalogue([{ source: "test", tree }]);
  const progress: string[] = [];
  const toolAt = (path: string) => catalogue.get(path) ?? expect.unreachable();
  const call = async (path: string, input: unknown) => {
    const tool = toolAt(path);
    const parsed = await tool.parseInput(input);
    if (parsed.kind === "invalid") throw new Error(parsed.message);
    return await tool.run(parsed.input, {
      signal: live,
      idempotencyKey: "k",
      sessionKey: "s",
      approvedBy: "terms",
      progress: (line) => void progress.push(line),
      log: () => undefined,
    });
  };
  return {
    workspace,
    real,
    toolAt,
    call,
    progress,
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

test("[TB28] a script runs without a question, and what it did is in the workspace", async () => {
  await using world = await setup();
  const { workspace, call, toolAt } = world;
  for (const path of ["shell.run", "shell.command"])
    expect(toolAt(path)).toMatchObject({ approval: "auto", effect: "write", critical: [] });
  expect(
    await call("shell.run", {
      script:
        'grep -rl TODO . | sort; read line; echo "$line $X"; sed -i s/two/2/ a.txt; rm src/x.c; ln -s a l; exit 3',
      stdin: "given\n",
      env: { X: "5" },
    }),
  ).toMatchObject({
    exitCode: 3,
    stdout: "./src/x.c\ngiven 5\n",
    stderr: "",
    truncated: false,
    meta: {
      changed: [
        { path: "a.txt", kind: "modified" },
        { path: "src/x.c", kind: "deleted" },
      ],
      changedFiles: 2,
      leftOut: [{ path: "l", why: "it is a link" }],
    },
  });
  expect(await workspace.readText("a.txt", live)).toBe("one\n2\n");
  expect(readFileSync(join(world.real, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(await call("shell.run", { script: "pwd; ls", cwd: "src" })).toMatchObject({
    stdout: "/workspace/src\n",
  });
  await expect(call("shell.run", { script: "ls", cwd: "nothere" })).rejects.toMatchObject({
    code: "command_failed",
  });
});

test("[TB28] a command's words are not looked into", async () => {
  await using world = await setup();
  expect(
    await world.call("shell.command", { argv: ["printf", "%s|", "$HOME", "*", "a;b", "`x`", ""] }),
  ).toMatchObject({ stdout: "$HOME|*|a;b|`x`||", exitCode: 0 });
});

test("[TB36] a command that is not there is told with the tool that runs programs of the machine", async () => {
  await using world = await setup();
  const hint = "The contained shell has no gcc. bash.run runs programs of the user's machine.";
  expect(await world.call("shell.command", { argv: ["gcc", "--version"] })).toMatchObject({
    exitCode: 127,
    meta: { hint },
  });
  const piped = await world.call("shell.run", { script: "node test.mjs | tail -1; gcc a.c; gcc b.c" });
  expect(piped).toMatchObject({
    meta: { hint: "The contained shell has no node, gcc. bash.run runs programs of the user's machine." },
  });
  const done = await world.call("shell.run", { script: "echo 'x: y: command not found'; ls nothere" });
  expect(done).toMatchObject({ meta: expect.not.objectContaining({ hint: expect.anything() }) });
});

test("[TB28] long output is cut in the middle, and a limit is told and undoes everything", async () => {
  await using world = await setup();
  const long = (await world.call("shell.run", { script: "seq 10000" })) as { stdout: string };
  expect(long).toMatchObject({ truncated: true });
  expect(long.stdout).toContain("bytes left out");
  expect(world.progress).not.toEqual([]);
  expect(
    await world.call("shell.run", { script: "rm a.txt; sleep 60", limits: { wallMs: 300 } }),
  ).toMatchObject({
    exitCode: 124,
    meta: { changed: [], stopped: expect.stringContaining("longer than 300 ms") },
  });
  expect(await world.workspace.readText("a.txt", live)).toBe("one\ntwo\n");
});

test("[TB35] Python that is not installed says what the user can do", async () => {
  await using world = await setup();
  await expect(world.call("shell.python", { code: "print(1)" })).rejects.toMatchObject({
    code: "not_available",
    hint: expect.stringContaining("deputy bundles add lang-python") as unknown,
  });
});
