import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolSource } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { createProgramPlugins } from "./home-tools.ts";

const tool = (description: string): string =>
  `{ kind: "deputy.tool", definition: { description: ${JSON.stringify(description)}, approval: "auto", args: z.object({}), run: () => 1 } }`;

function setup(sources: (file: (name: string) => string) => readonly ToolSource[] = () => []) {
  const directory = mkdtempSync(join(tmpdir(), "prepare-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, `import { z } from "zod";\n${text}`);
    return file;
  };
  const stop = new AbortController();
  const plugins = createProgramPlugins({
    env: process.env,
    own: (plugin) => onTestFinished(() => plugin[Symbol.asyncDispose]()),
    sources: () => sources((name) => join(directory, name)),
    builtins: { source: "own", tree: {} },
    loaded: [],
    signal: stop.signal,
  });
  const toolsWith = async (...files: readonly string[]) =>
    (await plugins.open(new Set(files))).catalogue
      .list()
      .map(({ path, description }) => `${path}: ${description}`);
  return { write, stop, toolsWith };
}

test("loads the current version of an edited plugin", async () => {
  const { write, toolsWith } = setup();
  const file = write("lamp.ts", `export default { lamp: ${tool("first")} };`);
  expect(await toolsWith(file)).toEqual(["lamp: first"]);
  write("lamp.ts", `export default { lamp: ${tool("second")} };`);
  expect(await toolsWith(file, file)).toEqual(["lamp: second"]);
});

test("a plugin replaces the engine's own copy; another with the same path is refused", async () => {
  const old = { source: "", tree: {} };
  const { write, toolsWith } = setup((file) => [{ ...old, source: file("lamp.ts") }]);
  const file = write("lamp.ts", `export default { lamp: ${tool("own")} };`);
  expect(await toolsWith(file)).toEqual(["lamp: own"]);
  const other = write("other.ts", `export default { lamp: ${tool("other")} };`);
  await expect(toolsWith(file, other)).rejects.toMatchObject({ code: "duplicate_tool" });
});

test("gives up loading a plugin at once when Deputy stops", async () => {
  const { write, toolsWith, stop } = setup();
  const file = write("slow.ts", "await new Promise(() => setInterval(() => {}, 1_000));\nexport default {};");
  const stopped = toolsWith(file);
  stop.abort(new Error("stop"));
  await expect(stopped).rejects.toThrow("stop");
});
