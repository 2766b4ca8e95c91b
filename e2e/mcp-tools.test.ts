import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSystemClock } from "@deputy/kit";
import { createConnection } from "@deputy/source-mcp/connection";
import { createChildTransports } from "@deputy/source-mcp/node";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { jsonLines, PLUGIN, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

const CELL = join(ROOT, "examples/cells/lend-a-book.cell.ts");

/** A home, and a copy of the example's server that a test can change. */
function setUp() {
  const home = scratchDirectory();
  const server = join(home.path, "shelf-server.ts");
  copyFileSync(join(ROOT, "examples/mcp/shelf-server.ts"), server);
  const run = (args: readonly string[], input?: string) =>
    runDeputy([...args, "--home", home.path], input === undefined ? {} : { input });
  const add = (input: string) =>
    runDeputy(["--home", home.path, "tools", "add", "mcp", "shelf", "--", process.execPath, server], {
      input,
    });
  const change = (from: string, to: string): void =>
    writeFileSync(server, readFileSync(server, "utf8").replace(from, to));
  return { home: home.path, run, add, change, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E260] adds an MCP server after a review and a yes, and a program can use its tools", async () => {
  using world = setUp();
  const refused = await world.add("n\n");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("lend_book  (write, asks before every call)");
  expect(existsSync(join(world.home, "mcp/shelf.json"))).toBe(false);

  expect(await world.add("y\n")).toMatchObject({ code: 0, stdout: expect.stringContaining("2 tools") });
  const ran = await world.run(["exec", CELL, "--approve", "all"]);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Ada has Emma now") });
  const denied = await world.run(["exec", CELL, "--approve", "none"]);
  expect(denied.code).not.toBe(0);
});

test("[E261] GC46 a changed tool cannot be called until it was reviewed again", async () => {
  using world = setUp();
  await world.add("y\n");
  world.change("Lends a book to somebody", "Lends a book to somebody, and tells eve");
  const ran = await world.run(["exec", CELL, "--approve", "all", "--json"]);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout).toContain("its definition has changed since you approved it");
  expect(jsonLines(ran.stdout).map(({ type }) => type)).not.toContain("approval_request");
  const again = await world.run(["exec", CELL, "--approve", "all", "--json"]);
  expect(again.stdout).toContain('"mcp_tool_disabled"');
  expect((await world.run(["tools", "servers"])).stdout).toContain("shelf  2 tools, 1 changed");

  const looked = await world.run(["tools", "approve", "shelf"], "y\n");
  expect(looked).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("+Lends a book to somebody, and tells eve"),
  });
  expect((await world.run(["exec", CELL, "--approve", "all"])).stdout).toContain("Ada has Emma now");
});

test.each([
  ["constructor", "cannot be the name of a server"],
  ["then", "cannot be the name of a server"],
  ["files", "tools.files are Deputy's own"],
])("[E267] refuses %s as a server's name before anything is started or written", async (name, why) => {
  using home = scratchDirectory();
  const trace = join(home.path, "trace");
  const added = await runDeputy(
    ["--home", join(home.path, "home"), "tools", "add", "mcp", name, "--yes", "--", "touch", trace],
    {},
  );
  expect(added).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(added.stderr).toContain("Take another name");
  expect(added.stderr).not.toContain("config set");
  expect([trace, join(home.path, "home")].map((path) => existsSync(path))).toEqual([false, false]);
});

test("[E262] a daemon is ready without its MCP servers running, and has their tools", async () => {
  using world = setUp();
  await world.add("y\n");
  const pid = join(world.home, "pid");
  // The same command now leaves a trace, and never answers.
  writeFileSync(
    join(world.home, "shelf-server.ts"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(pid)}, ""); setInterval(() => undefined, 1_000);`,
  );
  await using daemon = await startDaemon(world.home);
  expect((await daemon.fetch("/health")).status).toBe(200);
  expect((await world.run(["tools", "types", "shelf"])).stdout).toContain("lend_book");
  expect(existsSync(pid)).toBe(false);
});

test("[E268] approvals while a daemon runs count from the next message on, and refused tools do not run", async () => {
  using world = setUp();
  await using daemon = await startDaemon(world.home);
  const program = join(world.home, "lend.ts");
  writeFileSync(program, `return (await tools.shelf.lend_book({ title: "Emma", to: "Ada" })).text;`);
  const args = ["exec", program, "--approve", "all", "--home", world.home];
  const lend = () => runDeputy(args, { env: { DEPUTY_TOKEN: TOKEN } });
  await world.add("y\n");
  expect(await lend()).toMatchObject({ code: 0, stdout: expect.stringContaining("Ada has Emma now") });

  // The daemon's own server still runs the older program, and reports nothing.
  world.change("Lends a book to somebody", "Lends a book to somebody, and tells eve");
  expect((await world.run(["tools", "approve", "shelf"], "n\n")).code).toBe(1);
  const refused = await lend();
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain("its definition has changed since you approved it");

  const approved = await world.run(["tools", "approve", "shelf"], "y\n");
  expect(approved.stdout).toContain("A running daemon has them from the next message on.");
  expect(await lend()).toMatchObject({ code: 0, stdout: expect.stringContaining("Ada has Emma now") });
  expect((await daemon.fetch("/health")).status).toBe(200);
});

test("[E269] reviews, uses and removes a server of mcpServers like any other", async () => {
  using world = setUp();
  const file = join(world.home, "config.json");
  const shelf = {
    command: process.execPath,
    args: [join(world.home, "shelf-server.ts")],
    autoApprove: ["*"],
  };
  writeFileSync(file, JSON.stringify({ mcpServers: { shelf } }));
  expect((await world.run(["tools", "servers"])).stdout).toContain("shelf  you have not approved it yet");
  expect((await world.run(["config", "check"])).stdout).toContain("mcpServers.shelf: You have not reviewed");
  expect((await world.run(["tools", "approve", "shelf"], "y\n")).code).toBe(0);
  expect((await world.run(["tools", "servers"])).stdout).toContain("shelf  2 tools");
  expect((await world.run(["tools", "list"])).stdout).toContain("shelf");
  expect((await world.run(["exec", CELL, "--approve", "all"])).stdout).toContain("Ada has Emma now");
  const asked = await world.run(["exec", CELL, "--approve", "none", "--json"]);
  expect(jsonLines(asked.stdout).map(({ type }) => type)).toContain("approval_request");

  expect(await world.add("y\n")).toMatchObject({ code: 2, stderr: expect.stringContaining("already") });
  expect((await world.run(["tools", "remove", "shelf"])).code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ mcpServers: {} });
});

test("[E264] GC47 one server's words are untrusted in a call to another, whatever the rules allow", async () => {
  using world = setUp();
  await world.add("y\n");
  const file = join(world.home, "config.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as { toolSources: [{ name: string }] };
  const [shelf] = config.toolSources;
  const policy = { rules: [{ tool: "desk.lend_book", decision: "allow" }] };
  writeFileSync(file, JSON.stringify({ policy, toolSources: [shelf, { ...shelf, name: "desk" }] }));
  await world.run(["tools", "approve", "desk", "--yes"]);
  const lend = async (to: string) => {
    const program = join(world.home, "lend.ts");
    writeFileSync(
      program,
      `const { books } = await tools.shelf.list_books();\nreturn await tools.desk.lend_book({ title: "Emma", to: ${to} });`,
    );
    return jsonLines((await world.run(["exec", program, "--approve", "none", "--json"])).stdout);
  };
  const asked = (await lend("books[1]!.lentTo!")).filter(({ type }) => type === "approval_request");
  expect(JSON.stringify(asked)).toContain("mcp:shelf");
  expect((await lend('"Ada"')).map(({ type }) => type)).not.toContain("approval_request");
});

test("[E265] a server made with MCP's own SDK works over stdio: lists, calls, questions, progress, resources", async () => {
  const openTransport = createChildTransports(() => ({
    command: process.execPath,
    args: [join(ROOT, "e2e/conformance/everything-stdio.ts")],
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "" },
  }));
  await using connection = createConnection({
    name: "all",
    version: "1",
    clock: createSystemClock(),
    openTransport,
  });
  const { signal } = new AbortController();
  const { definitions, offers } = await connection.listing(signal);
  expect(offers).toEqual({ resources: true, prompts: true });
  const names = definitions.map(({ name }) => name);
  expect(names).toContain("test_simple_text");
  const result = await connection.request({ signal }, (client, options) =>
    client.callTool({ name: "test_simple_text", arguments: {} }, options),
  );
  expect(result.content).toMatchObject([{ type: "text" }]);
  const { resources } = await connection.request({ signal }, (client, options) =>
    client.request({ method: "resources/list", params: {} }, options),
  );
  expect(resources.length).toBeGreaterThan(0);
});

test("[E266] another Deputy works as a server over HTTP, with a token that is never in the settings", async () => {
  using there = scratchDirectory();
  await using daemon = await startDaemon(there.path, ["--tools", PLUGIN]);
  using world = setUp();
  const env = { OTHER_TOKEN: `Bearer ${TOKEN}` };
  const url = new URL("/mcp", daemon.url).href;
  const added = await runDeputy(
    [
      "--home",
      world.home,
      "tools",
      "add",
      "mcp",
      "other",
      "--url",
      url,
      "--header",
      "authorization=env:OTHER_TOKEN",
    ],
    { input: "y\n", env },
  );
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("run_code") });
  expect(readFileSync(join(world.home, "config.json"), "utf8")).not.toContain(TOKEN);
  const program = join(world.home, "there.ts");
  writeFileSync(program, 'return await tools.other.run_code({ code: "return 6 * 7;" });');
  const ran = await runDeputy(["exec", program, "--approve", "all", "--home", world.home], { env });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("42") });
});
