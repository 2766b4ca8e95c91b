import { readFileSync } from "node:fs";
import { assertSpecCited } from "@deputy/testing";
import { expect, test } from "vitest";

const spec = new URL("../SPEC.md", import.meta.url);

test("every rule of SPEC.md is cited by a test", () => {
  assertSpecCited(
    spec,
    new URL("./", import.meta.url),
    new URL("../../testing/src/codemode/", import.meta.url),
  );
});

test("every rule for a page is cited by the test that has a real browser", () => {
  const rules = [...readFileSync(spec, "utf8").matchAll(/^\| (CB\d+) /gm)].map(([, id]) => id);
  const tests = readFileSync(
    new URL("../../../e2e/browser-sandbox.security.test.ts", import.meta.url),
    "utf8",
  );
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
