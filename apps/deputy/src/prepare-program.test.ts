import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTurnKeeper } from "@deputy/agent";
import type { CellRunner } from "@deputy/agent/turns";
import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/policy/secrets";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import type { Catalogue, ToolSource } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { createProgramPreparer } from "./prepare-program.ts";

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
  const clock = createFakeClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const stop = new AbortController();
  const catalogues: Catalogue[] = [];
  const refuse = () => {
    throw new Error("Nothing is run here");
  };
  const cells: CellRunner = { run: refuse, draft: refuse, proceed: refuse, resume: refuse };
  const ids = createIdSource({ clock });
  const preparer = createProgramPreparer({
    keeper: createTurnKeeper({ log, owner: "test", clock, redactor: createRedactor([]) }),
    env: process.env,
    own: (plugin) => onTestFinished(() => plugin[Symbol.asyncDispose]()),
    sources: () => sources((name) => join(directory, name)),
    builtins: { source: "own", tree: {} },
    cells: () => cells,
    cellsOver: (catalogue) => {
      catalogues.push(catalogue);
      return cells;
    },
    signal: stop.signal,
  });
  const prepareWith = (...plugins: readonly string[]) =>
    preparer.prepare({ code: "", language: "typescript", plugins: [...plugins] }, ids.next("cell"));
  const tools = () =>
    catalogues
      .at(-1)
      ?.list()
      .map(({ path, description }) => `${path}: ${description}`);
  return { write, stop, prepareWith, tools };
}

test("an edited plugin is loaded as it is now", async () => {
  const { write, prepareWith, tools } = setup();
  const file = write("lamp.ts", `export default { lamp: ${tool("first")} };`);
  await prepareWith(file);
  expect(tools()).toEqual(["lamp: first"]);
  write("lamp.ts", `export default { lamp: ${tool("second")} };`);
  await prepareWith(file, file);
  expect(tools()).toEqual(["lamp: second"]);
});

test("a plugin that the engine has already takes that one's place; another of the same path does not", async () => {
  const old = { source: "", tree: {} };
  const { write, prepareWith, tools } = setup((file) => [{ ...old, source: file("lamp.ts") }]);
  const file = write("lamp.ts", `export default { lamp: ${tool("own")} };`);
  await prepareWith(file);
  expect(tools()).toEqual(["lamp: own"]);
  const other = write("other.ts", `export default { lamp: ${tool("other")} };`);
  await expect(prepareWith(file, other)).rejects.toMatchObject({ code: "duplicate_tool" });
});

test("a plugin that does not finish loading is given up at once when Deputy stops", async () => {
  const { write, prepareWith, stop } = setup();
  const file = write("slow.ts", "await new Promise(() => setInterval(() => {}, 1_000));\nexport default {};");
  const stopped = prepareWith(file);
  stop.abort(new Error("stop"));
  await expect(stopped).rejects.toThrow("stop");
});
