import { expect, test } from "vitest";
import { openBuiltins } from "../builtins.fixture.ts";

test("[TB6] a commit asks, shows the diffs of exactly what it would write, and then writes it", async () => {
  const { call, toolAt, realText } = await openBuiltins({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
  await call("files.write", { path: "a.txt", content: "one\n2\n" });
  await call("files.write", { path: "sub/c.txt", content: "c\n" });
  await call("files.remove", { path: "b.txt" });
  const { changeSet, changes, folder } = await call("workspace.status", {});
  expect(folder).toBe("/home/me/notes");
  expect(changes).toEqual([
    { path: "a.txt", kind: "modified" },
    { path: "b.txt", kind: "deleted" },
    { path: "sub/c.txt", kind: "added" },
  ]);
  const commit = toolAt("workspace.commit");
  expect(commit).toMatchObject({ approval: "required", effect: "destructive" });
  const preview = await commit.preview({ changeSet });
  expect(preview.title).toBe("Commit 3 changes to your folder");
  expect(preview.details).toBe("modified a.txt  +1 -1\ndeleted b.txt  +0 -1\nadded sub/c.txt  +1 -0");
  expect(preview.changes?.[0]).toEqual({
    path: "a.txt",
    diff: "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2",
  });
  const some = await commit.preview({ changeSet, paths: ["./sub/"] });
  expect(some.changes?.map(({ path }) => path)).toEqual(["sub/c.txt"]);
  expect(await call("workspace.commit", { changeSet, paths: ["sub"] })).toEqual({
    committed: true,
    files: [{ path: "sub/c.txt", how: "written" }],
    conflicts: [],
  });
  expect(await realText("sub/c.txt")).toBe("c\n");
  expect(await realText("a.txt")).toBe("one\ntwo\n");
});

test("[TB6] what changed after it was looked at is not committed; what was not looked at says so (GC28)", async () => {
  const { call, toolAt, realText } = await openBuiltins({ "a.txt": "a\n" });
  await call("files.write", { path: "a.txt", content: "seen\n" });
  const { changeSet } = await call("workspace.diff", {});
  await call("files.write", { path: "a.txt", content: "slipped in\n" });
  await expect(call("workspace.commit", { changeSet })).rejects.toMatchObject({ code: "stale_change_set" });
  expect(await realText("a.txt")).toBe("a\n");
  expect((await toolAt("workspace.commit").preview({ changeSet: "0123" })).details).toContain(
    "cannot be shown",
  );
});

test("[TB6] a conflict is told, and a revert begins from what the user has now", async () => {
  const { call, real, textOf } = await openBuiltins({ "a.txt": "a\n" });
  await call("files.write", { path: "a.txt", content: "mine\n" });
  await real.write("a.txt", new TextEncoder().encode("theirs\n"), {}, new AbortController().signal);
  const { changeSet, files } = await call("workspace.diff", { paths: ["a.txt"] });
  expect(files).toEqual([
    { path: "a.txt", kind: "modified", diff: expect.stringContaining("+mine"), notes: [] },
  ]);
  expect(await call("workspace.commit", { changeSet })).toMatchObject({
    committed: false,
    conflicts: [{ path: "a.txt" }],
  });
  expect(await call("workspace.revert", {})).toEqual({ reverted: ["a.txt"] });
  expect(await textOf("a.txt")).toBe("theirs\n");
});

test("[TB6] a card names every file that would be written, however many, and says how many diffs it leaves out", async () => {
  const { call, toolAt } = await openBuiltins({});
  for (let n = 0; n < 60; n += 1) await call("files.write", { path: `a${n}`, content: "x\n" });
  await call("files.write", { path: "zz-last", content: "evil\n" });
  const { changeSet } = await call("workspace.status", {});
  const { title, details, changes } = await toolAt("workspace.commit").preview({ changeSet });
  expect(title).toBe("Commit 61 changes to your folder");
  const [first, ...rows] = (details ?? "").split("\n");
  expect(first).toContain("Of 50 of these 61 the diffs are shown");
  expect(rows).toHaveLength(61);
  expect(rows.at(-1)).toBe("added zz-last  +1 -0");
  expect(changes).toHaveLength(50);
});

test("[TB6] long diffs leave room for all names, too", async () => {
  const { call, toolAt } = await openBuiltins({});
  for (const path of ["a", "b", "c", "d"])
    await call("files.write", { path, content: "line\n".repeat(30_000) });
  const { changeSet } = await call("workspace.status", {});
  const { details, changes } = await toolAt("workspace.commit").preview({ changeSet });
  expect(details).toContain("Of 2 of these 4 the diffs are shown");
  expect(
    details
      ?.split("\n")
      .slice(1)
      .map((row) => row.split(" ")[1]),
  ).toEqual(["a", "b", "c", "d"]);
  expect(changes?.map(({ path }) => path)).toEqual(["a", "b"]);
});

test("[TB6] a name that breaks its line is not taken for two", async () => {
  const { call, toolAt } = await openBuiltins({});
  await call("files.write", { path: "a\nadded b  +1 -0", content: "x" });
  const { changeSet } = await call("workspace.status", {});
  expect((await toolAt("workspace.commit").preview({ changeSet })).details).toBe(
    "added a\\u{a}added b  +1 -0  +1 -0",
  );
});

test("[TB6] a yes to one commit is never one to the next", async () => {
  const { toolAt } = await openBuiltins({});
  expect(toolAt("workspace.commit").grantable).toBe("input");
});

test("[TB29] before a turn first changes files they are kept, and undo leads back to that", async () => {
  const { call, textOf, workspace } = await openBuiltins({ "a.txt": "a\n", "b.txt": "b\n" });
  const live = new AbortController().signal;
  await call("files.read", { path: "a.txt" }, live, "turn 1");
  expect(await workspace.snapshots(live)).toEqual([]);
  await call("files.write", { path: "a.txt", content: "one\n" }, live, "turn 1");
  await call("files.remove", { path: "b.txt" }, live, "turn 1");
  await call("files.write", { path: "a.txt", content: "two\n" }, live, "turn 2");
  expect((await workspace.snapshots(live)).map(({ name }) => name)).toEqual(["turn 2", "turn 1"]);
  expect(await call("workspace.undo", {}, live)).toEqual({ files: [{ path: "a.txt", kind: "modified" }] });
  expect(await textOf("a.txt")).toBe("one\n");
  expect(await call("workspace.undo", {}, live)).toEqual({
    files: [
      { path: "a.txt", kind: "modified" },
      { path: "b.txt", kind: "added" },
    ],
  });
  expect(await textOf("b.txt")).toBe("b\n");
});
