import { expect, test } from "vitest";
import { createDrawnRows } from "./drawn-rows.ts";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ key: String(from + at) }));
const ends = (rows: readonly { readonly key: string }[]) => [rows[0]?.key, rows.at(-1)?.key, rows.length];

test("[W50] 120 rows are drawn at most, those around the reader; the rest is drawn when somebody goes there", () => {
  const drawn = createDrawnRows();
  expect(ends(drawn.of(numbered(1, 100), "100"))).toEqual(["1", "100", 100]);
  // At the end, what is above goes.
  expect(ends(drawn.of(numbered(1, 130), "130"))).toEqual(["11", "130", 120]);
  expect(drawn.hasEnd()).toBe(true);
  // Up: first what the store has, and then what it loads; what is below goes.
  expect(drawn.goUp(numbered(1, 130))).toBe(true);
  expect(ends(drawn.of(numbered(1, 130), "12"))).toEqual(["1", "120", 120]);
  expect(drawn.goUp(numbered(1, 130))).toBe(false);
  expect(ends(drawn.of(numbered(-79, 130), "1"))).toEqual(["-79", "40", 120]);
  expect(drawn.hasEnd()).toBe(false);
  // New rows at the end are not drawn before the reader comes down to them.
  expect(ends(drawn.of(numbered(-79, 140), "1"))).toEqual(["-79", "40", 120]);
  expect(drawn.goDown(numbered(-79, 140))).toBe(true);
  expect(ends(drawn.of(numbered(-79, 140), "39"))).toEqual(["-39", "80", 120]);
  drawn.goToEnd(numbered(-79, 140));
  expect(ends(drawn.of(numbered(-79, 140), undefined))).toEqual(["101", "140", 40]);
  expect(drawn.goDown(numbered(-79, 140))).toBe(false);
});

test("[W50] what is found far up is drawn with what is around it; what the store forgets is not missed", () => {
  const drawn = createDrawnRows();
  const rows = numbered(1, 5_000);
  expect(ends(drawn.of(rows, undefined))).toEqual(["4881", "5000", 120]);
  drawn.goTo(rows, "1000");
  expect(ends(drawn.of(rows, "1000"))).toEqual(["960", "1039", 80]);
  expect(drawn.hasEnd()).toBe(false);
  expect(ends(drawn.of(numbered(4_921, 5_000), undefined))).toEqual(["4921", "5000", 80]);
});
