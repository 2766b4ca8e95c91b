import * as fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, type LineChange, splitLines } from "./unified-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 24 });

function apply(old: readonly string[], now: readonly string[], changes: readonly LineChange[]) {
  const made: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    made.push(...old.slice(at, oldStart), ...now.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...made, ...old.slice(at)];
}

const editsOf = (changes: readonly LineChange[]): number =>
  changes.reduce((sum, each) => sum + each.oldEnd - each.oldStart + each.newEnd - each.newStart, 0);

/** The textbook algorithm: a table of longest common subsequences. */
function fewestEdits(old: readonly string[], now: readonly string[]): number {
  let row = Array.from({ length: now.length + 1 }, () => 0);
  for (const line of old) {
    const next = [0];
    for (const [at, other] of now.entries())
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return old.length + now.length - 2 * (row.at(-1) ?? 0);
}

test("[K31] turns the old lines into the new ones in order, with the fewest changes", () => {
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const changes = diffLines(old, now);
      expect(apply(old, now, changes)).toEqual(now);
      expect(editsOf(changes)).toBe(fewestEdits(old, now));
      for (const [at, change] of changes.entries())
        expect(change.oldStart).toBeGreaterThan(changes[at - 1]?.oldEnd ?? -1);
    }),
    { numRuns: 2_000 },
  );
});

test("[K31] finishes in time with correct changes even for very different texts", () => {
  const old = Array.from({ length: 30_000 }, (_, n) => `old ${n % 7_000}`);
  const now = Array.from({ length: 30_000 }, (_, n) => (n % 50 === 0 ? `old ${n % 7_000}` : `new ${n}`));
  // Time of this process: a busy machine gives it less of a second.
  const before = process.cpuUsage();
  const changes = diffLines(old, now);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
  expect(apply(old, now, changes)).toEqual(now);
});

test("[K31] lines keep their ends, so joining them gives the text again", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "\r")), (parts) => {
      const text = parts.join("");
      const split = splitLines(text);
      expect(split.join("")).toBe(text);
      expect(split.slice(0, -1).every((line) => /^[^\n]*\n$/.test(line))).toBe(true);
    }),
  );
});
