import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { markConflicts, mergeTexts } from "./merge3.ts";

const line = fc.constantFrom("a\n", "b\n", "c\n", "d\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "", "end"))
  .map(([lines, end]) => lines.join("") + end);

test("[WS11] takes the other side if one did nothing, or both did the same", () => {
  fc.assert(
    fc.property(text, text, (base, side) => {
      const merged = { kind: "merged", text: side };
      expect(mergeTexts(base, side, base)).toEqual(merged);
      expect(mergeTexts(base, base, side)).toEqual(merged);
      expect(mergeTexts(base, side, side)).toEqual(merged);
    }),
  );
});

test("[WS11] gives the same result whichever side is called ours", () => {
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      expect(mergeTexts(base, ours, theirs)).toEqual(mergeTexts(base, theirs, ours));
    }),
  );
});

test("[WS11] takes both changes if an unchanged line is between them", () => {
  const unique = Array.from({ length: 20 }, (_, n) => `${n}\n`);
  const edit = fc.record({
    at: fc.nat(19),
    count: fc.nat(2),
    lines: fc.array(fc.constantFrom("x\n", "y\n"), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(edit, edit, (one, other) => {
      const [first, second] = one.at <= other.at ? [one, other] : [other, one];
      fc.pre(first.at + first.count < second.at && second.at + second.count <= 20);
      const apply = (lines: readonly string[], { at, count, lines: made }: typeof one) =>
        lines.toSpliced(at, count, ...made);
      const both = apply(apply(unique, second), first).join("");
      const merged = mergeTexts(
        unique.join(""),
        apply(unique, first).join(""),
        apply(unique, second).join(""),
      );
      expect(merged).toEqual({ kind: "merged", text: both });
    }),
    { numRuns: 500 },
  );
});

test("[WS11] changes that overlap or touch conflict, and the places are counted", () => {
  const merge = (ours: string, theirs: string) => mergeTexts("1\n2\n3\n4\n5\n", ours, theirs);
  expect(merge("1\nx\n3\n4\n5\n", "1\ny\n3\n4\n5\n")).toEqual({ kind: "conflict", places: 1 });
  expect(merge("1\nx\n3\n4\n5\n", "1\n2\ny\n4\n5\n")).toEqual({ kind: "conflict", places: 1 });
  expect(merge("1\n2\n3\n4\n5\nx\n", "1\n2\n3\n4\n5\ny\n")).toEqual({ kind: "conflict", places: 1 });
  expect(merge("x\n2\n3\n4\nx\n", "y\n2\n3\n4\ny\n")).toEqual({ kind: "conflict", places: 2 });
});

test.skipIf(spawnSync("git", ["--version"]).status !== 0)("[WS11] agrees with git where both merge", () => {
  const directory = mkdtempSync(join(tmpdir(), "deputy-merge-"));
  try {
    let compared = 0;
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n}\n`);
    const side = fc.array(
      fc.record({ at: fc.nat(11), count: fc.nat(1), lines: fc.array(line, { maxLength: 2 }) }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(side, side, (ours, theirs) => {
        const made = [ours, theirs].map((edits) =>
          edits
            .reduce<readonly string[]>(
              (now, { at, count, lines: put }) => now.toSpliced(at, count, ...put),
              lines,
            )
            .join(""),
        );
        const [mine = "", yours = ""] = made;
        const merged = mergeTexts(lines.join(""), mine, yours);
        for (const [name, content] of Object.entries({ base: lines.join(""), mine, yours }))
          writeFileSync(join(directory, name), content);
        const git = spawnSync("git", ["merge-file", "-p", "mine", "base", "yours"], {
          cwd: directory,
          encoding: "utf8",
        });
        if (merged.kind === "conflict" || git.status !== 0) return;
        compared++;
        expect(merged.text).toBe(git.stdout);
      }),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(30);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("[WS23] a conflict is shown as one text with both sides, each marked, and lines of their own", () => {
  expect(markConflicts("1\n2\n3\n", "1\nours\n3\n", "1\ntheirs\n3\nmore\n")).toEqual({
    places: 1,
    text: "1\n<<<<<<< workspace\nours\n=======\ntheirs\n>>>>>>> folder\n3\nmore\n",
  });
  expect(markConflicts("", "ours", "theirs").text).toBe(
    "<<<<<<< workspace\nours\n=======\ntheirs\n>>>>>>> folder\n",
  );
});
