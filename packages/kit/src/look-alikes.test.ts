import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { findLookAlikes, spellOut } from "./make-visible.ts";

test.each([
  ["Cyrillic among Latin", "send it to pаypal", ["pаypal"]],
  ["Greek among Latin", "gοogle", ["gοogle"]],
  ["full-width letters", "ｐａｙ now", ["ｐａｙ"]],
  ["mathematical letters", "𝐩ay", ["𝐩ay"]],
  ["a whole word of twins in an address", "mail@аррӏе.com", ["аррӏе"]],
  ["each once", "pаy pаy", ["pаy"]],
])("[K27] finds %s", (_what, text, words) => {
  expect(findLookAlikes(text, 10)).toEqual(words);
});

test.each([
  "plain text, Grüße an Łukasz, 1ª",
  "только русский текст, аррӏе",
  "μs, Δx, π2 and 5Ω",
  "mixed по-русски and English words",
  "пример.com",
  "世界 and Tokyo東京",
])("[K27] finds nothing in %j", (text) => {
  expect(findLookAlikes(text, 10)).toEqual([]);
});

test.each(["x", "x.", ".", "а", "а.", "ｘ"])("[K27] takes linear time for any text: %s", (piece) => {
  const growth = growthOf((size) => findLookAlikes(piece.repeat(size), 10), 75_000);
  expect(growth).toBeLessThan(LINEAR);
});

test("[K27] finds at most as many as requested, and spells out letters that are not plain", () => {
  expect(findLookAlikes("pаy pаl", 1)).toEqual(["pаy"]);
  expect(spellOut("pаy")).toBe("p\\u{430}y");
});
