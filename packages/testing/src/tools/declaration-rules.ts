import type { TypeChecker } from "@deputy/codemode";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueHarness } from "./catalogue-harness.ts";
import { SEEDS } from "./seed-tools.ts";

const live = new AbortController().signal;
/** `tools["issues"]["list"]`: for names that a dot cannot reach. */
const reach = (path: string): string =>
  `tools${path
    .split(".")
    .map((name) => `[${JSON.stringify(name)}]`)
    .join("")}`;

export function describeDeclarations({ open, createTypeChecker }: CatalogueHarness): void {
  let checker: TypeChecker;
  beforeAll(() => {
    checker = createTypeChecker();
  });
  afterAll(() => checker[Symbol.asyncDispose]());
  const codesOf = async (code: string, declarations: string): Promise<readonly string[]> =>
    (await checker.check({ code, declarations }, live)).map((diagnostic) => diagnostic.code);

  test("[T10] a program can call every tool with valid input against the declarations", async () => {
    const declarations = (await open(SEEDS)).declarations();
    const inputOf: Record<string, string> = {
      "issues.close": '{ id: 1, labels: ["a"] }',
      "files.delete": '{ path: "/a" }',
    };
    const calls = SEEDS.map(({ path }) => `await ${reach(path)}(${inputOf[path] ?? '{ state: "open" }'});`);
    expect(await codesOf(calls.join("\n"), declarations)).toEqual([]);
    const results = `const [first] = await tools.issues.list(); const { closed } = await tools.issues.close({ id: 1 });
      const title: string | undefined = first?.title; const n: number = closed; return [title, n];`;
    expect(await codesOf(results, declarations)).toEqual([]);
  });

  test("[T10] invalid input and unknown tools are type errors", async () => {
    const declarations = (await open(SEEDS)).declarations();
    for (const mistake of [
      'await tools.issues.close({ id: "1" })',
      "await tools.issues.close({})",
      "await tools.issues.close()",
      'await tools.issues.list({ state: "lost" })',
      "const { closed } = await tools.issues.close({ id: 1 }); const text: string = closed",
      "await tools.issues.open()",
      "await tools.nothing()",
      "return escaped",
    ]) {
      expect(await codesOf(mistake, declarations), mistake).not.toEqual([]);
    }
  });

  test("[T10] declarations are stable, and those of no tools compile too", async () => {
    const catalogue = await open(SEEDS);
    expect(catalogue.declarations()).toBe(catalogue.declarations());
    expect((await open(SEEDS.toReversed())).declarations()).toBe(catalogue.declarations());
    const none = (await open([])).declarations();
    expect(await codesOf("return 1", none)).toEqual([]);
    expect(await codesOf("await tools.issues.list()", none)).not.toEqual([]);
  });

  test("[T10] a description covers the requested tools, with their comments", async () => {
    const catalogue = await open(SEEDS);
    const described = catalogue.describe(["files.delete", "issues.close"]);
    expect(described).toContain("Closes one issue of the tracker");
    expect(described).toContain("The number of the issue");
    expect(described).toContain("Removes a file for good");
    expect(described).not.toContain("\u202e");
    expect(
      await codesOf('await tools.issues.close({ id: 1 }); await tools.files.delete({ path: "" })', described),
    ).toEqual([]);
    expect(await codesOf("await tools.issues.list()", described)).not.toEqual([]);
    expect(await codesOf("return escaped", described)).not.toEqual([]);
  });

  test("[T10] a description leaves out unknown paths, and repeats none", async () => {
    const catalogue = await open(SEEDS);
    const unknown = [
      "",
      "issues",
      "issues.open",
      "__proto__",
      "*/ declare const x: 1; /*",
      "odd.constructor",
    ];
    expect(catalogue.describe(unknown)).toBe(catalogue.describe([]));
    const described = catalogue.describe([...unknown, "issues.close", "issues.close"]);
    expect(described).toBe(catalogue.describe(["issues.close"]));
    expect(described.split("Closes one issue of the tracker")).toHaveLength(2);
  });
}
