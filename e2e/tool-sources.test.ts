import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFakeGitHub, openFakePostHog } from "@deputy/testing";
import { expect, test } from "vitest";
import { ROOT } from "./repository.ts";
import { jsonLines, PLUGIN, runDeputy, scratchDirectory, startDaemon } from "./run-deputy.ts";

const NOTES = join(ROOT, "examples/openapi/notes.yaml");

function setup() {
  const home = scratchDirectory();
  const run = (...args: readonly string[]) => runDeputy([...args, "--home", home.path], { cwd: home.path });
  const json = async (...args: readonly string[]) => jsonLines((await run(...args, "--json")).stdout);
  const settings = (): unknown => JSON.parse(readFileSync(join(home.path, "config.json"), "utf8"));
  return { home: home.path, run, json, settings, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

test("[E400] tools add loads a source before saving it, and remove removes it again", async () => {
  using world = setup();
  expect(await world.run("tools", "add", "plugin", PLUGIN)).toMatchObject({ code: 0 });
  expect(await world.json("tools", "add", "openapi", NOTES, "--name", "notes")).toMatchObject([
    { type: "tool_source", name: "notes" },
  ]);
  expect(world.settings()).toEqual({
    toolSources: [PLUGIN, { type: "openapi", spec: NOTES, name: "notes" }],
  });
  const twice = await world.run("tools", "add", "plugin", PLUGIN);
  expect(twice).toMatchObject({ code: 2 });
  const missing = await world.run("tools", "add", "openapi", "./none.yaml", "--name", "none");
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stderr).toContain("Nothing was changed");

  expect(await world.run("tools", "remove", "nothing")).toMatchObject({ code: 1 });
  expect(await world.run("tools", "remove", "notes")).toMatchObject({ code: 0 });
  expect(await world.run("tools", "remove", PLUGIN)).toMatchObject({ code: 0 });
  expect(world.settings()).toEqual({ toolSources: [] });
});

test("[E400] tools add plugin names every namespace of the plugin", async () => {
  using world = setup();
  const file = join(world.home, "two.ts");
  writeFileSync(
    file,
    `import { defineTool } from "@deputy/tools";
    import { z } from "zod";
    const tool = defineTool({ description: "Says", approval: "auto", args: z.object({}), run: () => 1 });
    export default { alpha: { tool }, beta: { tool } };`,
  );
  const { stdout } = await world.run("tools", "add", "plugin", file);
  expect(stdout).toContain("2 tools, as tools.alpha, tools.beta.");
});

test.each(["Files", "Deputy", "Web"])(
  "[E403] a document that calls itself %s cannot replace Deputy's own tools, and keeps its name (GC47)",
  async (title) => {
    using world = setup();
    const file = join(world.home, "api.json");
    const document = (name: string): string =>
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: name, version: "1" },
        servers: [{ url: "http://127.0.0.1:9" }],
        paths: { "/x": { get: { operationId: "read", responses: { 200: { description: "ok" } } } } },
      });
    writeFileSync(file, document(title));
    const refused = await world.run("tools", "add", "openapi", file);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("are Deputy's own");

    writeFileSync(file, document("Notes"));
    expect(await world.run("tools", "add", "openapi", file)).toMatchObject({ code: 0 });
    writeFileSync(file, document(title));
    const names = (await world.json("tools", "list")).map(({ name }) => name);
    expect(names).toContain("notes");
    expect(names).toContain("files");
    expect((await world.json("tools", "list", "files")).length).toBeGreaterThan(5);

    writeFileSync(
      join(world.home, "config.json"),
      JSON.stringify({ toolSources: [{ type: "openapi", spec: "./api.json" }] }),
    );
    const started = await world.run("exec", "-");
    expect(started.stderr).toContain("is left out");
    expect(started.stderr).not.toContain("duplicate_tool");
  },
);

test("[E401] tools list, search and describe show what a model finds", async () => {
  using world = setup();
  await world.run("tools", "add", "plugin", PLUGIN);
  expect(await world.json("tools", "list")).toContainEqual({ type: "namespace", name: "github", tools: 2 });
  const listed = await world.json("tools", "list", "github");
  expect(listed.map(({ path }) => path)).toEqual(["github.issues.close", "github.issues.list"]);
  const [first] = await world.json("tools", "search", "close", "an", "issue");
  expect(first).toMatchObject({ type: "tool", path: "github.issues.close", approval: "required" });
  const { stdout } = await world.run("tools", "describe", "github.issues.close");
  expect(stdout).toContain("readonly close:");
  expect(await world.run("tools", "list", "gitub")).toMatchObject({ code: 1 });
  for (const words of [[""], [" ", ""]]) {
    const nothing = await world.run("tools", "search", ...words);
    expect(nothing).toMatchObject({ code: 2, stdout: "" });
    expect(nothing.stderr).toContain("no words to search for");
  }
});

test("[E402] a running daemon picks up a new, changed or broken plugin without a restart", async () => {
  using world = setup();
  const plugin = (result: string): string => `
    import { defineTool } from "@deputy/tools";
    import { z } from "zod";
    const tool = defineTool({ description: "Says", approval: "auto", args: z.object({}), run: () => ${result} });
    export default { fresh: { tool } };
  `;
  mkdirSync(join(world.home, "plugins"));
  const file = join(world.home, "plugins/fresh.ts");
  const program = join(world.home, "use.ts");
  writeFileSync(program, "return await tools.fresh.tool({});\n");
  await using _daemon = await startDaemon(world.home, [], {});
  const use = async () => {
    const { stdout, stderr } = await world.run("exec", program);
    return stdout + stderr;
  };

  expect((await world.run("exec", program)).code).not.toBe(0);
  writeFileSync(file, plugin('"first"'));
  expect(await use()).toContain("first");
  writeFileSync(file, plugin('"the second"'));
  expect(await use()).toContain("the second");
  writeFileSync(file, "throw new Error('broken');");
  expect(await use()).toContain("the second");
});

test("[E840] the plugins that Deputy brings are connected by name, with a token by reference", async () => {
  using world = setup();
  const typed = await world.run("tools", "add", "github", "--token", "ghp_typed");
  expect(typed).toMatchObject({ code: 2, stderr: expect.stringContaining("env:NAME") });
  expect(await world.run("tools", "add", "github")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("7 tools, as tools.github."),
    stderr: expect.stringContaining("env:GITHUB_TOKEN, where there is none yet"),
  });
  expect(await world.run("tools", "add", "posthog", "--token", "env:MY_KEY")).toMatchObject({ code: 0 });
  expect(world.settings()).toEqual({
    toolSources: ["@deputy/github", "@deputy/posthog"],
    credentials: {
      github: { secret: "env:GITHUB_TOKEN", tools: ["github.**"] },
      posthog: { secret: "env:MY_KEY", tools: ["posthog.**"] },
    },
  });

  await using github = await openFakeGitHub({ token: "ghp_1", issues: [{ number: 1, title: "One" }] });
  const visit = { event: "$pageview", host: "example.org", at: "2026-03-01T08:00:00Z" };
  await using posthog = await openFakePostHog({
    key: "phx_1",
    visits: [
      { ...visit, person: "ada" },
      { ...visit, person: "bob" },
    ],
  });
  const cell = join(world.home, "cell.ts");
  writeFileSync(
    cell,
    `const issues = await tools.github.issues.list({ owner: "acme", repo: "demo" });
    return [issues.length, (await tools.posthog.visitors({})).count];`,
  );
  const env = {
    GITHUB_API_URL: github.origin,
    POSTHOG_HOST: posthog.origin,
    GITHUB_TOKEN: "ghp_1",
    MY_KEY: "phx_1",
  };
  const ran = await runDeputy(["exec", cell, "--home", world.home, "--json"], { env, cwd: world.home });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain("[1,2]");
  expect(await world.run("tools", "remove", "@deputy/github")).toMatchObject({ code: 0 });
});
