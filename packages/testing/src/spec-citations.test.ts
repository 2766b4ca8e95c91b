import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished, expect, test } from "vitest";
import { assertSpecCited } from "./spec-citations.ts";

function setup(spec: string, tests: string): () => void {
  const dir = mkdtempSync(join(tmpdir(), "spec-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "SPEC.md"), spec);
  writeFileSync(join(dir, "x.test.ts"), tests);
  const url = pathToFileURL(`${dir}/`);
  return () => assertSpecCited(new URL("SPEC.md", url), url);
}

const rules = "- **Z1** First.\n- **Z2** Second, see **Z9**.\n";

test("passes when every rule is cited in a title", () => {
  expect(setup(rules, 'test("[Z1] [Z2] both", () => {});')).not.toThrow();
});

test("names an uncited, an unknown and a repeated rule", () => {
  expect(setup(rules, '// [Z2]\ntest("[Z1] one", () => {});')).toThrow("Z2 is cited by no test");
  expect(setup(rules, 'test("[Z1] [Z2] [Z3] x", () => {});')).toThrow("Z3 is cited but not in the spec");
  expect(setup(`${rules}- **Z1** Again.\n`, 'test("[Z1] [Z2] x", () => {});')).toThrow("Z1 is defined twice");
});

test("a specification without rules proves nothing", () => {
  expect(setup("# Nothing\n", "")).toThrow("it has no rules");
});
