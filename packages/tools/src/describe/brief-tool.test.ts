import { type DeclaredTool, emitDeclarations, type JsonSchema, LEFT_OUT } from "@deputy/codemode";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { briefTool, briefTools } from "./brief-tool.ts";

const person = {
  type: "object",
  properties: { name: { type: "string" }, boss: { $ref: "#/schemas/Person" } },
};
const wide = {
  type: "object",
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`field${n}`, { type: "string", description: "x".repeat(500) }]),
  ),
  required: ["field199"],
};
const tool = (inputSchema: JsonSchema, outputSchema: JsonSchema): DeclaredTool => ({
  path: "api.call",
  description: `Calls. ${"Much is said of it. ".repeat(100)}`,
  inputSchema,
  outputSchema,
  definitions: { name: "api", root: { schemas: { Person: person, Wide: wide } } },
});

test("[T42] shows a small tool unchanged", () => {
  const small: DeclaredTool = {
    path: "a.b",
    description: "Does",
    inputSchema: { type: "object", properties: { id: { type: "number" } } },
  };
  expect(briefTool(small)).toBe(small);
});

test("[T42] shows outer levels and required fields of a large one first, and marks what is cut", () => {
  const { inputSchema, description } = briefTool(tool({ $ref: "#/schemas/Wide" }, true));
  const { properties, required, description: about } = inputSchema as Record<string, object | string>;
  expect(Object.keys(properties as object)[0]).toBe("field199");
  expect(Object.keys(properties as object)).toHaveLength(40);
  expect(required).toEqual(["field199"]);
  expect((inputSchema as { [LEFT_OUT]?: number })[LEFT_OUT]).toBe(160);
  expect(about).toBeUndefined();
  expect(description).toMatch(/^Calls\..{250,300}…\nTypes are cut where … stands/);
});

test("[T42] of tools that are shown together, the next repeats no word about an argument of the same name and meaning", () => {
  const owner = { type: "string", description: "The account owner of the repository" };
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`field${n}`, { type: "string", description: `${n} is for this` }]),
  );
  const calling = (path: string, more: object): DeclaredTool => ({
    path,
    description: `Does ${path}`,
    inputSchema: { type: "object", properties: { owner, ...more, ...many }, required: ["owner"] },
  });
  const [first, second] = briefTools([calling("a.one", {}), calling("a.two", { repo: owner })]);
  const propertiesOf = (shown: DeclaredTool | undefined) => Object(shown?.inputSchema).properties;
  expect(propertiesOf(first).owner).toEqual(owner);
  expect(propertiesOf(second).owner).toEqual({ type: "string" });
  expect(propertiesOf(second).repo).toEqual(owner);
  expect(first?.description).toContain("Types are cut where … stands");
  expect(second?.description).toBe("Does a.two");
});

test("[T42] follows references, ends cycles, and stays within a few kilobytes", () => {
  const brief = briefTool(
    tool({ $ref: "#/schemas/Wide" }, { type: "array", items: { $ref: "#/schemas/Person" } }),
  );
  expect(JSON.stringify(brief.outputSchema)).toContain('"boss":{"type":"object","properties":{"name"');
  expect(JSON.stringify(brief).length).toBeLessThan(12_000);
  expect(JSON.stringify(brief)).not.toContain("$ref");
});

test("[T42] leaves out what belongs to the other side of a call", () => {
  const sided = {
    type: "object",
    properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
  };
  const brief = briefTool(tool(sided, sided));
  expect(JSON.stringify(brief.inputSchema)).not.toContain('"id"');
  expect(JSON.stringify(brief.outputSchema)).not.toContain('"secret"');
});

const user: JsonSchema = {
  type: "object",
  properties: Object.fromEntries(
    ["avatar_url", "gravatar_id", "events_url", "login", "id", "site_admin", "bio"].map((name) => [
      name,
      { type: name === "id" ? "integer" : "string" },
    ]),
  ),
  required: ["login", "id"],
};
const texts = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: "string", description: "y".repeat(60) }]));
const issue: JsonSchema = {
  type: "object",
  properties: {
    ...texts(Array.from({ length: 20 }, (_, at) => `thing${at}_url`)),
    ...texts(Array.from({ length: 20 }, (_, at) => `field${at}`)),
    ...Object.fromEntries(
      ["a", "b", "c", "d", "e"].map((name) => [`by_${name}`, { $ref: "#/schemas/User" }]),
    ),
    number: { type: "integer" },
    html_url: { type: "string" },
    user: { anyOf: [{ $ref: "#/schemas/User" }, { type: "null" }] },
    assignees: { type: "array", items: { $ref: "#/schemas/User" } },
    pull_request: { type: "object", properties: { merged_at: { type: "string" } } },
    kind: { enum: Array.from({ length: 30 }, (_, at) => `kind${at}`) },
  },
  required: ["number", "thing0_url"],
};
const listing: DeclaredTool = {
  path: "tracker.list",
  description: "Lists issues",
  inputSchema: {
    type: "object",
    properties: {
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 30,
        description: "How many. See [pages](https://x.example/a)",
      },
      since: { type: "string", format: "date-time" },
      kind: { enum: Array.from({ length: 30 }, (_, at) => `kind${at}`) },
    },
  },
  outputSchema: { type: "array", items: { $ref: "#/schemas/Issue" } },
  definitions: { name: "tracker", root: { schemas: { User: user, Issue: issue } } },
};
const shown = emitDeclarations([briefTool(listing)]);

test("[T71] where objects within others are cut, addresses and internal ids go before any of that", () => {
  const people = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`by_${at}`, { $ref: "#/schemas/User" }]),
  );
  const things = { ...texts(["one_url", "node_id", "two_url", "html_url"]), ...texts(["title", "state"]) };
  const crowded: JsonSchema = {
    type: "object",
    properties: { ...things, ...people, ...texts(Array.from({ length: 14 }, (_, at) => `field${at}`)) },
  };
  const root = { schemas: { User: user, Issue: crowded } };
  const text = emitDeclarations([briefTool({ ...listing, definitions: { name: "tracker", root } })]);
  expect(text).toContain("html_url?");
  expect(text).not.toMatch(/one_url|two_url|node_id/);
  expect(text).toMatch(/\/\* … 3 more \*\/\n/);
  const roomy = { type: "object", properties: { ...things, ...texts(["a".repeat(2_000)]) } } as const;
  const short = emitDeclarations([
    briefTool({ ...listing, outputSchema: roomy, definitions: { name: "t", root: {} } }),
  ]);
  expect(short).toContain("one_url?");
});

test("[T71] objects within others have real shapes, what tells them first; every cut is counted where it is", () => {
  expect(shown).toContain(
    "user?: { login: string; id: number; site_admin?: string; bio?: string; /* … 3 more */ } | null;",
  );
  expect(shown).toContain(
    "assignees?: { login: string; id: number; site_admin?: string; bio?: string; /* … 3 more */ }[];",
  );
  expect(shown).toContain("pull_request?: { merged_at?: string };");
  expect(shown).toContain("Types are cut where … stands: ask with `whole: true` for all of them.");
});

test("[T71] addresses of further documents go first, but not what a person can open", () => {
  expect(shown).toContain("html_url?: string;");
  expect(shown).toContain("field19?: string;");
  expect(shown).not.toContain("thing19_url");
});

test("[T71] limits, defaults and formats are said, links are not, and of many values there are some", () => {
  expect(shown).toContain("/** How many. See pages (1 to 100; default 30) */");
  expect(shown).toContain(
    "/** date-time with Z or an offset, such as 2026-11-18T09:00:00+01:00 */\n      since?: string;",
  );
  expect(shown).toContain('/** One of 30: "kind0", "kind1",');
});

test("[T71] for any schema: it ends, stays small, and what is shown and what is counted is all there is", () => {
  const root = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<JsonSchema>({ type: "string" }, { $ref: "#/schemas/A" }, { $ref: "#/schemas/B" }),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 10 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}(_url)?$/), tie("schema"), { maxKeys: 15 }),
      }),
    ),
  })).schema;
  fc.assert(
    fc.property(root, root, root, (output, A, B) => {
      const brief = briefTool({
        path: "a.b",
        description: "",
        inputSchema: {},
        outputSchema: output,
        definitions: { name: "a", root: { schemas: { A, B } } },
      });
      expect(emitDeclarations([brief]).length).toBeLessThan(16_000);
      const fields = (output as { properties?: object }).properties;
      const kept = brief.outputSchema as { properties?: object; [LEFT_OUT]?: number };
      if (fields !== undefined)
        expect(Object.keys(kept.properties ?? {}).length + (kept[LEFT_OUT] ?? 0)).toBe(
          Object.keys(fields).length,
        );
    }),
    { numRuns: 200, seed: 71 },
  );
});
