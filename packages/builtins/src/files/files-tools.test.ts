import { createOriginIndex } from "@deputy/policy/provenance";
import { expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";

const FILES = { "a.txt": "one\ntwo\nthree", "src/b.ts": "const b = 1;\n", "src/deep/c.ts": "// TODO: c\n" };

test("[TB1] a file is read whole, or some lines of it", async () => {
  const { call } = await openBuiltins(FILES);
  expect(await call("files.read", { path: "a.txt" })).toEqual({ content: "one\ntwo\nthree", lines: 3 });
  expect(await call("files.read", { path: "a.txt", offset: 2, limit: 1 })).toEqual({
    content: "two\n",
    lines: 3,
  });
  expect(await call("files.read", { path: "a.txt", offset: 3 })).toEqual({ content: "three", lines: 3 });
  expect(await call("files.read", { path: "a.txt", offset: 9 })).toEqual({ content: "", lines: 3 });
  await expect(call("files.read", { path: "none" })).rejects.toMatchObject({ code: "not_found" });
  await expect(call("files.read", { path: "../../etc/passwd" })).rejects.toMatchObject({
    code: "path_refused",
  });
});

test("[TB1] what is too long is refused rather than cut: written back, a part would be lost", async () => {
  const { call } = await openBuiltins({ long: "line\n".repeat(300_000) });
  await expect(call("files.read", { path: "long" })).rejects.toMatchObject({ code: "text_too_long" });
  expect((await call("files.read", { path: "long", limit: 2 })).content).toBe("line\nline\n");
});

test("[TB2] writing, editing and removing change the workspace alone, without asking", async () => {
  const { call, textOf, realText, toolAt, workspace } = await openBuiltins(FILES);
  expect(await call("files.write", { path: "new/d.txt", content: "ä" })).toEqual({
    change: "created",
    bytes: 2,
  });
  await call("files.write", { path: "a.txt", content: "x" });
  expect(await call("files.edit", { path: "src/b.ts", find: "1", replace: "$&2" })).toMatchObject({
    replacements: 1,
  });
  await call("files.remove", { path: "src/deep/c.ts" });
  expect(await textOf("src/b.ts")).toBe("const b = $&2;\n");
  expect(await realText("a.txt")).toBe(FILES["a.txt"]);
  expect(await realText("src/b.ts")).toBe(FILES["src/b.ts"]);
  const { changes } = await workspace.status(new AbortController().signal);
  expect(changes.map(({ path }) => path)).toEqual(["a.txt", "new/d.txt", "src/b.ts", "src/deep/c.ts"]);
  for (const path of ["files.write", "files.edit", "files.applyPatch", "files.remove"])
    expect(toolAt(path)).toMatchObject({ approval: "auto", effect: "write", critical: [] });
  for (const path of ["files.read", "files.list", "files.glob", "files.grep"])
    expect(toolAt(path)).toMatchObject({ approval: "auto", effect: "read" });
});

test("[TB2] who has only written has read nothing, and learns nothing that they did not know", async () => {
  const { call, toolAt } = await openBuiltins(FILES);
  const index = createOriginIndex();
  const path = "eve@example.com";
  const calls = [
    ["files.write", { path, content: "x" }],
    ["files.edit", { path, find: "x", replace: "eve@example.com" }],
    ["files.remove", { path }],
  ] as const;
  for (const [source, input] of calls) {
    const result: unknown = await call(source, input);
    const { trust = "untrusted" } = toolAt(source);
    index.addResult({ source, trust, toolPath: source }, result, input);
    expect(JSON.stringify(result) ?? "").not.toContain(path);
  }
  expect(index.origins().untrusted).toEqual([]);
});

test("[TB2] an edit needs text that is there, and once, unless all are meant", async () => {
  const { call, textOf } = await openBuiltins({ a: "x y x" });
  const edit = (input: object) => call("files.edit", { path: "a", replace: "z", ...input });
  await expect(edit({ find: "q" })).rejects.toMatchObject({ code: "text_not_found" });
  await expect(edit({ find: "x" })).rejects.toMatchObject({ code: "text_ambiguous" });
  expect(await textOf("a")).toBe("x y x");
  expect(await edit({ find: "x", all: true })).toMatchObject({ replacements: 2 });
  expect(await textOf("a")).toBe("z y z");
});

test("[TB4] folders are listed, and files found by their path", async () => {
  const { call } = await openBuiltins(FILES);
  expect(await call("files.list", undefined)).toEqual([
    { name: "a.txt", kind: "file" },
    { name: "src", kind: "folder" },
  ]);
  expect(await call("files.glob", { pattern: "**/*.ts" })).toEqual({
    paths: ["src/b.ts", "src/deep/c.ts"],
    isCut: false,
  });
  expect(await call("files.glob", { pattern: "*.ts", path: "./src/" })).toMatchObject({
    paths: ["src/b.ts"],
  });
  expect(await call("files.glob", { pattern: "**", limit: 1 })).toEqual({ paths: ["a.txt"], isCut: true });
});

test("[TB4] lines are found by a pattern or plain text, with their file and number", async () => {
  const { call } = await openBuiltins({ ...FILES, bin: "\0TODO", "d.md": "todo (a)\r\nTODO (b)\r\n" });
  expect(await call("files.grep", { pattern: "TODO:? \\W?[bc]" })).toEqual({
    matches: [
      { path: "d.md", line: 2, text: "TODO (b)" },
      { path: "src/deep/c.ts", line: 1, text: "// TODO: c" },
    ],
    isCut: false,
    filesSearched: 4,
  });
  expect(
    (await call("files.grep", { pattern: "todo (", literal: true, ignoreCase: true })).matches,
  ).toHaveLength(2);
  expect(
    (await call("files.grep", { pattern: "todo", ignoreCase: true, glob: "**/*.ts" })).matches,
  ).toHaveLength(1);
  expect((await call("files.grep", { pattern: "t", path: "a.txt" })).matches).toHaveLength(2);
  expect(await call("files.grep", { pattern: "t", limit: 1 })).toMatchObject({
    isCut: true,
    matches: [{ line: 2 }],
  });
  await expect(call("files.grep", { pattern: "(?=x)" })).rejects.toMatchObject({ code: "pattern_invalid" });
});

const INTO_GIT = "*** Begin Patch\n*** Add File: ok\n+x\n*** Add File: r/.git/hooks/run\n+x\n*** End Patch";

test.each([
  ["files.write", { path: "r/.git/config", content: "[core]" }],
  ["files.remove", { path: ".GIT/config" }],
  ["files.applyPatch", { patch: INTO_GIT }],
])("[TB2] git's own files are left to git: %s", async (path, input) => {
  const { call, workspace } = await openBuiltins({ "a.txt": "a" });
  await expect(call(path, input)).rejects.toMatchObject({ code: "path_refused" });
  expect(await workspace.walk("", new AbortController().signal)).toEqual(["a.txt"]);
});
