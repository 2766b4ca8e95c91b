import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolContext, ToolTree } from "./tool.ts";

const context: ToolContext = {
  signal: new AbortController().signal,
  idempotencyKey: "key",
  sessionKey: "session",
  progress: () => {},
  log: () => {},
};
const args = z.object({ id: z.number().describe("The issue"), note: z.string().default("none") });
const read = defineTool({ description: "Reads", approval: "auto", args: z.object({}), run: () => "read" });
const close = defineTool({
  description: "Closes an issue",
  approval: "required",
  args,
  returns: z.object({ id: z.number(), at: z.iso.datetime() }),
  run: ({ id, note }) => (id === 0 ? ({ id: "zero" } as never) : { id, at: "2026-01-01T00:00:00Z", note }),
});

const only = (tool: Tool) => {
  const [found] = createCatalogue([{ source: "test", tree: { a: { tool } } }]).list();
  if (found === undefined) throw new Error("The catalogue is empty");
  return found;
};
const from = (tree: unknown) => () => createCatalogue([{ source: "plugin.ts", tree: tree as ToolTree }]);

test("[T3] trees become one list of dotted paths, sorted", () => {
  const catalogue = createCatalogue([
    { source: "one", tree: { github: { issues: { list: read, close } }, b: read } },
    { source: "two", tree: { github: { issues: { "re-open": read } }, a: { $x_1: read } } },
    { source: "three", tree: { github: { issues: { list: { all: read } } } } },
  ]);
  expect(catalogue.list().map((tool) => tool.path)).toEqual([
    "a.$x_1",
    "b",
    "github.issues.close",
    "github.issues.list",
    "github.issues.list.all",
    "github.issues.re-open",
  ]);
  expect(catalogue.get("github.issues.close")?.description).toBe("Closes an issue");
  expect(catalogue.get("github.issues")).toBeUndefined();
  expect(catalogue.get("__proto__")).toBeUndefined();
  expect(createCatalogue([]).list()).toEqual([]);
});

test("[T4] two sources with the same path are refused, both named", () => {
  const twice = [
    { source: "one.ts", tree: { x: { y: read } } },
    { source: "two.ts", tree: { x: { y: read } } },
  ];
  expect(() => createCatalogue(twice)).toThrow(
    expect.objectContaining({ code: "duplicate_tool", message: "x.y is defined by one.ts and by two.ts" }),
  );
});

test("[T4] names and trees that would surprise somebody are refused, naming source and path", () => {
  for (const name of ["", "a.b", "1a", "a b", "constructor", "then", "é", "x".repeat(65)]) {
    expect(from({ ok: { [name]: read } }), name).toThrow(expect.objectContaining({ code: "invalid_tool" }));
  }
  expect(from({ x: JSON.parse('{ "__proto__": {} }') })).toThrow(
    'x.__proto__ in plugin.ts: "__proto__" cannot be a name',
  );
  expect(from({ x: { y: 5 } })).toThrow("x.y in plugin.ts: neither a tool nor a namespace");
  expect(from({ x: [read] })).toThrow("x in plugin.ts: neither a tool nor a namespace");
  expect(from({ x: { kind: "deputy.tool", definition: {} } })).toThrow("x is not valid: description must");
  expect(from(read)).toThrow("The tree in plugin.ts: neither");
  const loop: Record<string, unknown> = {};
  loop["x"] = loop;
  expect(from(loop)).toThrow("deeper than 8 levels");
});

test("[T5] what is not said follows from what is: a tool that asks writes, one that does not reads", () => {
  expect(only(read)).toMatchObject({ approval: "auto", effect: "read", idempotent: true, critical: "all" });
  expect(only(close)).toMatchObject({
    approval: "required",
    effect: "write",
    idempotent: false,
    critical: "all",
  });
  const said = defineTool({
    description: "x",
    approval: "auto",
    effect: "egress",
    idempotent: true,
    critical: ["to"],
    args: z.object({ to: z.string() }),
    run: () => 1,
  });
  expect(only(said)).toMatchObject({ effect: "egress", idempotent: true, critical: ["to"] });
});

test("[T6] schemas are those of what goes in and what comes out", () => {
  expect(only(close).inputSchema).toMatchObject({
    type: "object",
    required: ["id"],
    properties: { id: { description: "The issue" } },
  });
  expect(only(close).outputSchema).toMatchObject({ required: ["id", "at"] });
  expect(only(read)).not.toHaveProperty("outputSchema");
});

test("[T6] a schema that JSON cannot express is refused with its place", () => {
  const withArgs = (schema: z.ZodType) =>
    from({ a: { b: defineTool({ description: "x", approval: "auto", args: schema, run: () => 1 }) } });
  expect(withArgs(z.object({ filter: z.object({ since: z.date() }) }))).toThrow(
    expect.objectContaining({
      code: "invalid_tool",
      message: "a.b is not valid: args.filter.since: Date cannot be represented in JSON Schema",
    }),
  );
  expect(withArgs(z.object({ ids: z.array(z.bigint()) }))).toThrow("a.b is not valid: args.ids: BigInt");
  expect(withArgs(z.string())).toThrow("args must be an object schema");
  const returns = z.object({ when: z.string().transform((text) => new Date(text)) });
  expect(
    from({ x: defineTool({ description: "x", approval: "auto", args, returns, run: () => ({ when: "" }) }) }),
  ).toThrow("x is not valid: returns.when");
});

test("[T7] input is parsed, with defaults; no argument means an empty object", () => {
  expect(only(close).parseInput({ id: 1, extra: true })).toEqual({
    kind: "ok",
    input: { id: 1, note: "none" },
  });
  expect(only(read).parseInput(null)).toEqual({ kind: "ok", input: {} });
  expect(only(read).parseInput(undefined)).toEqual({ kind: "ok", input: {} });
});

test("[T7] wrong input is told place by place", () => {
  expect(only(close).parseInput({ id: "1", note: 2 })).toEqual({
    kind: "invalid",
    message:
      "id: Invalid input: expected number, received string\nnote: Invalid input: expected string, received number",
  });
  expect(only(close).parseInput(null)).toEqual({
    kind: "invalid",
    message: "id: Invalid input: expected number, received undefined",
  });
  expect(only(close).parseInput([])).toMatchObject({ kind: "invalid" });
});

test("[T8] a result is what `returns` says, or the call fails", async () => {
  expect(await only(close).run({ id: 1, note: "x" }, context)).toEqual({ id: 1, at: "2026-01-01T00:00:00Z" });
  await expect(only(close).run({ id: 0, note: "" }, context)).rejects.toMatchObject({
    code: "invalid_output",
    message: expect.stringContaining("a.tool returned what it does not declare: id: Invalid input"),
  });
  expect(await only(read).run({}, context)).toBe("read");
});

test("[T8] what a tool throws is thrown on as it is", async () => {
  const failure = new Error("offline");
  const broken = defineTool({
    description: "x",
    approval: "auto",
    args: z.object({}),
    run: () => Promise.reject(failure),
  });
  await expect(only(broken).run({}, context)).rejects.toBe(failure);
});

test("[T9] the preview is the author's, or the bare facts", () => {
  const facts = { title: "a.tool", details: '{\n  "id": 1\n}' };
  const withPreview = (formatApproval: (input: { id: number }) => { title: string }) =>
    only(
      defineTool({
        description: "x",
        approval: "required",
        args: z.object({ id: z.number() }),
        run: () => 1,
        formatApproval,
      }),
    );
  expect(only(close).preview({ id: 1 })).toEqual(facts);
  expect(withPreview(({ id }) => ({ title: `Close #${id}` })).preview({ id: 1 })).toEqual({
    title: "Close #1",
  });
  expect(withPreview(() => ({ title: " " })).preview({ id: 1 })).toEqual(facts);
  expect(
    withPreview(() => {
      throw new Error("bug");
    }).preview({ id: 1 }),
  ).toEqual(facts);
});

test("[T10] declarations are of all tools and stay the same; a description is of those asked for", () => {
  const catalogue = createCatalogue([{ source: "x", tree: { issues: { close, list: read } } }]);
  const all = catalogue.declarations();
  expect(all).toContain("readonly close: (input: {");
  expect(all).toContain("readonly list: (input?:");
  expect(catalogue.declarations()).toBe(all);
  const one = catalogue.describe(["issues.close", "issues.nothing", "issues.close"]);
  expect(one).toContain("/** Closes an issue */");
  expect(one).toContain("/** The issue */");
  expect(one).not.toContain("list");
});
