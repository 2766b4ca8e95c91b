import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { demoSources } from "./demo-source.ts";

const REHEARSAL = { provider: "rehearsal", model: "tour" };
const TOOL = defineTool({ description: "Mine", approval: "auto", args: z.object({}), run: () => 1 });

function setup(model = REHEARSAL, ...trees: readonly ToolTree[]) {
  const home = mkdtempSync(join(tmpdir(), "demo-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const own = trees.map((tree, index) => ({ source: `plugin ${index}`, tree }));
  const sources = [...own, ...demoSources(model, own, { home, clock: createFakeClock() })];
  return createCatalogue(sources);
}

test("the rehearsal has the demo beside the user's tools: listing just runs, closing asks", () => {
  const tools = setup(REHEARSAL, { mail: { send: TOOL } }).list();
  expect(tools.map(({ path, approval }) => `${path} ${approval}`)).toEqual([
    "github.issues.close required",
    "github.issues.list auto",
    "mail.send auto",
  ]);
  for (const { path, description } of tools)
    if (path !== "mail.send") expect(description).toContain("demo: demo-issues.json in Deputy's home");
});

test("no other model has it", () => {
  expect(setup({ provider: "anthropic", model: "x" }).list()).toEqual([]);
});

test.each<readonly [string, ToolTree]>([
  ["the same path", { github: { issues: { close: TOOL } } }],
  ["the same namespace", { github: { repositories: { list: TOOL } } }],
  ["the namespace as a tool", { github: TOOL }],
])("it gives way to tools of the user at %s", (_what, tree) => {
  expect(setup(REHEARSAL, tree).list()).toHaveLength(1);
});

test("the user decides by the issue's title and dates", () => {
  const close = setup().get("github.issues.close");
  const { title, details } = close?.preview({ owner: "acme", repo: "website", issueNumber: 3 }) ?? {};
  expect(title).toBe("Close acme/website#3 in the demo tracker");
  expect(details).toMatch(/^Dark mode flickers\nOpened \d{4}-\d\d-\d\d, last touched \d{4}-\d\d-\d\d$/);
});
