import type { FileChange } from "@deputy/kit";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CatalogueTool } from "./catalogue.ts";
import { createCatalogue } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolContext, ToolTree } from "./tool.ts";
import { ToolsError } from "./tools-error.ts";

const context: ToolContext = {
  signal: new AbortController().signal,
  idempotencyKey: "key",
  sessionKey: "session",
  approvedBy: "user",
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

test("[T3] trees become one sorted list of dotted paths", () => {
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
});

test("[T76] an alias is a second path of a tool for programs, unless a tool stands there", () => {
  const aliased = (path: string, alias: string): CatalogueTool => ({
    ...only(read),
    path,
    alias,
    describedBy: "somebody",
  });
  const catalogue = createCatalogue(
    [{ source: "one", tree: { b: { get: read }, c: read } }],
    [aliased("a.getA", "a.get"), aliased("b.getB", "b.get"), aliased("d.getD", "c.get")],
  );
  expect(catalogue.aliases).toEqual({ "a.get": "a.getA" });
  expect(catalogue.get("a.get")).toBeUndefined();
  expect(catalogue.list().map(({ path }) => path)).toEqual(["a.getA", "b.get", "b.getB", "c", "d.getD"]);
  expect(catalogue.declarations()).toMatch(/readonly getA: .*\n.*\n +readonly get: /);
  expect(catalogue.describe(["a.get"])).toContain("readonly getA:");
});

test("[T4] refuses two sources with the same path, naming both", () => {
  const twice = [
    { source: "one.ts", tree: { x: { y: read } } },
    { source: "two.ts", tree: { x: { y: read } } },
  ];
  expect(() => createCatalogue(twice)).toThrow(
    expect.objectContaining({ code: "duplicate_tool", message: "x.y is defined by one.ts and by two.ts" }),
  );
});

test("[T4] refuses surprising names and trees, naming source and path", () => {
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

test("[T5] by default, a tool that asks writes, and one that does not reads", () => {
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

test("[T33] a tool without approval and without an effect that takes an address is egress", () => {
  const fetch = {
    description: "Fetches",
    approval: "auto",
    args: z.object({ request: z.object({ url: z.string() }) }),
    run: () => 1,
  } as const;
  expect(only(defineTool(fetch))).toMatchObject({
    effect: "egress",
    critical: "all",
    idempotent: false,
    presumed: expect.stringContaining("request.url"),
  });
  const said = only(defineTool({ ...fetch, effect: "read" }));
  expect(said).toMatchObject({ effect: "read", idempotent: true });
  expect(said).not.toHaveProperty("presumed");
  expect(only(defineTool({ ...fetch, approval: "required" }))).toMatchObject({ effect: "write" });
});

test("[T34] a tool says whether a grant may cover all its calls", () => {
  const commit = { description: "x", approval: "required", args: z.object({}), run: () => 1 } as const;
  expect(only(defineTool({ ...commit, grantable: "input" })).grantable).toBe("input");
  expect(only(defineTool(commit)).grantable).toBeUndefined();
  expect(() => defineTool({ ...commit, grantable: "session" as "tool" })).toThrow(
    'grantable must be "tool" or "input"',
  );
});

test("[T6] schemas describe the input and the output", () => {
  expect(only(close).inputSchema).toMatchObject({
    type: "object",
    required: ["id"],
    properties: { id: { description: "The issue" } },
  });
  expect(only(close).outputSchema).toMatchObject({ required: ["id", "at"] });
  expect(only(read)).not.toHaveProperty("outputSchema");
});

const withArgs = (schema: z.ZodType) =>
  from({ a: { b: defineTool({ description: "x", approval: "auto", args: schema, run: () => 1 }) } });
const withReturns = (schema: z.ZodType) =>
  from({ x: defineTool({ description: "x", approval: "auto", args, returns: schema, run: () => 1 }) });

test("[T6] refuses a schema that JSON cannot express, with its place and what to use instead", () => {
  expect(withArgs(z.object({ filter: z.object({ since: z.date() }) }))).toThrow(
    expect.objectContaining({
      code: "invalid_tool",
      message:
        "a.b is not valid: args.filter.since: a Date has no JSON form; use z.iso.datetime() and make the Date in `run`",
    }),
  );
  const texts = z.object({ when: z.string().transform((text) => new Date(text)) });
  expect(withReturns(texts)).toThrow(
    "x is not valid: returns.when: what a transform gives has no JSON Schema; do it in `run`, or say what comes out with .pipe(…)",
  );
  expect(withArgs(z.string())).toThrow("a.b is not valid: args must be an object schema");
  expect(
    withArgs(z.object({ a: z.string().meta({ id: "same" }), b: z.string().meta({ id: "same" }).min(1) })),
  ).toThrow('a.b is not valid: args: it has no JSON Schema: Duplicate schema id "same"');
});

test.each<[string, z.ZodType, string]>([
  ["a bigint", z.bigint(), "use z.int(), or z.string()"],
  ["a coerced date", z.coerce.date(), "use z.iso.datetime()"],
  ["a symbol", z.symbol(), "use z.string()"],
  ["undefined", z.undefined(), "use .optional()"],
  ["void", z.void(), "leave `returns` out"],
  ["NaN", z.nan(), "use z.number().nullable()"],
  ["a Map", z.map(z.string(), z.number()), "use z.record(z.string(), …)"],
  ["a Set", z.set(z.string()), "use z.array(…)"],
  ["a function", z.function(), "pass data"],
  ["a custom type", z.custom<`#${string}`>(), "use z.object({…}) or z.json() with .refine(…)"],
  ["an instance", z.instanceof(URL), "use z.object({…})"],
  ["a File", z.file(), "use z.base64()"],
  ["a promise", z.promise(z.string()), "use the schema of its value"],
  [
    "a literal bigint",
    z.literal(1n),
    "bigInt literals cannot be represented in JSON Schema; use plain JSON data",
  ],
])("[T6] refuses %s in arguments and in results", (_what, schema, advice) => {
  expect(withArgs(z.object({ deep: z.object({ field: schema }) }))).toThrow(advice);
  expect(withArgs(z.object({ deep: z.object({ field: schema }) }))).toThrow("args.deep.field: ");
  expect(withReturns(z.object({ field: schema }))).toThrow(advice);
});

test("[T6] names the place by its fields, whatever their names", () => {
  const at = (schema: z.ZodType, place: string): void =>
    expect(withArgs(z.object({ f: schema }))).toThrow(`a.b is not valid: args.f${place}: a Date has`);
  at(z.object({ items: z.object({ properties: z.date() }) }), ".items.properties");
  at(z.array(z.array(z.date())), "[][]");
  at(z.tuple([z.string(), z.date()]), "[1]");
  at(z.record(z.string(), z.date()), ".*");
  at(z.union([z.string(), z.object({ x: z.date() })]).optional(), ".x");
  at(z.intersection(z.object({ y: z.date() }), z.object({})), ".y");
  at(
    z.lazy(() => z.object({ z: z.date() })),
    ".z",
  );
});

test("[T6] refuses a result that may be undefined where JSON has null; a missing field is fine", () => {
  expect(withReturns(z.string().optional())).toThrow("returns: JSON has null where a value is absent here");
  expect(withReturns(z.object({ a: z.array(z.string().optional()) }))).toThrow("returns.a[]: JSON has null");
  expect(withReturns(z.object({ a: z.string().optional() }))).not.toThrow();
  expect(withArgs(z.object({ a: z.array(z.string().optional()) }))).not.toThrow();
});

test("[T6] input may be transformed, and output may be decoded from JSON", () => {
  const since = z.iso.datetime().transform((text) => new Date(text));
  const tool = defineTool({
    description: "x",
    approval: "auto",
    args: z.object({ since, on: z.stringbool().default(true) }),
    returns: z.object({ year: z.string().transform(Number).pipe(z.int()) }),
    run: (input) => ({ year: `${input.since.getUTCFullYear()}` }),
  });
  expect(only(tool).inputSchema).toMatchObject({
    properties: { since: { type: "string" }, on: { type: "string" } },
  });
  expect(only(tool).outputSchema).toMatchObject({ properties: { year: { type: "integer" } } });
});

test("[T15] refuses an asynchronous check of arguments, at the latest when it is used", () => {
  const refused = "a.b is not valid: args.name: its code is asynchronous";
  const later = async (name: string): Promise<boolean> => await Promise.resolve(name !== "");
  expect(withArgs(z.object({ name: z.string().refine(later) }))).toThrow(refused);
  expect(withArgs(z.object({ name: z.string().min(1).transform(later) }))).toThrow(refused);
  expect(withArgs(z.object({ name: z.preprocess(later as never, z.string()) }))).toThrow(refused);
  expect(withArgs(z.object({ name: z.string().check(later as never) }))).toThrow(refused);
  const hidden = defineTool({
    description: "x",
    approval: "auto",
    args: z.object({ name: z.string().superRefine((name) => later(name) as never) }),
    run: () => 1,
  });
  expect(only(hidden).parseInput({ name: "x" })).toEqual({
    kind: "invalid",
    message:
      "args: its code is asynchronous, but input is checked before anything runs; check it in `run` instead",
  });
});

test("[T15] a result may be checked asynchronously", async () => {
  const checked = defineTool({
    description: "x",
    approval: "auto",
    args: z.object({ n: z.number() }),
    returns: z.number().refine(async (n) => await Promise.resolve(n > 0), "must be positive"),
    run: ({ n }) => n,
  });
  expect(await only(checked).run({ n: 1 }, context)).toBe(1);
  await expect(only(checked).run({ n: -1 }, context)).rejects.toMatchObject({
    code: "invalid_output",
    message: "a.tool returned what it does not declare: must be positive",
  });
});

test("[T7] input is parsed, with defaults", () => {
  expect(only(close).parseInput({ id: 1, extra: true })).toEqual({
    kind: "ok",
    input: { id: 1, note: "none" },
  });
});

test("[T7] reports wrong input place by place", () => {
  expect(only(close).parseInput({ id: "1", note: 2 })).toEqual({
    kind: "invalid",
    message:
      "id: Invalid input: expected number, received string\nnote: Invalid input: expected string, received number",
  });
});

test("[T7] a schema whose own code throws refuses the input", () => {
  const big = (toBig: (text: string) => bigint) =>
    only(
      defineTool({
        description: "x",
        approval: "auto",
        args: z.object({ n: z.string().transform(toBig) }),
        run: () => 1,
      }),
    );
  expect(big(BigInt).parseInput({ n: "many" })).toEqual({
    kind: "invalid",
    message: "Cannot convert many to a BigInt",
  });
  const silent = big(() => {
    throw new Error("");
  });
  expect(silent.parseInput({ n: "1" })).toMatchObject({ message: "The tool's schema failed on this input" });
});

test("[T8] parses a result with `returns`, or fails the call place by place", async () => {
  expect(await only(close).run({ id: 1, note: "x" }, context)).toEqual({ id: 1, at: "2026-01-01T00:00:00Z" });
  await expect(only(close).run({ id: 0, note: "" }, context)).rejects.toMatchObject({
    code: "invalid_output",
    message: expect.stringContaining("a.tool returned what it does not declare: id: Invalid input"),
  });
});

test("[T8] rethrows a tool's error unchanged", async () => {
  const failure = new Error("offline");
  const broken = defineTool({
    description: "x",
    approval: "auto",
    args: z.object({}),
    run: () => Promise.reject(failure),
  });
  await expect(only(broken).run({}, context)).rejects.toBe(failure);
});

test("[T9] shows the author's preview, or the bare facts", async () => {
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
  expect(await only(close).preview({ id: 1 })).toEqual(facts);
  expect(await withPreview(({ id }) => ({ title: `Close #${id}` })).preview({ id: 1 })).toEqual({
    title: "Close #1",
  });
  expect(await withPreview(() => ({ title: " " })).preview({ id: 1 })).toEqual(facts);
  expect(
    await withPreview(() => {
      throw new Error("bug");
    }).preview({ id: 1 }),
  ).toEqual(facts);
});

test("[T9] shows file changes as diffs; invalid changes give the bare facts", async () => {
  const saving = (changes: readonly FileChange[]) =>
    only(
      defineTool({
        description: "x",
        approval: "required",
        args: z.object({ id: z.number() }),
        run: () => 1,
        formatApproval: () => ({ title: "Save", changes }),
      }),
    ).preview({ id: 1 });
  expect(await saving([{ path: "a.md", before: "x\n", after: "y\n" }])).toEqual({
    title: "Save",
    changes: [{ path: "a.md", diff: "--- a.md\n+++ a.md\n@@ -1 +1 @@\n-x\n+y" }],
  });
  expect(await saving([])).toEqual({ title: "Save" });
  for (const wrong of [{ path: 1 }, { before: undefined }, { after: 2 }]) {
    const change: object = { path: "a.md", before: null, after: null, ...wrong };
    expect(await saving([change as FileChange])).toMatchObject({ title: "a.tool" });
  }
});

test("[T16] shows examples to the model but not to the checker; refuses a wrong one", () => {
  const definition = {
    description: "Adds",
    approval: "auto",
    args: z.object({ a: z.number() }),
    run: () => 1,
  } as const;
  const add = defineTool({ ...definition, examples: [{ input: { a: 7 }, note: "lucky */ one" }] });
  const catalogue = createCatalogue([{ source: "test", tree: { add } }]);
  expect(catalogue.describe(["add"])).toContain('{"a":7}');
  expect(catalogue.describe(["add"]).split("*/")).toHaveLength(2);
  expect(catalogue.declarations()).not.toContain('{"a":7}');
  const wrong = defineTool({ ...definition, examples: [{ input: { a: "7" as never } }] });
  expect(() => createCatalogue([{ source: "test", tree: { wrong } }])).toThrow("example 1 is not valid");
});

test("[T30] a catalogue over some tools of another has only those and its own", async () => {
  const tool = (description: string) =>
    defineTool({ description, approval: "auto", args: z.object({}), run: () => description });
  const all = createCatalogue([
    { source: "a", tree: { mail: { read: tool("Read mail"), send: tool("Send mail") }, lamp: tool("Lamp") } },
  ]);
  const some = all.list().filter(({ path }) => path === "mail.read");
  const narrow = createCatalogue([{ source: "own", tree: { own: tool("Read my own") } }], some);
  expect(narrow.list().map(({ path }) => path)).toEqual(["mail.read", "own"]);
  expect(narrow.get("mail.send")).toBeUndefined();
  const found = await narrow.find("mail", 10, new AbortController().signal);
  expect(found.tools.map(({ path }) => path)).toEqual(["mail.read"]);
  expect(narrow.declarations()).not.toContain("send");
  expect(narrow.describe(["mail.send"])).not.toContain("send");
  expect(() => createCatalogue([{ source: "b", tree: { mail: { read: tool("Mine") } } }], some)).toThrow(
    "mail.read is defined by another catalogue and by b",
  );
});

test("[T31] a tool's results are untrusted unless its author says otherwise", () => {
  expect(only(read).trust).toBe("untrusted");
  const listed = { values: ["*.id"] };
  const list = { description: "Lists", approval: "auto", args: z.object({}), run: () => [] } as const;
  expect(only(defineTool({ ...list, trust: listed })).trust).toEqual(listed);
});

test("[T32] a tool can have other terms for one call; invalid ones are ignored", () => {
  const own = { approval: "required", effect: "destructive", critical: "all" } as const;
  const withTerms = (terms: (input: { id: number }) => object | undefined) => {
    const tool = defineTool({
      description: "Does something",
      approval: "required",
      effect: "destructive",
      args: z.object({ id: z.int() }),
      terms,
      run: () => 1,
    });
    return createCatalogue([{ source: "test", tree: { tool } }]).get("tool");
  };
  const easy = withTerms(({ id }) =>
    id === 1 ? { approval: "auto", effect: "read", critical: [] } : undefined,
  );
  expect(easy).toMatchObject(own);
  expect(easy?.termsOf?.({ id: 1 })).toEqual({ approval: "auto", effect: "read", critical: [] });
  expect(easy?.termsOf?.({ id: 2 })).toEqual(own);
  expect(withTerms(() => ({ approval: "never" }))?.termsOf?.({ id: 1 })).toEqual(own);
  expect(withTerms(() => ({ critical: "none" }))?.termsOf?.({ id: 1 })).toEqual(own);
  const broken = withTerms(() => {
    throw new Error("broken");
  });
  expect(broken?.termsOf?.({ id: 1 })).toEqual(own);
});

test("[T35] a ready tool gets its path, beside defined tools", async () => {
  const ready = {
    kind: "deputy.ready-tool" as const,
    place: (path: string) => ({
      path,
      description: `Ready at ${path}`,
      approval: "auto" as const,
      effect: "read" as const,
      idempotent: true,
      critical: "all" as const,
      limits: {},
      examples: [],
      inputSchema: { type: "object" },
      parseInput: (raw: unknown) => ({ kind: "ok" as const, input: raw }),
      run: (input: unknown) => Promise.resolve(input),
      preview: () => ({ title: path }),
    }),
  };
  const catalogue = createCatalogue([{ source: "both", tree: { a: { ready, read } } }]);
  expect(catalogue.list().map(({ path, description }) => [path, description])).toEqual([
    ["a.read", "Reads"],
    ["a.ready", "Ready at a.ready"],
  ]);
  expect(await catalogue.get("a.ready")?.run({ x: 1 }, context)).toEqual({ x: 1 });
  const again = { source: "again", tree: { a: { ready } } };
  expect(() => createCatalogue([{ source: "both", tree: { a: { ready } } }, again])).toThrow(
    expect.objectContaining({ code: "duplicate_tool" }) as Error,
  );
});

test("[T73] a description says which calls ask the user, and the checker's declarations do not", () => {
  const tool = (approval: "auto" | "required") =>
    defineTool({ description: "Does it", approval, args: z.object({}), run: () => null });
  const paint = defineTool({
    description: "Paints it",
    approval: "required",
    args: z.object({}),
    terms: () => undefined,
    run: () => null,
  });
  const catalogue = createCatalogue([
    { source: "a", tree: { house: { look: tool("auto"), sell: tool("required"), paint } } },
  ]);
  const text = catalogue.describe(["house.look", "house.sell", "house.paint"]);
  expect(text).toContain("/** Does it */");
  expect(text).toContain("/** (asks the user) Does it */");
  expect(text).toContain("/** (may ask the user) Paints it */");
  expect(catalogue.declarations()).not.toContain("asks the user");
});

test("[T75] a description says by which codes and statuses calls fail, and such a code arrives", async () => {
  const sell = defineTool({
    description: "Sells it",
    approval: "auto",
    throws: ["house_sold", "no_buyer"],
    args: z.object({ at: z.iso.datetime(), to: z.array(z.email()).min(1) }),
    run: ({ at }) => {
      throw Object.assign(new Error("Too late"), { code: at === "" ? "other" : "house_sold" });
    },
  });
  const own = createCatalogue([{ source: "a", tree: { house: { sell } } }]);
  const text = own.describe(["house.sell"]);
  expect(text).toContain("* Sells it\n     * @throws house_sold, no_buyer\n");
  expect(text).toContain("/** date-time in UTC, such as 2026-11-18T09:00:00Z */");
  expect(text).toContain("/** at least 1 element; each email */");
  expect(own.declarations()).not.toContain("@throws");
  const [tool] = own.list();
  if (tool === undefined) throw new Error("It is there");
  expect(tool.parseInput({ at: "2026-11-18T09:00", to: ["a@b.example"] })).toEqual({
    kind: "invalid",
    message: "at: Invalid ISO datetime, such as 2026-11-18T09:00:00Z",
  });
  await expect(tool.run({ at: "now", to: [] }, context)).rejects.toBeInstanceOf(ToolsError);
  await expect(tool.run({ at: "now", to: [] }, context)).rejects.toMatchObject({ code: "house_sold" });
  await expect(tool.run({ at: "", to: [] }, context)).rejects.not.toBeInstanceOf(ToolsError);
  const errors = [{ status: "404" }, { status: "409", schema: { type: "object" } }];
  const others = createCatalogue([], [{ ...tool, errors }]);
  expect(others.describe(["house.sell"])).toContain("@throws house_sold, no_buyer, status 404\n");
  expect(() => defineTool({ ...sell.definition, throws: ["what?"] })).toThrow(
    "throws must be a list of codes",
  );
});
