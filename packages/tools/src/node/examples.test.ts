import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type CellOutcome, DEFAULT_CELL_LIMITS, type Settlement } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { expect, test } from "vitest";
import { createCatalogue } from "../create-catalogue.ts";
import type { ToolContext } from "../tool.ts";
import { loadPlugin } from "./load-plugin.ts";

const example = (path: string): string =>
  fileURLToPath(new URL(`../../../../examples/${path}`, import.meta.url));

test("[T12] the example plugin and its cell work together: checked, stripped, run, one call denied", async () => {
  const signal = new AbortController().signal;
  const context: ToolContext = {
    signal,
    idempotencyKey: "k",
    sessionKey: "s",
    approvedBy: "user",
    progress: () => {},
    log: () => {},
  };
  const catalogue = createCatalogue([
    { source: "example", tree: await loadPlugin(example("issues-plugin.ts")) },
  ]);
  const code = await readFile(example("cells/close-old-issues.cell.ts"), "utf8");
  await using checker = createNodeTypeChecker();
  await using sandbox = createWorkerSandbox();
  expect(await checker.check({ code, declarations: catalogue.declarations() }, signal)).toEqual([]);

  const callTool = async (path: string, inputJson: string): Promise<Settlement> => {
    const tool = catalogue.get(path);
    const parsed = await tool?.parseInput(JSON.parse(inputJson));
    if (tool === undefined || parsed?.kind !== "ok") throw new Error(`${path} was called wrongly`);
    const isDenied = (await tool.preview(parsed.input)).title === "Close acme/demo#2";
    if (isDenied) return { kind: "error", code: "denied", message: "Not that one", atMs: Date.now() };
    return { kind: "ok", json: JSON.stringify(await tool.run(parsed.input, context)), atMs: Date.now() };
  };
  const cell = sandbox.start(
    {
      code: createNodeTypeStripper().strip(code),
      toolPaths: catalogue.list().map((tool) => tool.path),
      limits: DEFAULT_CELL_LIMITS,
      startedAtMs: Date.now(),
      seed: 1,
      onCall: ({ id, path, inputJson }) =>
        void callTool(path, inputJson).then((settlement) => cell.settle(id, settlement)),
    },
    signal,
  );
  const outcome: CellOutcome = await cell.outcome;
  expect(outcome).toMatchObject({ kind: "completed", logs: ["4 of 6 open issues are older than 30 days"] });
  expect(JSON.parse((outcome.kind === "completed" && outcome.resultJson) || "null")).toEqual({
    closed: [1, 3, 4],
    kept: [{ number: 2, why: "Not that one" }],
    open: 3,
  });
});
