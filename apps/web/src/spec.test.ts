import { readFileSync } from "node:fs";
import { assertSpecCited } from "@deputy/testing";
import { expect, test } from "vitest";

const spec = new URL("../SPEC.md", import.meta.url);

test("every rule of the specification is cited by a test, and no other", () => {
  assertSpecCited(spec, new URL("./", import.meta.url));
});

test("every rule for a real browser is cited by the test that has one", () => {
  const rules = [...readFileSync(spec, "utf8").matchAll(/^\| (WB\d+) /gm)].map(([, id]) => id);
  const tests = readFileSync(new URL("../../../e2e/page.test.ts", import.meta.url), "utf8");
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
