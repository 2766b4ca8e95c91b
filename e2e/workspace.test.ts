import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal, pty } from "./pseudo-terminal.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

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
  /** What the log has about the workspace. */
  const events = async () =>
    jsonLines((await run(["audit", "show", "--json"])).stdout)
      .filter(({ type }) => String(type).startsWith("workspace."))
      .map(({ type, data }) => `${String(type).slice(10)} by ${(data as { readonly by: string }).by}`);
  return { home, real, run, exec, text, events, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
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
  "[E210] deputy sh at a terminal keeps its shell; Ctrl-C ends a command, and Ctrl-D its input",
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
    terminal.type("echo $? still$x\r");
    await terminal.see("130 still5");
    terminal.type("cat > typed.txt\r");
    await terminal.quiet();
    terminal.type("from the keyboard\r");
    await terminal.quiet();
    terminal.type("\u0004");
    terminal.type("tr a-z A-Z < typed.txt\r");
    await terminal.see("FROM THE KEYBOARD");
    terminal.type("echo on; exit 4\r");
    await terminal.see("on");
    expect(await terminal.ended()).toBe(4);
    const history = readFileSync(join(world.home, "shell-history"), "utf8");
    expect(history).toContain("cat b");
    expect(history).not.toContain("keyboard");
  },
);

/** Each way of a command to change the workspace, one after the other. */
async function changeInAllWays(world: ReturnType<typeof setup>): Promise<void> {
  const { run, real } = world;
  const done = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await run(args);
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
  };
  await done("workspace", "import", real);
  await done("sh", "-c", "cat a.txt");
  await done("sh", "-c", "echo three >> a.txt; echo new > new.txt");
  await done("workspace", "commit", "new.txt", "--yes");
  writeFileSync(join(real, "a.txt"), "one\ntwo\ntheirs\n");
  expect(await run(["workspace", "commit", "--yes"])).toMatchObject({ code: 1 });
  await done("workspace", "resolve", "a.txt", "--ours");
  await done("workspace", "revert", "a.txt");
  await done("sh", "--commit", "--yes", "-c", "rm sub/b.txt");
}

const WAYS = ["imported", "changed", "committed", "changed", "reverted", "changed", "committed"];

test("[E871] every import, script, commit, resolved conflict and revert of a command is in the log, once", async () => {
  using world = setup();
  await changeInAllWays(world);
  expect(await world.events()).toEqual(WAYS.map((way) => `${way} by terminal`));
});

test("[E871] beside a daemon too: it writes them down, and what a script did is kept", async () => {
  using world = setup();
  await using _daemon = await startDaemon(world.home, [], {});
  await changeInAllWays(world);
  expect((await world.events()).map((said) => said.split(" ")[0])).toEqual(WAYS);
});

test("[E871] what an agent does to the workspace is in the log as an agent's", async () => {
  using world = setup();
  await world.run(["workspace", "import", world.real]);
  const code = `
    await tools.shell.run({ script: "echo x > x; echo y > y" });
    const { changeSet } = await tools.workspace.status();
    await tools.workspace.commit({ changeSet, paths: ["x"] });
    await tools.workspace.revert({ paths: ["y"] });
    await tools.shell.command({ argv: ["rm", "x"] });
  `;
  expect(await world.exec(code, "--approve", "all")).toMatchObject({ code: 0 });
  expect((await world.events()).slice(1)).toEqual(
    ["changed", "committed", "reverted", "changed"].map((way) => `${way} by agent`),
  );
});

test("[E872] a conflict is shown as one text, and ended with ours, theirs or a merged text", async () => {
  using world = setup();
  const { run, real, text } = world;
  await run(["workspace", "import", real]);
  const clash = async (theirs = "theirs"): Promise<void> => {
    await run(["sh", "-c", "printf 'one\\nours\\n' > a.txt"]);
    writeFileSync(join(real, "a.txt"), `one\n${theirs}\n`);
    expect(await run(["workspace", "commit", "--yes"])).toMatchObject({ code: 1 });
  };
  await clash();
  const shown = await run(["workspace", "resolve", "a.txt"]);
  expect(shown).toMatchObject({
    code: 1,
    stdout: "one\n<<<<<<< workspace\nours\n=======\ntheirs\n>>>>>>> folder\n",
  });
  expect(await run(["workspace", "resolve", "a.txt", "--merged", "-"], "one\nboth\n")).toMatchObject({
    code: 0,
  });
  expect(text("a.txt")).toBe("one\ntheirs\n");
  expect(await run(["workspace", "commit", "--yes"])).toMatchObject({ code: 0 });
  expect(text("a.txt")).toBe("one\nboth\n");

  await clash();
  expect(await run(["workspace", "resolve", "a.txt", "--theirs"])).toMatchObject({ code: 0 });
  expect((await run(["workspace", "status"])).stdout).toBe("");
  await clash("others");
  expect(await run(["workspace", "resolve", "a.txt", "--ours"])).toMatchObject({ code: 0 });
  expect(await run(["workspace", "commit", "--yes"])).toMatchObject({ code: 0 });
  expect(text("a.txt")).toBe("one\nours\n");

  expect(await run(["workspace", "resolve", "a.txt", "--ours", "--theirs"])).toMatchObject({ code: 2 });
  expect(await run(["workspace", "resolve", "none.txt", "--ours"])).toMatchObject({
    code: expect.any(Number),
  });
  expect((await run(["workspace", "resolve", "../x", "--ours", "--json"])).stdout).toContain("path_refused");
});

test("[E873] an import keeps the files' modes, and says what it left out only if it was there", async () => {
  using world = setup();
  chmodSync(join(world.real, "a.txt"), 0o644);
  chmodSync(join(world.real, "sub", "b.txt"), 0o750);
  const first = await world.run(["workspace", "import", world.real]);
  expect(first.stdout + first.stderr).not.toContain("Left out");
  const modes = "stat -c '%a %n' a.txt sub/b.txt";
  expect((await world.run(["sh", "-c", modes])).stdout).toBe("644 a.txt\n750 sub/b.txt\n");
  await world.run(["sh", "-c", "echo more >> a.txt"]);
  expect((await world.run(["sh", "-c", modes])).stdout).toBe("644 a.txt\n750 sub/b.txt\n");
  mkdirSync(join(world.real, "sub", "node_modules"));
  const again = await world.run(["workspace", "import", "--discard"]);
  expect(again.stdout + again.stderr).toContain("Left out: node_modules\n");
});
