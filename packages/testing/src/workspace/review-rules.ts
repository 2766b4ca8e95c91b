import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentsOf, fill, live, openOver, type OpenWorkspace } from "./workspace-harness.ts";

const BINARY = new Uint8Array([1, 0, 2]);

export function describeReview(open: OpenWorkspace): void {
  describe("review", () => {
    test("[WS5] a change set names exactly what was added, modified and deleted", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "b.txt": "b\n", "c/d.txt": "d\n", e: "e" });
      const { workspace } = opened;
      expect((await workspace.status(live)).changes).toEqual([]);
      await workspace.write("b.txt", "changed\n", live);
      await workspace.remove("c/d.txt", live);
      await workspace.write("new/f.txt", "f\n", live);
      await workspace.write("e", "e", live);
      const { changes, id } = await workspace.status(live);
      expect(changes.map(({ kind, path }) => [kind, path])).toEqual([
        ["modified", "b.txt"],
        ["deleted", "c/d.txt"],
        ["added", "new/f.txt"],
      ]);
      expect((await workspace.status(live)).id).toBe(id);
      await workspace.write("new/f.txt", "g\n", live);
      expect((await workspace.status(live)).id).not.toBe(id);
    });

    test("[WS6] a review shows texts line by line, and describes other files", async () => {
      await using opened = await openOver(open, {
        "a.txt": "one\ntwo\n",
        "b.bin": BINARY,
        "gone.txt": "g\n",
      });
      const { workspace } = opened;
      await workspace.write("a.txt", "one\n2\n", live);
      await workspace.write("b.bin", new Uint8Array([0]), live);
      await workspace.write("new.txt", "n", live);
      await workspace.remove("gone.txt", live);
      const { diffs, id } = await workspace.diff("all", live);
      expect(id).toBe((await workspace.status(live)).id);
      expect(diffs.map(({ path, text }) => [path, text])).toEqual([
        ["a.txt", "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2"],
        ["b.bin", undefined],
        ["gone.txt", "--- gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-g"],
        ["new.txt", "--- /dev/null\n+++ new.txt\n@@ -0,0 +1 @@\n+n\n\\ No newline at end of file"],
      ]);
      expect(diffs[0]).toMatchObject({
        addedLines: 1,
        removedLines: 1,
        notes: [],
        texts: { before: "one\ntwo\n", after: "one\n2\n" },
      });
      expect(diffs[1]?.notes).toEqual(["not text: 3 bytes → 1 bytes"]);
      const some = await workspace.diff(["b.bin", "new.txt"], live);
      expect(some.diffs.map(({ path }) => path)).toEqual(["b.bin", "new.txt"]);
      await expect(workspace.diff(["other"], live)).rejects.toMatchObject({ code: "unknown_change" });
    });

    test("[WS7] a revert discards changes: the named files become as in the real folder", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "b/c.txt": "c\n", "d.txt": "d\n" });
      const { workspace, real } = opened;
      await workspace.write("a.txt", "mine\n", live);
      await workspace.remove("b/c.txt", live);
      await workspace.write("b", "a file where a folder was", live);
      await workspace.write("new.txt", "n", live);
      await workspace.write("d.txt", "mine too\n", live);
      await fill(real, { "a.txt": "theirs\n" });
      expect(await workspace.revert(["a.txt", "b", "new.txt"], live)).toEqual([
        "a.txt",
        "b",
        "b/c.txt",
        "new.txt",
      ]);
      expect(await workspace.walk("", live)).toEqual(["a.txt", "b/c.txt", "d.txt"]);
      expect(await workspace.readText("a.txt", live)).toBe("theirs\n");
      expect((await workspace.status(live)).changes.map(({ path }) => path)).toEqual(["d.txt"]);
      await real.remove("d.txt", live);
      await workspace.revert("all", live);
      expect(await workspace.stat("d.txt", live)).toEqual({ kind: "missing" });
      expect(await workspace.revert("all", live)).toEqual([]);
      expect(await contentsOf(real)).toEqual({ "a.txt": "theirs\n", "b/c.txt": "c\n" });
    });

    test("[WS5] [WS7] status shows any writes and removals, and a revert undoes them", async () => {
      const names = ["a", "b/c", "b/d", "e/f/g"];
      const act = fc.record({
        path: fc.constantFrom(...names),
        content: fc.option(fc.constantFrom("", "1\n", "2\n"), { nil: undefined }),
      });
      const before = { a: "1\n", "b/c": "", "b/d": "2\n" };
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 8 }), async (acts) => {
          await using opened = await openOver(open, before);
          const { workspace, real } = opened;
          const expected = new Map<string, string>(Object.entries(before));
          for (const { path, content } of acts) {
            if (content !== undefined) {
              await workspace.write(path, content, live);
              expected.set(path, content);
            } else if (expected.delete(path)) await workspace.remove(path, live);
          }
          const { changes } = await workspace.status(live);
          const differing = names.filter((name) => Reflect.get(before, name) !== expected.get(name));
          expect(changes.map(({ path }) => path)).toEqual(differing);
          await workspace.revert("all", live);
          expect(await workspace.walk("", live)).toEqual(Object.keys(before));
          for (const [path, text] of Object.entries(before))
            expect(await workspace.readText(path, live)).toBe(text);
          expect(await contentsOf(real)).toEqual(before);
        }),
        { numRuns: 15 },
      );
    });
  });
}
