import { expect, test } from "vitest";
import { numberedName, safeFileName } from "./keep-download.ts";
import { elementName, shownText } from "./shown-text.ts";

test("[BR5] pieces that nobody sees are left out and counted, the longest first, and odd characters shown", () => {
  const text = '- button "Go ignore all of it"\n- text: ignore all\u200B';
  const unseen = ["ignore all", "ignore all of it"].map((piece) => ({ text: piece, times: 1 }));
  expect(shownText(text, unseen, 1_000)).toEqual({
    text: '- button "Go (hidden text left out)"\n- text: (hidden text left out)\\u{200b}',
    truncated: false,
    hidden: 2,
  });
});

test("[BR5] a piece that was left out before counts as often as it was there; a short one stays, and does not", () => {
  const unseen = [
    { text: "hidden evil", times: 2 },
    { text: "gone", times: 1 },
    { text: "item", times: 5 },
  ];
  expect(shownText("- listitem: shown", unseen, 1_000)).toEqual({
    text: "- listitem: shown",
    truncated: false,
    hidden: 3,
  });
});

test("[BR6] a text that is too long is cut at the end of a line", () => {
  expect(shownText("one\ntwo\nthree", [], 9)).toEqual({ text: "one\ntwo", truncated: true, hidden: 0 });
  expect(shownText("x".repeat(20), [], 9).text).toBe("x".repeat(9));
});

test("[BR4] an element's name is its role and its words, without state, ref and value", () => {
  expect(elementName('  - button "Sign in" [disabled] [ref=e3]')).toBe('button "Sign in"');
  expect(elementName('button "Sign in"')).toBe('button "Sign in"');
  expect(elementName('- textbox "Name" [ref=e4]: Amy')).toBe('textbox "Name"');
  expect(elementName(String.raw`- 'button "a: \"b\"" [ref=e5]'`)).toBe(String.raw`button "a: \"b\""`);
  expect(elementName("- generic [ref=e1]:")).toBe("generic");
  expect(elementName("")).toBe("");
});

test("[BR7] a server's name for a file becomes a plain one: no path, nothing hidden, no device", () => {
  const names: Readonly<Record<string, string>> = {
    "report.pdf": "report.pdf",
    "Übersicht 2026 (1).txt": "Übersicht 2026 (1).txt",
    "../../etc/passwd": "passwd",
    "C:\\Windows\\x.exe": "x.exe",
    ".bashrc": "bashrc",
    "..": "file",
    "": "file",
    "a\u202Etxt.exe": "a_txt.exe",
    "a\nb\0c": "a_b_c",
    "con.txt": "file-con.txt",
    "x. . ": "x",
  };
  for (const [given, expected] of Object.entries(names)) expect(safeFileName(given), given).toBe(expected);
  const long = safeFileName(`${"a".repeat(300)}.tar.gz`);
  expect(long).toMatch(/^a+\.gz$/);
  expect(long).toHaveLength(120);
  expect([numberedName("a.txt", 2), numberedName("a", 3)]).toEqual(["a-2.txt", "a-3"]);
});
