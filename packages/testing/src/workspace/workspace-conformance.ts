import { describe, expect, test } from "vitest";
import { describeCommits } from "./commit-rules.ts";
import { describeReview } from "./review-rules.ts";
import { commitAll, contentsOf, fill, live, openOver, type OpenWorkspace } from "./workspace-harness.ts";

const REFUSED = ["..", "../a", "a/../../b", "a/..", "/etc/passwd", "C:\\a", "a\\b", "a\0b", "C:/a", "\ud800"];

/** What tools and commands need from every workspace. The rules are in `packages/workspace/SPEC.md`. */
export function describeWorkspace(name: string, open: OpenWorkspace): void {
  describe(name, () => {
    test("[WS1] a path has one form, and none leads out", async () => {
      await using opened = await openOver(open, { "a/b.txt": "b\n" });
      const { workspace } = opened;
      for (const path of ["a/b.txt", "./a/b.txt", "a//b.txt", "a/./b.txt"])
        expect(await workspace.readText(path, live), path).toBe("b\n");
      for (const path of REFUSED) {
        const refused = { code: "path_refused" };
        await expect(workspace.read(path, live), path).rejects.toMatchObject(refused);
        await expect(workspace.write(path, "x", live), path).rejects.toMatchObject(refused);
        await expect(workspace.remove(path, live), path).rejects.toMatchObject(refused);
        await expect(workspace.list(path, live), path).rejects.toMatchObject(refused);
        await expect(workspace.walk(path, live), path).rejects.toMatchObject(refused);
        await expect(workspace.stat(path, live), path).rejects.toMatchObject(refused);
        await expect(workspace.revert([path], live), path).rejects.toMatchObject(refused);
        await expect(workspace.diff([path], live), path).rejects.toMatchObject(refused);
      }
      expect(await contentsOf(opened.real)).toEqual({ "a/b.txt": "b\n" });
    });

    test("[WS2] an import copies a folder; after that, neither side sees changes of the other", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n", "sub/b.bin": new Uint8Array([0, 255]) });
      const { workspace, real, report, root } = opened;
      expect(report).toMatchObject({ files: 2, bytes: 4, skipped: [] });
      expect(await workspace.root(live)).toBe(report.root);
      expect(await workspace.walk("", live)).toEqual(["a.txt", "sub/b.bin"]);
      await fill(real, { "a.txt": "changed\n", "new.txt": "n" });
      expect(await workspace.readText("a.txt", live)).toBe("a\n");
      expect(await workspace.stat("new.txt", live)).toEqual({ kind: "missing" });
      await workspace.write("a.txt", "mine\n", live);
      await workspace.remove("sub/b.bin", live);
      expect(await contentsOf(real)).toMatchObject({ "a.txt": "changed\n", "new.txt": "n" });
      expect((await real.stat("sub/b.bin", live)).kind).toBe("file");

      const again = { root, uncommitted: "keep" } as const;
      await expect(workspace.import(again, live)).rejects.toMatchObject({ code: "uncommitted_changes" });
      expect(await workspace.readText("a.txt", live)).toBe("mine\n");
      await workspace.import({ uncommitted: "discard" }, live);
      expect(await workspace.readText("a.txt", live)).toBe("changed\n");
      expect((await workspace.status(live)).changes).toEqual([]);
    });

    test("[WS2] reports what is left out, too large, or missing, without harm", async () => {
      await using opened = await open({ fileBytes: 10, files: 5, totalBytes: 30 });
      const { workspace, real, root } = opened;
      const order = { root, uncommitted: "keep" } as const;
      await fill(real, {
        ".git/hooks/run": "x",
        "a/node_modules/p": "p",
        "a/keep": "k",
        big: "x".repeat(11),
      });
      const report = await workspace.import(order, live);
      expect(report).toMatchObject({ files: 1, exclude: [".git", "node_modules"] });
      expect(report.skipped).toEqual([{ path: "big", why: expect.stringContaining("10 bytes") }]);
      expect(await workspace.walk("", live)).toEqual(["a/keep"]);
      expect((await commitAll(workspace)).kind).toBe("committed");
      expect(Object.keys(await contentsOf(real))).toHaveLength(4);
      expect(await workspace.import({ ...order, exclude: ["a"] }, live)).toMatchObject({ files: 1 });

      await fill(real, { "c/1": "1", "c/2": "2", "c/3": "3", "c/4": "4", "c/5": "5" });
      await expect(workspace.import(order, live)).rejects.toMatchObject({ code: "too_many_files" });
      expect(await workspace.walk("", live)).toEqual([".git/hooks/run"]);
      await expect(workspace.import({ ...order, root: `${root}-none` }, live)).rejects.toMatchObject({
        code: "folder_missing",
      });
    });

    test("[WS3] reads, writes, lists and removes files; each refusal has its own code", async () => {
      await using opened = await openOver(open, { "a/b.txt": "b", "a/c/d.txt": "d" });
      const { workspace } = opened;
      expect(await workspace.write("a/new.txt", "n", live)).toBe("created");
      expect(await workspace.write("a/new.txt", new Uint8Array([0xff]), live)).toBe("replaced");
      expect(await workspace.list("a", live)).toEqual([
        { name: "b.txt", kind: "file" },
        { name: "c", kind: "folder" },
        { name: "new.txt", kind: "file" },
      ]);
      expect(await workspace.stat("a/new.txt", live)).toEqual({ kind: "file", size: 1, executable: false });
      expect(await workspace.walk("a/c", live)).toEqual(["a/c/d.txt"]);
      const codes = [
        [() => workspace.readText("a/new.txt", live), "not_text"],
        [() => workspace.read("none", live), "not_found"],
        [() => workspace.read("a", live), "not_a_file"],
        [() => workspace.read("", live), "not_a_file"],
        [() => workspace.write("a", "x", live), "not_a_file"],
        [() => workspace.write("a/b.txt/x", "x", live), "not_a_folder"],
        [() => workspace.remove("a", live), "not_a_file"],
        [() => workspace.remove("none", live), "not_found"],
        [() => workspace.list("none", live), "not_found"],
        [() => workspace.list("a/b.txt", live), "not_a_folder"],
        [() => workspace.write("large", new Uint8Array(16 * 1024 * 1024 + 1), live), "file_too_large"],
      ] as const;
      for (const [fail, code] of codes) await expect(fail(), code).rejects.toMatchObject({ code });
      await workspace.remove("a/c/d.txt", live);
      expect(await workspace.stat("a/c", live)).toEqual({ kind: "missing" });
    });

    test("[WS4] the next process finds it as it was left", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n" });
      await opened.workspace.write("a.txt", "b\n", live);
      const before = await opened.workspace.status(live);
      const again = opened.reopen();
      expect(await again.status(live)).toEqual(before);
      expect(await again.readText("a.txt", live)).toBe("b\n");
      expect(await again.commit({ changeSet: before.id, paths: "all" }, live)).toMatchObject({
        kind: "committed",
      });
      expect((await opened.workspace.status(live)).changes).toEqual([]);
    });

    test("[WS4] an abort ends an operation before it begins", async () => {
      await using opened = await openOver(open, { "a.txt": "a\n" });
      const { workspace, root, real } = opened;
      const stopped = AbortSignal.abort(new Error("enough"));
      await expect(workspace.read("a.txt", stopped)).rejects.toThrow("enough");
      await expect(workspace.write("a.txt", "b", stopped)).rejects.toThrow("enough");
      await expect(workspace.status(stopped)).rejects.toThrow("enough");
      await expect(workspace.commit({ changeSet: "", paths: "all" }, stopped)).rejects.toThrow("enough");
      await expect(workspace.import({ root, uncommitted: "discard" }, stopped)).rejects.toThrow("enough");
      expect(await contentsOf(real)).toEqual({ "a.txt": "a\n" });
    });

    describeReview(open);
    describeCommits(open);
  });
}
