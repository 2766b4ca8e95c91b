import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shownProse, spoken } from "./shown.ts";

/** What a text becomes, with the names of hidden characters in brackets; no browser is needed for that. */
function flat(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(flat).join("");
  const { strings, values } = value as {
    readonly strings: readonly string[];
    readonly values: readonly unknown[];
  };
  expect(strings.join("")).toContain("hidden-mark");
  return `<${values.map(flat).join("")}>`;
}

test.each([
  ["an override of direction", "user\u202Etxt.exe", "user<U+202E>txt.exe"],
  ["a zero-width space", "pay\u200Bpal", "pay<U+200B>pal"],
  ["a tag character", "ok\u{E0041}", "ok<U+E0041>"],
  ["whole emoji", "👩‍💻 ❤️ 🇦🇹", "👩‍💻 ❤️ 🇦🇹"],
  ["joined letters", "می\u200cخواهم", "می\u200cخواهم"],
  ["a joiner without letters around it", "a \u200d b", "a <U+200D> b"],
  ["a no-break space", "5\u00a0km", "5\u00a0km"],
])("[W1] in prose, %s", (_name, text, expected) => {
  expect(flat(shownProse(text))).toBe(expected);
});

test("[W1] in prose, whatever is an emoji is one, whether in other text or alone", () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x1faff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/^\p{RGI_Emoji}$/v.test(character)) continue;
    if (flat(shownProse(character)) !== character) wrong.push(code.toString(16));
  }
  for (const text of ["1️⃣", "☺️", "™️", "㊗️", "〰️", "👍🏽"])
    if (flat(shownProse(text)) !== text) wrong.push(text);
  expect(wrong).toEqual([]);
});

test("[W1] attributes that people hear have hidden characters spelled out too", () => {
  expect(spoken("a\u202Eb")).toBe("aU+202Eb");
});

test("[W3] no source of the page makes markup of a string, or names another server", () => {
  const page = new URL("../", import.meta.url).pathname;
  const files = globSync("**/*.ts", { cwd: page }).filter((name) => !name.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(30);
  for (const name of files)
    expect(readFileSync(`${page}${name}`, "utf8"), name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|unsafeHTML|unsafeSVG|styleMap|["'`]https?:\/\//,
    );
});
