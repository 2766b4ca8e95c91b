import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

/** What `patch` does. */
function apply(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const result: string[] = [];
  let at = 0;
  const body = diff.split("\n").slice(2);
  for (const [n, line] of body.entries()) {
    const start = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line);
    if (start !== null) {
      const from = Number(start[1]) - (start[2] === "0" ? 0 : 1);
      while (at < from) result.push(old[at++] ?? "");
      continue;
    }
    if (line.startsWith("\\")) continue;
    const text = line.slice(1) + (body[n + 1]?.startsWith("\\") === true ? "" : "\n");
    if (line.startsWith("+")) result.push(text);
    else {
      expect(old[at]).toBe(text);
      at += 1;
      if (line.startsWith(" ")) result.push(text);
    }
  }
  return [...result, ...old.slice(at)].join("");
}

const text = fc
  .array(fc.constantFrom("a", "b", "c", "", "@@ -1 +1 @@", "\\ x"), { maxLength: 30 })
  .chain((lines) => fc.constantFrom("", "\n").map((end) => lines.join("\n") + end));

test("[K28] applying a diff to the old text gives the new text", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, unifiedDiff({ path: "f", before, after }))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

test("[K29] shows three lines around each change, with separate hunks for distant changes", () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`);
  const before = `${lines.join("\n")}\n`;
  const after = before.replace("line 2\n", "line two\n").replace("line 19\n", "");
  expect(unifiedDiff({ path: "notes/a.md", before, after })).toBe(
    [
      "--- notes/a.md",
      "+++ notes/a.md",
      "@@ -1,5 +1,5 @@",
      " line 1",
      "-line 2",
      "+line two",
      " line 3",
      " line 4",
      " line 5",
      "@@ -16,5 +16,4 @@",
      " line 16",
      " line 17",
      " line 18",
      "-line 19",
      " line 20",
    ].join("\n"),
  );
});

test("[K29] changes with touching context share a hunk", () => {
  const before = Array.from({ length: 12 }, (_, n) => `${n}\n`).join("");
  const near = unifiedDiff({ path: "f", before, after: before.replace("1\n", "x\n").replace("8\n", "y\n") });
  expect(near.match(/^@@/gm)).toHaveLength(1);
  const far = unifiedDiff({ path: "f", before, after: before.replace("1\n", "x\n").replace("9\n", "y\n") });
  expect(far.match(/^@@/gm)).toHaveLength(2);
});

test("[K29] shows added, removed and unchanged files", () => {
  expect(unifiedDiff({ path: "f", before: null, after: "x" })).toBe(
    "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file",
  );
  expect(unifiedDiff({ path: "f", before: "x\n", after: null })).toBe(
    "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x",
  );
  expect(unifiedDiff({ path: "f", before: "x", after: "x" })).toBe("");
});

test("[K28] [K30] many differences are complete; texts that are too large are reported, not compared", () => {
  const before = Array.from({ length: 3_000 }, (_, n) => `old ${n}\n`).join("");
  const after = Array.from({ length: 3_000 }, (_, n) => `new ${n}\n`).join("");
  expect(apply(before, unifiedDiff({ path: "f", before, after }))).toBe(after);
  const huge = "x\n".repeat(200_000);
  expect(unifiedDiff({ path: "f", before: null, after: huge })).not.toContain("too large");
  expect(unifiedDiff({ path: "f", before: "y", after: huge })).toContain(
    "@@ too large to compare: 1 characters become 400000 @@",
  );
});
