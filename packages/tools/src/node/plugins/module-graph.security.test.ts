import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashModules } from "./module-graph.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "deputy-graph-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>, under: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, under, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return join(home, under, "plugin.ts");
}

const WAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an import": { "plugin.ts": `import { pay } from "./lib/pay.ts";` },
  "an import for its effect": { "plugin.ts": `import "./lib/pay.ts";` },
  "an export from it": { "plugin.ts": `export * from './lib/pay.ts';` },
  "a later import": { "plugin.ts": `const pay = () => import("./lib/pay.ts");` },
  "a template": { "plugin.ts": "const pay = () => import(`./lib/pay.ts`);" },
  "an import in between": {
    "plugin.ts": `import "./between.ts";`,
    "between.ts": `export * from "./lib/pay.ts";`,
  },
  "a circle": {
    "plugin.ts": `import "./round.ts";`,
    "round.ts": `import "./plugin.ts"; import "./lib/pay.ts";`,
  },
  "a computed name": { "plugin.ts": "const load = (name) => import(`./lib/${name}.ts`);" },
  "a name that is put together": { "plugin.ts": `await import("./lib/" + which);` },
  "a renamed require": { "plugin.ts": `const load = createRequire(import.meta.url); load("./lib/pay.ts");` },
  "a worker": { "plugin.ts": `new Worker(new URL("./lib/pay.ts", import.meta.url));` },
  "a name of the package's own": {
    "plugin.ts": `import "#pay";`,
    "package.json": `{ "imports": { "#pay": "./lib/pay.ts" } }`,
  },
};

test.each(Object.entries(WAYS))(
  "[T74] a plugin is another once a module that it reaches by %s changes",
  async (way, files) => {
    const path = await write({ "lib/pay.ts": "export const pay = 1;", ...files }, way);
    const before = hashModules(path);
    expect(hashModules(path)).toBe(before);
    await write({ "lib/pay.ts": "export const pay = 2;" }, way);
    expect(hashModules(path)).not.toBe(before);
  },
);

test("[T74] imported data is code, data that is only read is not, and what lies beside it is neither", async () => {
  const path = await write(
    {
      "plugin.ts": `import rates from "./rates.json" with { type: "json" }; readFile("./state.json");`,
      "rates.json": "1",
      "state.json": "1",
      "other.ts": "1",
    },
    "data",
  );
  const before = hashModules(path);
  await write({ "state.json": "2", "other.ts": "2" }, "data");
  expect(hashModules(path)).toBe(before);
  await write({ "rates.json": "2" }, "data");
  expect(hashModules(path)).not.toBe(before);
});

test("[T74] what is missing, or not a module, makes no trouble", () => {
  expect(hashModules(join(home, "nowhere.ts"))).toMatch(/^[\da-f]{64}$/);
  expect(hashModules(home)).toMatch(/^[\da-f]{64}$/);
});
