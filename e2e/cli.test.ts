import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import {
  CELL,
  finish,
  jsonLines,
  PLUGIN,
  runDeputy,
  scratchDirectory,
  startDeputy,
  waitForOutput,
} from "./run-deputy.ts";

const fenced = (code: string): string => `Run this:\n\`\`\`ts\n${code}\n\`\`\``;

test("[E1] names an unknown command, with exit code 2", async () => {
  const { code, stderr } = await runDeputy(["frobnicate"], { process: "own" });
  expect(code).toBe(2);
  expect(stderr).toContain("unknown command 'frobnicate'");
});

test.each([
  [["taks"], "unknown command 'taks'\n(Did you mean tasks?)"],
  [["tasks", "pauze", "x"], "unknown command 'pauze'\n(Did you mean pause?)"],
  [["approvals", "graants"], "unknown command 'graants'\n(Did you mean grants?)"],
  [["tasks", "frobnicate"], "unknown command 'frobnicate'\n(deputy"],
  [["tasks", "list", "x"], "too many arguments for 'list'"],
])("[E1] %j: says what there is no command for, and what was probably meant", async (args, said) => {
  const { code, stderr } = await runDeputy(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
});

test("[E1] an unknown option, a missing argument and a wrong choice are usage errors", async () => {
  using home = scratchDirectory();
  for (const args of [
    ["--frob"],
    ["exec"],
    ["exec", "x.ts", "--approve", "maybe"],
    ["serve", "--port", "http", "--home", home.path],
    ["run", " "],
  ]) {
    expect(await runDeputy(args), args.join(" ")).toMatchObject({ code: 2 });
  }
});

test("[E1] with --json a usage error is JSON too", async () => {
  const { code, stdout } = await runDeputy(["--json", "frobnicate"]);
  expect(code).toBe(2);
  expect(jsonLines(stdout)).toMatchObject([{ type: "error", code: "usage" }]);
});

test("[E2] --version and --help answer at once", async () => {
  expect(await runDeputy(["--version"], { process: "own" })).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  expect(jsonLines((await runDeputy(["--version", "--json"])).stdout)).toEqual([
    { type: "version", version: "0.1.0" },
  ]);
  const help = await runDeputy(["--help"]);
  expect(help.code).toBe(0);
  for (const command of ["run", "exec", "check", "serve", "token", "sessions", "audit"])
    expect(help.stdout).toContain(command);
});

test.each([
  ["not JSON", "{ model: 1 }", /config\.json is not valid JSON/],
  ["a wrong type", '{"gateway": {"port": "http"}}', /gateway\.port/],
  ["an unknown provider", '{"model": "acme/brain"}', /acme/],
  ["a missing plugin", '{"toolSources": ["./nope.ts"]}', /nope\.ts/],
])("[E3] refuses a config with %s and leaves it unchanged", async (_what, config, message) => {
  using home = scratchDirectory();
  const file = join(home.path, "config.json");
  writeFileSync(file, config);
  const { code, stderr } = await runDeputy(["run", "hi", "--home", home.path]);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(readFileSync(file, "utf8")).toBe(config);
});

test("[E4] reports a port in use and what to do", async () => {
  using home = scratchDirectory();
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const { code, stderr } = await runDeputy(["serve", "--port", port, "--home", home.path]);
  server.close();
  expect(code).toBe(1);
  expect(stderr).toContain("port_in_use");
  expect(stderr).toContain(port);
});

test.skipIf(process.platform !== "linux")(
  "[E5] reports a home where no directory can be created",
  async () => {
    expect(await runDeputy(["token", "--home", "/proc/deputy"])).toMatchObject({ code: 1 });
  },
);

test("[E5] reports a home that cannot be written", async () => {
  using scratch = scratchDirectory();
  writeFileSync(join(scratch.path, "file"), "");
  const { code, stderr } = await runDeputy(["run", "hi", "--home", join(scratch.path, "file", "home")]);
  expect(code).toBe(1);
  expect(stderr).toContain("home_unusable");
});

test("[E6] refuses a newer database without touching it", async () => {
  using home = scratchDirectory();
  expect(await runDeputy(["run", "hi", "--home", home.path])).toMatchObject({ code: 0 });
  const file = join(home.path, "deputy.db");
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 999");
  db.close();
  const before = readFileSync(file);
  const { code, stderr } = await runDeputy(["run", "hi", "--home", home.path]);
  expect(code).toBe(1);
  expect(stderr).toContain("database_too_new");
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("[E7] exec runs a program against a plugin, and asks for its calls", async () => {
  using home = scratchDirectory();
  const args = ["exec", CELL, "--tools", PLUGIN, "--home", home.path];
  const { code, stdout, stderr } = await runDeputy(args, { input: "1 not now\ny\ny\ny\n", process: "own" });
  expect(stderr).toContain("Approve?");
  expect(code).toBe(3);
  const result = JSON.parse(stdout) as { closed: unknown[] };
  expect(JSON.stringify(result)).toContain("not now");
});

test("[E7] --approve all and none answer without asking", async () => {
  using home = scratchDirectory();
  const args = ["exec", CELL, "--tools", PLUGIN, "--home", home.path, "--json"];
  const all = await runDeputy([...args, "--approve", "all"]);
  expect(all.code).toBe(0);
  const lines = jsonLines(all.stdout);
  expect(lines.some((line) => line["type"] === "approval_resolved" && line["decision"] === "approved")).toBe(
    true,
  );
  expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed" });
  expect(await runDeputy([...args, "--approve", "none"])).toMatchObject({ code: 3 });
});

test("[E7] without anyone to ask, the answer is no (GC33)", async () => {
  using home = scratchDirectory();
  const { code } = await runDeputy(["exec", CELL, "--tools", PLUGIN, "--home", home.path]);
  expect(code).toBe(3);
});

test("[E8] a program that does not typecheck does not run", async () => {
  using home = scratchDirectory();
  const file = join(home.path, "wrong.ts");
  writeFileSync(
    file,
    'await tools.github.issues.list({});\nawait tools.github.issues.close({ nubmer: "1" });\n',
  );
  const args = ["exec", file, "--tools", PLUGIN, "--home", home.path, "--approve", "all"];
  const { code, stdout } = await runDeputy(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(/wrong\.ts:2:\d+ - TS\d+/);
  const { stdout: json } = await runDeputy([...args, "--json"]);
  expect(jsonLines(json).some((line) => line["type"] === "tool_result")).toBe(false);
  expect(await runDeputy(["check", file, "--tools", PLUGIN, "--home", home.path])).toMatchObject({ code: 1 });
});

test("[E8] a .js file is not typechecked", async () => {
  using home = scratchDirectory();
  const file = join(home.path, "plain.js");
  writeFileSync(file, "const x = 1; return x.nope ?? 'fine';");
  expect(await runDeputy(["exec", file, "--home", home.path])).toMatchObject({ code: 0, stdout: '"fine"\n' });
});

test("[E9] run says that it has no model, and runs fenced TypeScript", async () => {
  using home = scratchDirectory();
  const plain = await runDeputy(["run", "Book a flight", "--home", home.path]);
  expect(plain.stdout).toContain("no language model is connected");
  const program = await runDeputy(["run", fenced("return 6 * 7;"), "--home", home.path], { process: "own" });
  expect(program).toMatchObject({ code: 0 });
  expect(program.stdout).toContain("Result: 42");
});

test("[E9] the terminal talks line by line, in one session", async () => {
  using home = scratchDirectory();
  const input = "hello\n```ts\nreturn 6 * 7;\n```\n/exit\n";
  const { code, stdout } = await runDeputy(["--home", home.path], { input, process: "own" });
  expect(code).toBe(0);
  expect(stdout).toContain("no language model is connected");
  expect(stdout).toContain("Result: 42");
});

test("[E10] two processes do not share a home", async () => {
  using home = scratchDirectory();
  const first = startDeputy(["--home", home.path], { input: "" });
  await new Promise((resolve) => first.stderr?.once("data", resolve));
  const { code, stderr } = await runDeputy(["exec", CELL, "--home", home.path]);
  expect(code).toBe(1);
  expect(stderr).toContain("home_in_use");
  expect(stderr).toContain(String(first.pid));
  await finish(first);
});

test("[E11] exports whole sessions; imports what was said and done in one; the log verifies", async () => {
  using here = scratchDirectory();
  using there = scratchDirectory();
  await runDeputy(["run", fenced("return 1;"), "--home", here.path]);
  const [session] = jsonLines((await runDeputy(["sessions", "list", "--json", "--home", here.path])).stdout);
  const exported = await runDeputy(["sessions", "export", String(session?.["id"]), "--home", here.path]);
  expect(exported.code).toBe(0);
  expect(
    await runDeputy(["sessions", "import", "-", "--home", there.path], { input: exported.stdout }),
  ).toMatchObject({ code: 0 });
  const again = await runDeputy(["sessions", "export", String(session?.["id"]), "--home", there.path]);
  const [started, imported, ...copies] = jsonLines(again.stdout).slice(1, -1);
  expect(started).toMatchObject({ data: { key: `imported--${String(session?.["id"])}` } });
  expect(imported).toMatchObject({ type: "session.imported" });
  const originals = jsonLines(exported.stdout).map(({ type }) => type);
  expect(originals).toEqual(expect.arrayContaining(copies.map(({ type }) => type)));
  expect(copies.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["user.message", "cell.submitted", "cell.completed", "turn.completed"]),
  );
  expect(await runDeputy(["audit", "verify", "--home", there.path])).toMatchObject({ code: 0 });
  const cut = exported.stdout.split("\n").slice(0, -2).join("\n");
  mkdirSync(join(there.path, "fresh"));
  const refused = await runDeputy(["sessions", "import", "-", "--home", join(there.path, "fresh")], {
    input: cut,
  });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("import_invalid");
});

test("[E12] creates the token once, readable only by its owner", async () => {
  using home = scratchDirectory();
  const first = await runDeputy(["token", "--home", home.path]);
  expect(first.stdout.trim().length).toBeGreaterThanOrEqual(43);
  expect(statSync(join(home.path, "token")).mode & 0o777).toBe(0o600);
  expect((await runDeputy(["token", "--home", home.path])).stdout).toBe(first.stdout);
});

test("[E12] refuses a token that others may read, or that fits in no header", async () => {
  using home = scratchDirectory();
  const file = join(home.path, "token");
  for (const [text, mode] of [
    ["0123456789abcdef", 0o644],
    ["0123456789abcde", 0o600],
    ["0123456789abcdeé", 0o600],
  ] as const) {
    writeFileSync(file, text);
    chmodSync(file, mode);
    const { code, stderr } = await runDeputy(["token", "--home", home.path]);
    expect(code, text).toBe(1);
    expect(stderr).toContain("token_invalid");
  }
});

test("[E12] makes a directory created for it private; one opened to others later is used with a warning", async () => {
  using home = scratchDirectory();
  writeFileSync(join(home.path, "config.json"), "{}");
  chmodSync(home.path, 0o755);
  const token = () => runDeputy(["token", "--json", "--home", home.path]);
  expect(await token()).toMatchObject({ code: 0, stderr: "" });
  expect(statSync(home.path).mode & 0o777).toBe(0o700);
  chmodSync(home.path, 0o755);
  const { code, stderr } = await token();
  expect(code).toBe(0);
  expect(stderr).toContain("chmod 700");
});

/** A tool that prints `waiting` and then waits for a stop. */
function writeSlowPlugin(folder: string): string {
  const plugin = join(folder, "slow.ts");
  writeFileSync(
    plugin,
    `import { defineTool } from "@deputy/tools";
import { z } from "zod";
export default { slow: defineTool({ description: "Never ends", approval: "auto", args: z.object({}),
  run: (_input, { signal, progress }) => new Promise((_resolve, reject) => {
    progress("waiting");
    signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason), 200));
  }) }) };`,
  );
  return plugin;
}

async function exportOnlySession(home: string): Promise<string> {
  const [session] = jsonLines((await runDeputy(["sessions", "list", "--json", "--home", home])).stdout);
  return (await runDeputy(["sessions", "export", String(session?.["id"]), "--home", home])).stdout;
}

test("[E13] Ctrl-C stops the turn and records its end; the launcher's copy of the signal changes nothing", async () => {
  using home = scratchDirectory();
  const plugin = writeSlowPlugin(home.path);
  const cell = join(home.path, "cell.ts");
  writeFileSync(cell, "await tools.slow({});");
  const child = startDeputy(["exec", "--tools", plugin, cell, "--json", "--home", home.path]);
  const done = finish(child);
  await waitForOutput(child, "waiting");
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGINT"), 20);
  expect((await done).code).toBe(1);
  const exported = await exportOnlySession(home.path);
  expect(exported).toMatch(/"turn\.aborted".*"by":"user"/);
  expect(exported).toContain('"task.completed"');
});

test("[E13] SIGTERM ends a run in order, as a failure", async () => {
  using home = scratchDirectory();
  const args = ["run", fenced("await tools.slow({});"), "--tools", writeSlowPlugin(home.path)];
  const child = startDeputy([...args, "--json", "--home", home.path]);
  const done = finish(child);
  await waitForOutput(child, "waiting");
  child.kill("SIGTERM");
  expect((await done).code).toBe(1);
  expect(await exportOnlySession(home.path)).toMatch(/"turn\.aborted".*"by":"shutdown"/);
});

test.each([
  ["exec", "-"],
  ["sessions", "import", "-"],
])("[E13] SIGTERM ends a command that waits for its input: %s %s", async (...args) => {
  using home = scratchDirectory();
  chmodSync(home.path, 0o755);
  const child = startDeputy([...args, "--home", home.path], { input: "" });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  // It has opened its home: files that others could read there are now private.
  await vi.waitFor(() => expect(statSync(home.path).mode & 0o077).toBe(0));
  child.kill("SIGTERM");
  expect(await exited).toBe(1);
});

test("[E14] a program from stdin has nobody to ask, and does not wait", async () => {
  using home = scratchDirectory();
  const input = 'return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });';
  const args = ["exec", "-", "--tools", PLUGIN, "--home", home.path];
  const { code, stderr } = await runDeputy(args, { input, process: "own" });
  expect(stderr).toContain("Nobody was there to answer.");
  expect(code).toBe(3);
});

test("[E14] a plugin's output or open handles disturb neither stdout nor the end", async () => {
  using home = scratchDirectory();
  const plugin = join(home.path, "loud.ts");
  writeFileSync(
    plugin,
    `import { defineTool } from "@deputy/tools";
import { z } from "zod";
setInterval(() => {}, 1000);
console.log("loaded");
export default { loud: defineTool({ description: "Talks", approval: "auto", args: z.object({}),
  run: () => { console.info("called"); console.table([1]); return 1; } }) };`,
  );
  const args = ["exec", "-", "--tools", plugin, "--home", home.path, "--json"];
  const { code, stdout, stderr } = await runDeputy(args, {
    input: "return await tools.loud({});",
    process: "own",
  });
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", result: 1 });
  expect(stderr).toContain("loaded");
  expect(stderr).toContain("called");
});

test("[E14] a closed pipe ends the command without a stack trace", async () => {
  using home = scratchDirectory();
  const child = startDeputy([
    "exec",
    CELL,
    "--tools",
    PLUGIN,
    "--home",
    home.path,
    "--json",
    "--approve",
    "all",
  ]);
  child.stdout?.destroy();
  const { stderr, code } = await finish(child);
  expect(code).not.toBeNull();
  expect(stderr).not.toContain("EPIPE");
  expect(await runDeputy(["audit", "verify", "--home", home.path])).toMatchObject({ code: 0 });
});

test.skipIf(!existsSync("/dev/full"))(
  "[E14] ends if it can no longer write anything, not even that error",
  async () => {
    using home = scratchDirectory();
    const outputs = openSync("/dev/full", "w");
    const child = startDeputy(["chat", "--home", home.path], { outputs });
    closeSync(outputs);
    const [code] = await once(child, "exit");
    expect(code).toBe(1);
  },
);

test("[E15] reports a pinned Node that is itself too old, instead of restarting endlessly", async () => {
  using scratch = scratchDirectory();
  const old = join(scratch.path, "old.mjs");
  writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "20.0.0" });');
  const { code, stderr } = await runDeputy(["--version"], { env: { NODE_OPTIONS: `--import=${old}` } });
  expect(code).toBe(1);
  expect(stderr).toContain("this needs Node 24 or newer, and this is Node 20.0.0");
});
