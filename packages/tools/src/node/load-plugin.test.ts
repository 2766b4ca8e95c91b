import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const OURS = JSON.stringify({ toolsUrl: new URL("../plugin-api.ts", import.meta.url).href });

/** Loads plugins in a process of its own, as Deputy does, and prints what `report` makes of the tree. */
async function setup(files: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), "plugin-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const load = async (plugin: string, report: string, install = OURS): Promise<unknown> => {
    const script = `import { installPluginResolution } from ${module("./install-plugin-resolution.ts")};
      import { loadPlugin } from ${module("./load-plugin.ts")};
      import { ToolsError } from ${module("../plugin-api.ts")};
      installPluginResolution(${install});
      const report = ${report};
      const said = await loadPlugin(${JSON.stringify(plugin)}).then(report, (error) =>
        ({ code: error.code, message: error.message, coded: error instanceof ToolsError }));
      process.stdout.write(JSON.stringify(said));`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      cwd: directory,
    });
    return JSON.parse((await run).stdout);
  };
  return { directory, load };
}

const PLUGIN = `import { defineTool } from "@deputy/tools";
  import { z } from "zod";
  import { text } from "./lib/text.ts";
  const say: string = text;
  export default { demo: { say: defineTool({ description: say, approval: "auto", args: z.object({ n: z.number() }), run: ({ n }) => n }) } };`;
const LIB = `import { z } from "zod"; import * as sub from "zod/v4"; export const text = z.string().parse("Says") + (sub.z === z ? "" : "!");`;
const paths = `async (tree) => (await import(${JSON.stringify(new URL("../create-catalogue.ts", import.meta.url).href)}))
  .createCatalogue([{ source: "x", tree }]).list().map((tool) => [tool.path, tool.description])`;

test("[T12] a plugin anywhere on disk can import our tools and zod without installing them", async () => {
  const { load } = await setup({ "plugin.ts": PLUGIN, "lib/text.ts": LIB });
  expect(await load("plugin.ts", paths)).toEqual([["demo.say", "Says"]]);
});

test("[T12] JavaScript works too, and packages installed for an editor do not interfere", async () => {
  const { load } = await setup({
    "plugin.mjs": `import { defineTool } from "@deputy/deputy/tools"; import { z } from "zod";
      export default { x: defineTool({ description: "X", approval: "auto", args: z.object({}), run: () => 1 }) };`,
    "node_modules/zod/package.json": '{ "name": "zod", "type": "module", "exports": "./index.js" }',
    "node_modules/zod/index.js": "export const z = 'wrong';",
    "node_modules/@deputy/deputy/package.json":
      '{ "name": "@deputy/deputy", "type": "module", "exports": { "./tools": "./tools.js" } }',
    "node_modules/@deputy/deputy/tools.js": "export const defineTool = () => 'wrong';",
  });
  expect(await load("plugin.mjs", paths)).toEqual([["x", "X"]]);
});

test("[T12] installed packages keep their own zod, and other imports are unchanged", async () => {
  const { load } = await setup({
    "plugin.js": `import { which } from "other"; import { readFileSync } from "node:fs"; export default { which, readFileSync };`,
    "package.json": '{ "type": "module" }',
    "node_modules/zod/package.json": '{ "name": "zod", "type": "module", "exports": "./index.js" }',
    "node_modules/zod/index.js": "export const z = 'their own';",
    "node_modules/other/package.json": '{ "name": "other", "type": "module", "exports": "./index.js" }',
    "node_modules/other/index.js": 'export { z as which } from "zod";',
  });
  expect(await load("plugin.js", "(tree) => [tree.which, typeof tree.readFileSync]")).toEqual([
    "their own",
    "function",
  ]);
});

test("[T12] a bundle can name its own copies", async () => {
  const { directory, load } = await setup({
    "plugin.ts": 'import { name } from "@deputy/tools"; import { z } from "zod"; export default { name, z };',
    "tools.js": "export const name = 'bundled tools';",
    "zod.js": "export const z = 'bundled zod';",
    "package.json": '{ "type": "module" }',
  });
  const install = JSON.stringify({
    toolsUrl: `file://${directory}/tools.js`,
    zodUrl: `file://${directory}/zod.js`,
  });
  expect(await load("plugin.ts", "(tree) => tree", install)).toEqual({
    name: "bundled tools",
    z: "bundled zod",
  });
});

test("[T13] distinguishes missing, broken and empty plugins, with the file and the line if known", async () => {
  const { directory, load } = await setup({
    "throws.ts": 'throw new Error("no token");',
    "syntax.ts": "const n: number = 1;\nexport default {",
    "plain.mjs": "export default {\n  a: 1,,\n};",
    "enum.ts": "\n\nenum A { b }\nexport default {};",
    "name.ts": 'import { nothing } from "node:fs";\nexport default {};',
    "imports.ts": 'import "not-installed"; export default {};',
    "nothing.ts": "export const tools = {};",
    "list.ts": "export default [];",
    "tool.ts":
      'import { defineTool } from "@deputy/tools"; import { z } from "zod"; export default defineTool({ description: "x", approval: "auto", args: z.object({}), run: () => 1 });',
  });
  const expected = {
    "missing.ts": ["plugin_not_found", /There is no plugin file .*missing\.ts/],
    ".": ["plugin_not_found", /There is no plugin file/],
    "throws.ts": ["plugin_failed", /throws\.ts could not be loaded: no token \(.*throws\.ts:1\)/],
    "syntax.ts": ["plugin_failed", /syntax\.ts could not be loaded: .* \(\/.*syntax\.ts:2\)/],
    "plain.mjs": ["plugin_failed", /Unexpected token ',' \(\/.*plain\.mjs:2\)/],
    "enum.ts": ["plugin_failed", /enum is not supported .* \(\/.*enum\.ts:3\)/],
    "name.ts": ["plugin_failed", /does not provide an export named 'nothing' \(\/.*name\.ts:1\)/],
    "imports.ts": ["plugin_failed", /imports\.ts could not be loaded: Cannot find package 'not-installed'/],
    "nothing.ts": ["plugin_invalid", /The default export of .*nothing\.ts is not a tree of tools/],
    "list.ts": ["plugin_invalid", /list\.ts/],
    "tool.ts": ["plugin_invalid", /tool\.ts/],
  } as const;
  for (const [file, [code, message]] of Object.entries(expected)) {
    const failed = await load(join(directory, file), "() => 'loaded'");
    expect(failed, file).toEqual({ code, message: expect.stringMatching(message), coded: true });
  }
});
