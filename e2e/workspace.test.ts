import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory } from "./run-deputy.ts";

/** A home, and beside it a folder of the user's. */
function setup(config: object = {}) {
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const real = join(scratch.path, "notes");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(real, "sub"), { recursive: true });
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  writeFileSync(join(real, "a.txt"), "one\ntwo\n");
  writeFileSync(join(real, "sub", "b.txt"), "b\n");
  const run = (args: readonly string[], input?: string) =>
    runDeputy([...args, "--home", home], input === undefined ? {} : { input });
  const exec = (code: string, ...args: readonly string[]) => run(["exec", "-", "--json", ...args], code);
  const text = (path: string): string => readFileSync(join(real, path), "utf8");
  return { home, real, run, exec, text, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
}

const EDIT = `
  await tools.files.edit({ path: "a.txt", find: "two", replace: "2" });
  await tools.files.write({ path: "new.txt", content: "n\\n" });
`;

test("[E200] agents change a copy; a reviewed commit changes the real folder", async () => {
  using world = setup();
  expect((await world.run(["workspace", "import", world.real])).stdout).toContain("Imported 2 files");
  expect(await world.exec(EDIT)).toMatchObject({ code: 0 });
  expect(world.text("a.txt")).toBe("one\ntwo\n");

  const status = await world.run(["workspace", "status"]);
  expect(status).toMatchObject({ code: 0, stdout: "M a.txt\nA new.txt\n" });
  const diff = await world.run(["workspace", "diff", "a.txt"]);
  expect(diff.stdout).toBe("M a.txt\n--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
  const said = await world.run(["workspace", "commit"], "n\n");
  expect(said).toMatchObject({ code: 3 });
  expect(said.stdout).toContain("+2");
  expect(world.text("a.txt")).toBe("one\ntwo\n");

  expect(await world.run(["workspace", "commit", "a.txt"], "y\n")).toMatchObject({ code: 0 });
  expect(world.text("a.txt")).toBe("one\n2\n");
  expect((await world.run(["workspace"])).stdout).toBe("A new.txt\n");
  expect(await world.run(["workspace", "revert", "--all", "--json"])).toMatchObject({ code: 0 });
  expect((await world.run(["workspace"])).stdout).toBe("");

  // WS19: what commands do is in the log, too.
  const logged = jsonLines((await world.run(["audit", "show", "--json"])).stdout);
  const ofWorkspace = logged.filter(({ type }) => String(type).startsWith("workspace."));
  expect(ofWorkspace.map(({ type, data }) => ({ type, data }))).toMatchObject([
    { type: "workspace.imported", data: { added: 2, folder: world.real, by: "terminal" } },
    { type: "workspace.committed", data: { added: 0, modified: 1, deleted: 0, by: "terminal" } },
    { type: "workspace.reverted", data: { added: 1, by: "terminal" } },
  ]);
});

test("[E200] with --json every answer is one object per line, and a commit needs --yes", async () => {
  using world = setup();
  await world.run(["workspace", "import", world.real]);
  await world.exec(EDIT);
  const [status] = jsonLines((await world.run(["workspace", "status", "--json"])).stdout);
  expect(status).toMatchObject({
    type: "status",
    changes: [
      { kind: "modified", path: "a.txt" },
      { kind: "added", path: "new.txt" },
    ],
  });
  const changes = jsonLines((await world.run(["workspace", "diff", "--json"])).stdout);
  expect(changes).toMatchObject([
    { type: "change", path: "a.txt", addedLines: 1, removedLines: 1 },
    { type: "change", path: "new.txt" },
  ]);
  expect(await world.run(["workspace", "commit", "--json"])).toMatchObject({ code: 2 });
  writeFileSync(join(world.real, "a.txt"), "one\nzwei\n");
  const conflict = await world.run(["workspace", "commit", "--json", "--yes"]);
  expect(conflict.code).toBe(1);
  expect(jsonLines(conflict.stdout)).toMatchObject([{ type: "conflicts", conflicts: [{ path: "a.txt" }] }]);
  expect(world.text("a.txt")).toBe("one\nzwei\n");
  const done = await world.run(["workspace", "commit", "new.txt", "--json", "--yes"]);
  expect(jsonLines(done.stdout)).toEqual([
    { type: "committed", files: [{ path: "new.txt", how: "written" }] },
  ]);
  const outside = await world.run(["workspace", "diff", "../x", "--json"]);
  expect(jsonLines(outside.stdout)).toMatchObject([{ type: "error", code: "path_refused" }]);
  const home = await world.run(["workspace", "import", world.home, "--discard", "--json"]);
  expect(jsonLines(home.stdout)).toMatchObject([{ type: "error", code: "folder_refused" }]);
});

test("[E201] a program's commit asks with the diffs, and writes nothing without a yes", async () => {
  using world = setup();
  await world.run(["workspace", "import", world.real]);
  const commit = `${EDIT}
    const { changeSet } = await tools.workspace.status();
    return await tools.workspace.commit({ changeSet });`;
  const denied = await world.exec(commit, "--approve", "none");
  expect(denied.code).toBe(3);
  expect(denied.stdout).toContain("-two");
  expect(world.text("a.txt")).toBe("one\ntwo\n");
  const again =
    "return await tools.workspace.commit({ changeSet: (await tools.workspace.status()).changeSet });";
  expect(await world.exec(again, "--approve", "all")).toMatchObject({ code: 0 });
  expect(world.text("a.txt")).toBe("one\n2\n");
  expect(world.text("new.txt")).toBe("n\n");
});

test("[E202] a command asks, and changes only the workspace", async () => {
  using world = setup();
  await world.run(["workspace", "import", world.real]);
  const command = 'return await tools.bash.run({ command: "echo made > made.txt; cat a.txt" });';
  const denied = await world.exec(command, "--approve", "none");
  expect(denied.code).toBe(3);
  expect(denied.stdout).toMatch(/sandbox/i);
  const ran = await world.exec(command, "--approve", "all");
  expect(ran.stdout).toContain("one\\ntwo");
  expect((await world.run(["workspace"])).stdout).toBe("A made.txt\n");
});

test("[E203] with an allowlist, what the gate allows runs without asking, even after text was read", async () => {
  using world = setup({ tools: { bash: { approval: "allowlist" } } });
  await world.run(["workspace", "import", world.real]);
  const clear = `await tools.files.read({ path: "a.txt" });
    return (await tools.bash.run({ command: "cat a.txt | wc -l" })).stdout;`;
  expect(await world.exec(clear, "--approve", "none")).toMatchObject({ code: 0 });
  const other = 'return await tools.bash.run({ command: "curl http://example.org" });';
  expect(await world.exec(other, "--approve", "none")).toMatchObject({ code: 3 });
});

test("[E204] a plugin with a namespace of the same name replaces it", async () => {
  using world = setup();
  const plugin = join(world.home, "plugin.ts");
  writeFileSync(
    plugin,
    `import { defineTool } from "@deputy/tools";
     import { z } from "zod";
     export default { files: { read: defineTool({ description: "Mine", approval: "auto", args: z.object({}), run: () => "mine" }) } };`,
  );
  const ran = await world.exec("return await (tools.files as any).read({});", "--tools", plugin);
  expect(ran.stdout).toContain("mine");
});

test("[E209] deputy sh runs scripts over the copy, and exits as they do", async () => {
  using world = setup();
  const script = "grep -c . a.txt; sed -i s/two/2/ a.txt; mkdir -p d/e; echo $0 $1 > d/f; exit 5";
  const done = await world.run(["sh", "--import", world.real, "-c", script, "zero", "one"]);
  expect(done).toMatchObject({ code: 5 });
  expect(done.stdout).toContain("\n2\n");
  expect((await world.run(["workspace", "status"])).stdout).toBe("M a.txt\nA d/f\n");
  expect(world.text("a.txt")).toBe("one\ntwo\n");
  expect(await world.run(["sh"], "cat d/f; ls -d d/e\n")).toMatchObject({
    stdout: "zero one\nd/e\n",
    code: 0,
  });
  expect(await world.run(["sh", "-c", "wc -l"], "x\ny\n")).toMatchObject({ stdout: "2\n" });
  writeFileSync(join(world.home, "s.sh"), 'echo "$1" | tee -a a.txt');
  const file = join(world.home, "s.sh");
  expect((await world.run(["sh", "--commit", "--yes", file, "three"])).code).toBe(0);
  expect(world.text("a.txt")).toBe("one\n2\nthree\n");
  const tool = await world.exec('return await tools.shell.run({ script: "ls | sort -r" });');
  expect(
    jsonLines(tool.stdout)
      .map((line) => JSON.stringify(line))
      .join(""),
  ).toContain("sub");
});

test.skipIf(pty === undefined)(
  "[E210] deputy sh at a terminal keeps its shell, and Ctrl-C ends a command",
  async () => {
    using world = setup();
    await world.run(["workspace", "import", world.real]);
    await using terminal = openTerminal(["sh", "--home", world.home]);
    await terminal.see("workspace$");
    terminal.type("cd sub; x=5\r");
    await terminal.see("workspace/sub$");
    terminal.type("for i in 1 2; do\recho v$x$i; done\r");
    await terminal.see("v52");
    terminal.type("cat b\t");
    await terminal.see("cat b.txt");
    terminal.type("\r");
    terminal.type("sleep 100\r");
    await terminal.quiet();
    terminal.type("\u0003");
    await terminal.see("^C");
    terminal.type("echo on; exit 4\r");
    await terminal.see("on");
    expect(await terminal.ended()).toBe(4);
    expect(readFileSync(join(world.home, "shell-history"), "utf8")).toContain("cat b");
  },
);
