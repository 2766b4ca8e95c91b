import { readdirSync, readFileSync } from "node:fs";
import { assertSpecCited } from "@deputy/testing";
import { expect, test } from "vitest";

const spec = new URL("../SPEC.md", import.meta.url);

test("every rule of the specification is cited by a test, and no other", () => {
  assertSpecCited(spec, new URL("./", import.meta.url));
});

test("every rule for a real browser is cited by a test that has one", () => {
  const rules = [...readFileSync(spec, "utf8").matchAll(/^\| (WB\d+) /gm)].map(([, id]) => id);
  const e2e = new URL("../../../e2e/", import.meta.url);
  const files = readdirSync(e2e).filter((name) => /^page.*\.test\.ts$/.test(name));
  const tests = files.map((name) => readFileSync(new URL(name, e2e), "utf8")).join("\n");
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
