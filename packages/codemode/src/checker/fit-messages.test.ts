import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitMessages } from "./explain-diagnostics.ts";

const message = (full: string, brief = full) => ({ full, brief });

test("[C72] shows messages in full if they fit", () => {
  expect(fitMessages([message("a", "b"), message("c", "d")], 0)).toEqual(["a", "c"]);
  expect(fitMessages([], 0)).toEqual([]);
});

test("[C72] then shortens them, then drops them; the last one counts the rest", () => {
  const long = "x".repeat(3_000);
  expect(
    fitMessages([message(long), message(long, "brief"), message("y".repeat(1_500)), message("z")], 4),
  ).toEqual([long, "brief\n(6 more problems not shown)"]);
  const nine = Array.from({ length: 9 }, (_, n) => message(`${n}`));
  expect(fitMessages(nine, 0)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7\n(1 more problem not shown)"]);
});

test("[C72] never exceeds 4 KB, in any script", () => {
  const text = fc
    .tuple(fc.constantFrom("a", "ä", "\u{1f600}", "日本", "\ud800"), fc.nat(3_000))
    .map(([char, count]) => char.repeat(count));
  fc.assert(
    fc.property(
      fc.array(fc.record({ full: text, brief: text }), { maxLength: 12 }),
      fc.nat(999_999),
      (all, more) => {
        const fitting = fitMessages(all, more);
        expect(new TextEncoder().encode(fitting.join("")).length).toBeLessThanOrEqual(4_096);
        expect(fitting.length === 0).toBe(all.length === 0);
      },
    ),
    { numRuns: 200 },
  );
});
