import { describe, expect, test } from "vitest";
import { commitAll, contentsOf, fill, live, openOver, type OpenWorkspace } from "./workspace-harness.ts";

const TEN = Array.from({ length: 10 }, (_, n) => `line ${n}\n`);

export function describeCommits(open: OpenWorkspace): void {
  describe("commit", () => {
    test("[WS8] a commit writes what was reviewed to the real folder, and nothing is left to commit", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "b/c.txt": "c\n", "d.txt": "d\n" });
      const { workspace, real } = opened;
      await workspace.write("a.txt", "changed\n", live);
      await workspace.remove("b/c.txt", live);
      await workspace.write("b", "now a file\n", live);
      await workspace.write("e/f/new.txt", "n\n", live);
      expect(await commitAll(workspace)).toEqual({
        kind: "committed",
        files: [
          { path: "a.txt", how: "written" },
          { path: "b", how: "written" },
          { path: "b/c.txt", how: "removed" },
          { path: "e/f/new.txt", how: "written" },
        ],
      });
      expect(await contentsOf(real)).toEqual({
        "a.txt": "changed\n",
        b: "now a file\n",
        "d.txt": "d\n",
        "e/f/new.txt": "n\n",
      });
      expect((await workspace.status(live)).changes).toEqual([]);
      await workspace.write("a.txt", "changed again\n", live);
      expect((await commitAll(workspace)).kind).toBe("committed");
    });

    test("[WS22] an undo leads back turn by turn, over commits and reverts, and back again", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "b/c.txt": "c\n" });
      const { workspace, real } = opened;
      expect(await workspace.undo("last", live)).toEqual({ id: undefined, files: [] });
      await workspace.snapshot("first", live);
      await workspace.write("a.txt", "one\n", live);
      await workspace.write("new/n.txt", "n\n", live);
      await workspace.snapshot("first", live);
      expect((await commitAll(workspace)).kind).toBe("committed");
      await workspace.snapshot("second", live);
      await workspace.write("a.txt", "two\n", live);
      await workspace.remove("b/c.txt", live);
      const committed = await contentsOf(real);

      const [newest] = await workspace.snapshots(live);
      expect(newest).toMatchObject({
        name: "second",
        files: [
          { path: "a.txt", kind: "modified" },
          { path: "b/c.txt", kind: "added" },
        ],
      });
      expect(await workspace.undo("last", live)).toMatchObject({ id: newest?.id, files: newest?.files });
      expect((await workspace.status(live)).changes).toEqual([]);
      expect((await workspace.undo("last", live)).files).toEqual([
        { path: "a.txt", kind: "modified" },
        { path: "new/n.txt", kind: "deleted" },
      ]);
      expect(await workspace.readText("a.txt", live)).toBe("a\n");
      expect((await workspace.undo("last", live)).files).toEqual([]);
      expect(await contentsOf(real)).toEqual(committed);

      const back = (await workspace.snapshots(live)).find(({ name }) =>
        name.startsWith("undone:" + newest?.id),
      );
      await workspace.undo(back?.id ?? "", live);
      expect(await workspace.readText("a.txt", live)).toBe("two\n");
      expect(await workspace.walk("", live)).toEqual(["a.txt", "new/n.txt"]);
      await workspace.revert("all", live);
      await workspace.undo(back?.id ?? "", live);
      expect(await workspace.readText("a.txt", live)).toBe("two\n");

      await expect(workspace.undo("none", live)).rejects.toMatchObject({ code: "unknown_snapshot" });
      await workspace.import({ uncommitted: "discard" }, live);
      expect(await workspace.snapshots(live)).toEqual([]);
    });

    test("[WS20] a list of changes is applied as it is, but for what a workspace cannot hold", async () => {
      await using opened = await openOver(
        open,
        { "a.txt": "a\n", "b/c.txt": "c\n", "d/e.txt": "e\n", "f/g.txt": "g\n" },
        { fileBytes: 100, files: 100, totalBytes: 10_000 },
      );
      const { workspace } = opened;
      const bytes = new TextEncoder().encode("new\n");
      const applied = await workspace.apply(
        [
          { kind: "write", path: "b", bytes, executable: true },
          { kind: "write", path: "a.txt", bytes, executable: false },
          { kind: "write", path: ".git/hooks/x", bytes, executable: true },
          { kind: "write", path: "large", bytes: new Uint8Array(101), executable: false },
          { kind: "no_folder", path: "b" },
          { kind: "remove", path: "b/c.txt" },
          { kind: "remove", path: "d/e.txt" },
          { kind: "folder", path: "d" },
          { kind: "remove", path: "f/g.txt" },
          { kind: "no_folder", path: "f" },
          { kind: "folder", path: "empty/inside" },
        ],
        live,
      );
      expect(applied.files).toEqual([
        { path: "a.txt", kind: "modified" },
        { path: "b", kind: "added" },
        { path: "b/c.txt", kind: "deleted" },
        { path: "d/e.txt", kind: "deleted" },
        { path: "f/g.txt", kind: "deleted" },
      ]);
      expect(applied.leftOut.map(({ path }) => path)).toEqual([".git/hooks/x", "large"]);
      expect(await workspace.list("", live)).toEqual([
        { name: "a.txt", kind: "file" },
        { name: "b", kind: "file" },
        { name: "d", kind: "folder" },
        { name: "empty", kind: "folder" },
      ]);
      expect(await workspace.list("empty", live)).toEqual([{ name: "inside", kind: "folder" }]);
      expect(await workspace.stat("b", live)).toMatchObject({ executable: true });
      await workspace.apply([{ kind: "no_folder", path: "empty/inside" }], live);
      expect(await workspace.list("empty", live)).toEqual([]);
    });

    test("[WS8] commits only what was chosen and reviewed", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n" });
      const { workspace, real } = opened;
      await workspace.write("a.txt", "x\n", live);
      await workspace.write("b/c.txt", "c\n", live);
      await workspace.write("b/d.txt", "d\n", live);
      const { id } = await workspace.status(live);
      await workspace.commit({ changeSet: id, paths: ["b/d.txt"] }, live);
      expect(await contentsOf(real)).toEqual({ "a.txt": "a\n", "b/d.txt": "d\n" });
      const stale = { changeSet: id, paths: "all" } as const;
      await expect(workspace.commit(stale, live)).rejects.toMatchObject({ code: "stale_change_set" });
      const { id: next } = await workspace.status(live);
      await expect(workspace.commit({ changeSet: next, paths: ["z"] }, live)).rejects.toMatchObject({
        code: "unknown_change",
      });
      await workspace.write("a.txt", "y\n", live);
      await expect(workspace.commit({ changeSet: next, paths: "all" }, live)).rejects.toMatchObject({
        code: "stale_change_set",
      });
      expect(await contentsOf(real)).toEqual({ "a.txt": "a\n", "b/d.txt": "d\n" });
    });

    test("[WS16] a commit does not bring in what an import left out by name, and reports it", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n" });
      const { workspace, real } = opened;
      await workspace.write("a/node_modules/p/index.js", "evil()", live);
      await workspace.write("node_modules", "a file", live);
      await workspace.write("b.txt", "b\n", live);
      const { changes, skipped } = await workspace.status(live);
      expect(changes.map(({ path }) => path)).toEqual(["b.txt"]);
      expect(skipped.map(({ path }) => path)).toEqual(["a/node_modules", "node_modules"]);
      await commitAll(workspace);
      expect(await contentsOf(real)).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
    });

    test.each([".git/config", "r/.git/hooks/pre-commit", ".GIT/x", ".g\u200cit/x", ".git./x", "git~1/x"])(
      "[WS16] only git writes its own files: %j is refused",
      async (path) => {
        await using opened = await openOver(open, { "a.txt": "a\n" });
        const { workspace } = opened;
        await expect(workspace.write(path, "x", live)).rejects.toMatchObject({ code: "path_refused" });
        await expect(workspace.remove(path, live)).rejects.toMatchObject({ code: "path_refused" });
        await workspace.write(".gitignore", "x", live);
        await workspace.write("git/config", "x", live);
      },
    );

    test("[WS9] merges changes of both sides in different places, on both sides", async () => {
      await using opened = await openOver(open, { "a.txt": TEN.join("") });
      const { workspace, real } = opened;
      await workspace.write("a.txt", TEN.with(1, "mine\n").join(""), live);
      await fill(real, { "a.txt": TEN.with(8, "theirs\n").join("") });
      expect(await commitAll(workspace)).toEqual({
        kind: "committed",
        files: [{ path: "a.txt", how: "merged" }],
      });
      const merged = TEN.with(1, "mine\n").with(8, "theirs\n").join("");
      expect(await contentsOf(real)).toEqual({ "a.txt": merged });
      expect(await workspace.readText("a.txt", live)).toBe(merged);
      expect((await workspace.status(live)).changes).toEqual([]);
    });

    test("[WS9] equal changes on both sides, or an existing result, are no conflict", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "b.txt": "b\n" });
      const { workspace, real } = opened;
      await workspace.write("a.txt", "same\n", live);
      await workspace.remove("b.txt", live);
      await workspace.write("c.txt", "same\n", live);
      await fill(real, { "a.txt": "same\n", "c.txt": "same\n" });
      await real.remove("b.txt", live);
      const outcome = await commitAll(workspace);
      expect(outcome).toMatchObject({ kind: "committed" });
      expect(outcome.kind === "committed" && outcome.files.map(({ how }) => how)).toEqual([
        "already",
        "already",
        "already",
      ]);
      expect((await workspace.status(live)).changes).toEqual([]);
    });

    test("[WS10] a conflict writes nothing at all, and names each file with its reason", async () => {
      const files = {
        "binary.bin": new Uint8Array([0, 1]),
        "deleted-here.txt": "d\n",
        "deleted-there.txt": "d\n",
        "fine.txt": "f\n",
        "lines.txt": TEN.join(""),
      };
      await using opened = await openOver(open, files);
      const { workspace, real } = opened;
      await workspace.write("added.txt", "mine\n", live);
      await workspace.write("blocked/new.txt", "mine\n", live);
      await workspace.write("folder", "mine\n", live);
      await workspace.write("binary.bin", new Uint8Array([0, 2]), live);
      await workspace.remove("deleted-here.txt", live);
      await workspace.write("deleted-there.txt", "mine\n", live);
      await workspace.write("fine.txt", "mine\n", live);
      await workspace.write("lines.txt", TEN.with(5, "mine\n").join(""), live);
      await fill(real, {
        "added.txt": "theirs\n",
        blocked: "a file",
        "folder/theirs.txt": "theirs\n",
        "binary.bin": new Uint8Array([0, 3]),
        "deleted-here.txt": "theirs\n",
        "lines.txt": TEN.with(5, "theirs\n").join(""),
      });
      await real.remove("deleted-there.txt", live);
      const theirs = await contentsOf(real);
      const outcome = await commitAll(workspace);
      expect(
        outcome.kind === "conflicts" && outcome.conflicts.map(({ path, why }) => `${path}: ${why}`),
      ).toEqual([
        "added.txt: it is new here, and the real folder has another file of that name",
        "binary.bin: both sides changed it, and it is not text",
        "blocked/new.txt: the real folder has a file named blocked",
        "deleted-here.txt: it was deleted here, and changed in the real folder",
        "deleted-there.txt: it was changed here, and deleted in the real folder",
        "folder: the real folder has a folder of that name",
        "lines.txt: both sides changed it, differently in one place",
      ]);
      expect(await contentsOf(real)).toEqual(theirs);
      const { id } = await workspace.status(live);
      expect(await workspace.commit({ changeSet: id, paths: ["fine.txt"] }, live)).toMatchObject({
        kind: "committed",
      });
      await workspace.revert("all", live);
      expect(await workspace.readText("lines.txt", live)).toBe(theirs["lines.txt"]);
    });

    test("[WS18] a conflict is resolved with ours, theirs or a text; only the next commit writes it", async () => {
      const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" };
      await using opened = await openOver(open, files);
      const { workspace, real } = opened;
      for (const path of ["a.txt", "b.txt", "c.txt"]) await workspace.write(path, "mine\n", live);
      await workspace.remove("d.txt", live);
      await fill(real, {
        "a.txt": "theirs\n",
        "b.txt": "theirs\n",
        "c.txt": "theirs\n",
        "d.txt": "theirs\n",
      });
      expect((await commitAll(workspace)).kind).toBe("conflicts");
      const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
      const sides = await workspace.sides("a.txt", live);
      expect([sides.base, sides.ours, sides.theirs].map(decode)).toEqual(["a\n", "mine\n", "theirs\n"]);
      expect((await workspace.sides("d.txt", live)).ours).toBeUndefined();
      await workspace.resolve("a.txt", "mine\n", live);
      await workspace.resolve("b.txt", "theirs\n", live);
      await workspace.resolve("c.txt", "both\n", live);
      await workspace.resolve("d.txt", null, live);
      expect(decode((await workspace.sides("a.txt", live)).theirs)).toBe("theirs\n");
      const { changes } = await workspace.status(live);
      expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
        ["a.txt", "modified"],
        ["c.txt", "modified"],
        ["d.txt", "deleted"],
      ]);
      expect((await commitAll(workspace)).kind).toBe("committed");
      const after = await Promise.all(
        ["a.txt", "b.txt", "c.txt", "d.txt"].map(async (path) => (await workspace.sides(path, live)).theirs),
      );
      expect(after.map(decode)).toEqual(["mine\n", "theirs\n", "both\n", undefined]);
    });

    test("[WS10] without a real folder there is nothing to commit to", async () => {
      await using opened = await open();
      await opened.workspace.write("a.txt", "a\n", live);
      await expect(commitAll(opened.workspace)).rejects.toMatchObject({ code: "no_real_folder" });
      const order = { uncommitted: "discard" } as const;
      await expect(opened.workspace.import(order, live)).rejects.toMatchObject({ code: "no_real_folder" });
    });
  });
}
