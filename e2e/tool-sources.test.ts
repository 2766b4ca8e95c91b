import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
