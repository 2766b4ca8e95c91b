import { describe, expect, test } from "vitest";
import { type CatalogueHarness, factsOf } from "./catalogue-harness.ts";
import { describeDeclarations } from "./declaration-rules.ts";
import { describeSearch } from "./search-rules.ts";
import { SEEDS, seedTool } from "./seed-tools.ts";
import { describeToolCalls } from "./tool-rules.ts";

/** What the engine needs from every catalogue. The rules are in `packages/tools/SPEC.md`. */
export function describeCatalogue(name: string, harness: CatalogueHarness): void {
  describe(name, () => {
    describeListing(harness);
    describeSearch(harness);
    describeDeclarations(harness);
    describeToolCalls(harness);
  });
}

/** A path of names that can be written in a program and have no special meaning for objects and promises. */
const SAFE_PATH =
  /^(?:(?!(?:__proto__|prototype|constructor|then)(?:\.|$))[A-Za-z_$][\w$-]{0,63}(?:\.(?!$)|$))+$/;

const STRANGE_NAMES = [
  "",
  ".",
  "a.",
  "a..b",
  "a b",
  "a\nb",
  "1a",
  "é",
  "\u202ea",
  "a/b",
  "a*/",
  "x".repeat(65),
];
const TAKEN_NAMES = ["__proto__", "a.__proto__.b", "constructor", "a.prototype", "then", "a.then"];

function describeListing({ open }: CatalogueHarness): void {
  test("[T3] lists every tool once, sorted by path; an empty catalogue lists nothing", async () => {
    const paths = (await open(SEEDS)).list().map((tool) => tool.path);
    expect(paths).toEqual(SEEDS.map((seed) => seed.path).toSorted());
    expect((await open([])).list()).toEqual([]);
  });

  test("[T3] gets exactly what is listed", async () => {
    const catalogue = await open(SEEDS);
    for (const tool of catalogue.list()) expect(factsOf(catalogue.get(tool.path))).toEqual(factsOf(tool));
    const absent = [
      "",
      ".",
      "issues",
      "issues.",
      ".issues.list",
      "issues..list",
      "Issues.List",
      "issues/list",
    ];
    const inherited = ["__proto__", "constructor", "toString", "issues.constructor", "odd.__proto__"];
    for (const path of [...absent, ...inherited]) expect(catalogue.get(path), path).toBeUndefined();
  });

  test("[T4] refuses the same path twice, or lists it once", async () => {
    const twice = Promise.try(() => open([seedTool({ path: "a.b" }), seedTool({ path: "a.b" })]));
    const paths = await twice.then(
      (catalogue) => catalogue.list().map((tool) => tool.path),
      () => [],
    );
    expect(new Set(paths).size).toBe(paths.length);
  });

  test.each([...STRANGE_NAMES, ...TAKEN_NAMES])(
    "[T4] refuses a tool called %j, or gives it an unsurprising name",
    async (path) => {
      const listed = await Promise.try(() => open([seedTool({ path })])).then(
        (catalogue) => catalogue.list(),
        () => [],
      );
      for (const tool of listed) expect(tool.path).toMatch(SAFE_PATH);
    },
  );

  test("[T5] a tool is guarded as its source says", async () => {
    const catalogue = await open(SEEDS);
    for (const { path, approval, effect } of SEEDS) {
      expect(catalogue.get(path)).toMatchObject({ approval, effect, idempotent: expect.any(Boolean) });
    }
  });

  test("[T6] schemas are plain JSON: always for input, for output if the source declares it", async () => {
    const catalogue = await open(SEEDS);
    for (const seed of SEEDS) {
      const tool = catalogue.get(seed.path);
      expect(JSON.parse(JSON.stringify(tool?.inputSchema)), seed.path).toEqual(tool?.inputSchema);
      expect(tool?.inputSchema).toMatchObject({ type: "object" });
      expect(tool?.outputSchema === undefined, seed.path).toBe(seed.outputSchema === undefined);
    }
    expect(catalogue.get("issues.close")?.inputSchema).toMatchObject({
      properties: { id: { type: "integer", description: "The number of the issue" } },
      required: ["id"],
    });
  });
}
