import { expect, test } from "vitest";
import { filePath, fitting, readTyped } from "./completion.ts";

test.each([
  ["/", { kind: "command", query: "", from: 0, to: 1 }],
  ["/ren", { kind: "command", query: "ren", from: 0, to: 4 }],
  ["/model cl", { kind: "model", query: "cl", from: 0, to: 9 }],
  ["/effort ", { kind: "effort", query: "", from: 0, to: 8 }],
  ["Look at @src/m", { kind: "file", query: "src/m", from: 8, to: 14 }],
  ["(@a", { kind: "file", query: "a", from: 1, to: 3 }],
  ["/etc/hosts", undefined],
  ["see /new", undefined],
  ["/new and more", undefined],
  ["ada@example.org", undefined],
  ["@a b", undefined],
  ["", undefined],
])("[W25] %j is typed as %j", (text, typed) => {
  expect(readTyped(text, text.length)).toEqual(typed);
});

test("[W25] only what stands before the cursor counts", () => {
  expect(readTyped("Read @no and more", 8)).toEqual({ kind: "file", query: "no", from: 5, to: 8 });
});

test("[W25] what begins so comes before what has the letters, in a name or in what is said of it", () => {
  const options = ["archive", "new", "rename", "export"].map((name) => ({
    name,
    about: name === "export" ? "Saves it as news" : "",
  }));
  const found = (query: string) => fitting(options, query, (option) => option).map(({ name }) => name);
  expect(found("ne")).toEqual(["new", "rename", "export"]);
  expect(found("e")).toEqual(["export", "archive", "new", "rename"]);
  expect(found("rnm")).toEqual(["rename"]);
  expect(found("zz")).toEqual([]);
});

test("[W25] a path with blanks stands between quotes", () => {
  expect([filePath("a/b.md"), filePath("a b.md")]).toEqual(["a/b.md ", '"a b.md" ']);
});
