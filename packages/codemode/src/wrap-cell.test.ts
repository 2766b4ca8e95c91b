import { expect, test } from "vitest";
import { placeInCell, unwrapCell, wrapCell } from "./wrap-cell.ts";

test("[C13] a cell is the body of an async function and keeps its lines", () => {
  const code = "const x = 1;\nreturn x;";
  const wrapped = wrapCell(code);
  expect(wrapped.split("\n").slice(1)).toEqual(["return x;", "})"]);
  expect(unwrapCell(wrapped)).toBe(code);
  expect(unwrapCell(wrapCell(""))).toBe("");
});

test("[C13] every place in the wrapped text maps to one in the code", () => {
  const code = "ab\nc\n";
  const wrapped = wrapCell(code);
  const at = (text: string): number => wrapped.indexOf(text);
  expect(placeInCell(code, at("ab"))).toEqual({ line: 1, column: 1 });
  expect(placeInCell(code, at("b\n"))).toEqual({ line: 1, column: 2 });
  expect(placeInCell(code, at("c\n"))).toEqual({ line: 2, column: 1 });
  expect(placeInCell(code, 0)).toEqual({ line: 1, column: 1 });
  expect(placeInCell(code, wrapped.length)).toEqual({ line: 3, column: 1 });
});
