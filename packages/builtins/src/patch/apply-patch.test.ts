import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./apply-patch.ts";

const BEGIN = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch\n`;

test("[TB3] *** Begin Patch adds, updates, moves and deletes files", async () => {
  const { call, textOf, workspace } = await openBuiltins({
    "a.ts": "class A {\n  x() {\n    return 1;\n  }\n  y() {\n    return 1;\n  }\n}\n",
    "old.txt": "keep\ngo\n",
    "gone.txt": "g",
  });
  const patch = BEGIN(
    [
      "*** Update File: a.ts",
      "@@ class A {",
      "@@   y() {",
      "-    return 1;",
      "+    return 2;",
      "   }",
      "*** Add File: new/b.txt",
      "+one",
      "+",
      "+two",
      "*** Update File: old.txt",
      "*** Move to: moved.txt",
      "@@",
      " keep",
      "-go",
      "+stay",
      "*** End of File",
      "*** Delete File: gone.txt",
    ].join("\n"),
  );
  expect(await call("files.applyPatch", { patch })).toEqual({
    files: [
      { path: "a.ts", change: "modified" },
      { path: "new/b.txt", change: "added" },
      { path: "moved.txt", change: "moved" },
      { path: "gone.txt", change: "deleted" },
    ],
  });
  expect(await textOf("a.ts")).toBe(
    "class A {\n  x() {\n    return 1;\n  }\n  y() {\n    return 2;\n  }\n}\n",
  );
  expect(await textOf("new/b.txt")).toBe("one\n\ntwo\n");
  expect(await textOf("moved.txt")).toBe("keep\nstay\n");
  expect(await workspace.walk("", new AbortController().signal)).toEqual(["a.ts", "moved.txt", "new/b.txt"]);
});

test("[TB3] a unified diff works with and without git's prefixes, also with wrong line numbers and counts", async () => {
  const text = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join("");
  const { call, textOf } = await openBuiltins({ "a.txt": text, "b/c.txt": "x\n" });
  const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -3,9 +3,2 @@ some function
 line 19
-line 20
+LINE 20
 line 21
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+n
+m
\\ No newline at end of file
`;
  await call("files.applyPatch", { patch });
  expect(await textOf("a.txt")).toBe(text.replace("line 20", "LINE 20"));
  expect(await textOf("new.txt")).toBe("n\nm");
  await call("files.applyPatch", { patch: "```diff\n--- b/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-x\n+y\n```" });
  expect(await textOf("b/c.txt")).toBe("y\n");
});

test("[TB3] a patch that does not fit changes nothing, and says where", async () => {
  const { call, textOf, workspace } = await openBuiltins({ "a.txt": "a\n", "b.txt": "b\n" });
  const before = (await workspace.status(new AbortController().signal)).id;
  const fitting = "*** Update File: a.txt\n@@\n-a\n+A\n";
  const wrongs: readonly (readonly [string, string])[] = [
    [BEGIN(`${fitting}*** Update File: b.txt\n@@\n-nothing\n+B`), "patch_conflict"],
    [BEGIN(`${fitting}*** Update File: none.txt\n@@\n-a\n+b`), "patch_conflict"],
    [BEGIN(`${fitting}*** Add File: b.txt\n+b`), "patch_conflict"],
    [BEGIN(`${fitting}*** Delete File: none.txt`), "patch_conflict"],
    [BEGIN(`${fitting}*** Update File: b.txt\n*** Move to: a.txt`), "patch_conflict"],
    [BEGIN(`${fitting}*** Add File: ../x\n+b`), "path_refused"],
    [BEGIN(`${fitting}*** Add File: /etc/x\n+b`), "path_refused"],
    [BEGIN("hello"), "patch_invalid"],
    ["*** Begin Patch\n*** Add File: x\n+x", "patch_invalid"],
    ["nothing of the kind", "patch_invalid"],
    ["@@ -1 +1 @@\n-a\n+b\n", "patch_invalid"],
    ["diff --git a/x b/x\nGIT binary patch\n", "patch_invalid"],
  ];
  for (const [patch, code] of wrongs)
    await expect(call("files.applyPatch", { patch }), patch).rejects.toMatchObject({ code });
  expect(await textOf("a.txt")).toBe("a\n");
  expect((await workspace.status(new AbortController().signal)).id).toBe(before);
});

test("[TB3] line ends and white space of the file stay its own", async () => {
  const { call, textOf } = await openBuiltins({
    "crlf.txt": "a\r\nb\r\nc\r\n",
    "space.txt": "  a  \n\tb\nc",
  });
  await call("files.applyPatch", { patch: BEGIN("*** Update File: crlf.txt\n@@\n a\n-b\n+B\n c") });
  expect(await textOf("crlf.txt")).toBe("a\r\nB\r\nc\r\n");
  await call("files.applyPatch", { patch: BEGIN("*** Update File: space.txt\n@@\n a\n-b\n+B\n c") });
  expect(await textOf("space.txt")).toBe("  a  \nB\nc");
});

test("[TB3] a removed line that looks like a header is a removed line", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n--- b\n+++ c\n d\n";
  const [file] = parsePatch(patch);
  expect(file?.kind === "update" && applyHunks("x", "a\n-- b\nd\n", file.hunks)).toBe("a\n++ c\nd\n");
});

test.skipIf(spawnSync("git", ["--version"]).status !== 0)(
  "[TB3] what git's diff says of two texts makes the one of the other",
  () => {
    const directory = mkdtempSync(join(tmpdir(), "deputy-patch-"));
    try {
      const text = fc
        .tuple(
          fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "--- x\n", "+++ y\n"), { maxLength: 30 }),
          fc.constantFrom("", "end"),
        )
        .map(([body, end]) => body.join("") + end)
        .filter((made) => made !== "");
      fc.assert(
        fc.property(text, text, (before, after) => {
          fc.pre(before !== after);
          writeFileSync(join(directory, "old"), before);
          writeFileSync(join(directory, "new"), after);
          const args = ["diff", "--no-index", "--no-color", "old", "new"];
          const { stdout } = spawnSync("git", args, { cwd: directory, encoding: "utf8" });
          const [file] = parsePatch(stdout);
          expect(file?.kind === "update" && applyHunks("f", before, file.hunks)).toBe(after);
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
