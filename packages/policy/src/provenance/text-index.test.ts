import { expect, test } from "vitest";
import { createTextIndex, type TextIndex } from "./text-index.ts";

function setup(...said: readonly (readonly [source: string, text: string])[]): TextIndex {
  const index = createTextIndex();
  for (const [source, text] of said) index.add(text, source);
  return index;
}

test("[YP13] who stated a value, or said a phrase, first is the one that is named", () => {
  const index = setup(["letter", "pay the rent"], ["page", "pay the bill"], ["note", "pay the bill"]);
  expect(index.find(["pay"])).toBe("letter");
  expect(index.find(["nothing", "bill"])).toBe("page");
  expect(index.findPhrase(["pay", "the"])).toBe("letter");
  expect(index.findPhrase(["pay", "the", "bill"])).toBe("page");
  expect(index.findPhrase(["the", "bill"])).toBe("page");
});

test("[YP4] a phrase is found wherever it stands, however often its words stand elsewhere", () => {
  expect(setup(["a", "in new in new in new mexico"]).findPhrase(["in", "new", "mexico"])).toBe("a");
  expect(setup(["a", "red blue, blue red"]).findPhrase(["red", "blue"])).toBe("a");
  expect(setup(["a", "blue red, red blue"]).findPhrase(["red", "blue"])).toBe("a");
});

test("[YP4] not across two texts, not in another order, not with a word between", () => {
  const index = setup(["a", "delete the old"], ["b", "file of Bob"]);
  for (const phrase of ["old file", "the delete", "delete old", "delete the old file", "the of"])
    expect(index.findPhrase(phrase.split(" ")), phrase).toBeUndefined();
  expect(index.findPhrase([])).toBeUndefined();
  expect(index.findPhrase([""])).toBeUndefined();
  expect(index.find([])).toBeUndefined();
});

test("[YP22] what stands in no run of the user's words is foreign", () => {
  const index = setup(["user", "please come home with me"]);
  expect(index.findForeign(["please", "come", "home", "soon"], 3)).toEqual([3]);
  expect(index.findForeign(["come", "home", "with", "me"], 3)).toEqual([]);
  expect(index.findForeign(["do", "come", "home", "with", "us"], 3)).toEqual([0, 4]);
  expect(index.findForeign(["go", "home"], 3)).toEqual([0, 1]);
  expect(index.findForeign(["home", "please", "come"], 3)).toEqual([0, 1, 2]);
});
