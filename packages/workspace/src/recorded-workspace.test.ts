import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createWorkspace } from "./create-workspace.ts";
import { createMemoryFileTree } from "./memory/memory-file-tree.ts";
import { createMemoryShadowStore } from "./memory/memory-shadow-store.ts";
import { recordChanges, type WorkspaceRecord } from "./recorded-workspace.ts";

const live = new AbortController().signal;

async function setup() {
  const real = createMemoryFileTree();
  for (const name of ["a.txt", "b.txt"])
    await real.write(name, new TextEncoder().encode(`${name}\n`), {}, live);
  const store = createMemoryShadowStore(new Map([["folder", real]]));
  const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  const records: WorkspaceRecord[] = [];
  const workspace = recordChanges(createWorkspace({ store, hash, now: Date.now }), {
    hash,
    record: async (happened) => void records.push(happened),
  });
  await workspace.import({ root: "folder", uncommitted: "keep" }, live);
  return { real, workspace, records, commit: async () => commit(workspace) };
}

async function commit(workspace: ReturnType<typeof createWorkspace>) {
  const { id } = await workspace.status(live);
  return { id, outcome: await workspace.commit({ changeSet: id, paths: "all" }, live) };
}

test("[WS19] an import, a commit and a revert are each reported once, with what they did", async () => {
  const { workspace, records, ...world } = await setup();
  expect(records.splice(0)).toMatchObject([
    { what: "imported", added: 2, modified: 0, deleted: 0, folder: "folder" },
  ]);

  await workspace.write("a.txt", "changed\n", live);
  await workspace.write("new.txt", "new\n", live);
  await workspace.remove("b.txt", live);
  const { id } = await world.commit();
  expect(records.splice(0)).toMatchObject([
    {
      what: "committed",
      changeSet: id,
      added: 1,
      modified: 1,
      deleted: 1,
      files: [
        { path: "a.txt", kind: "modified" },
        { path: "b.txt", kind: "deleted" },
        { path: "new.txt", kind: "added" },
      ],
    },
  ]);

  await workspace.write("a.txt", "a mistake\n", live);
  await workspace.revert("all", live);
  expect(records.splice(0)).toMatchObject([{ what: "reverted", added: 0, modified: 1, deleted: 0 }]);
});

test("[WS19] a list of changes that was applied is reported with its counts", async () => {
  const { workspace, records } = await setup();
  records.splice(0);
  const bytes = new TextEncoder().encode("x");
  await workspace.apply(
    [
      { kind: "write", path: "a.txt", bytes, executable: false },
      { kind: "write", path: "c.txt", bytes, executable: false },
      { kind: "remove", path: "b.txt" },
    ],
    live,
  );
  const { id } = await workspace.status(live);
  expect(records.splice(0)).toMatchObject([
    { what: "changed", changeSet: id, added: 1, modified: 1, deleted: 1 },
  ]);
  await workspace.apply([{ kind: "folder", path: "empty" }], live);
  expect(records).toEqual([]);
});

test("[WS19] an undo is reported with what it did", async () => {
  const { workspace, records } = await setup();
  records.splice(0);
  await workspace.undo("last", live);
  await workspace.snapshot("turn", live);
  expect(records).toEqual([]);
  await workspace.write("a.txt", "changed\n", live);
  await workspace.undo("last", live);
  expect(records.splice(0)).toMatchObject([{ what: "reverted", added: 0, modified: 1, deleted: 0 }]);
});

test("[WS19] what wrote or reverted nothing is not reported", async () => {
  const { real, workspace, records, ...world } = await setup();
  records.splice(0);
  await world.commit();
  await workspace.revert("all", live);
  await real.write("a.txt", new TextEncoder().encode("theirs\n"), {}, live);
  await workspace.write("a.txt", "ours\n", live);
  expect((await world.commit()).outcome.kind).toBe("conflicts");
  expect(records).toEqual([]);

  await workspace.resolve("a.txt", "both\n", live);
  expect(records.splice(0)).toMatchObject([{ what: "changed", modified: 1 }]);
});

test("[WS19] a commit that cannot be recorded is not acknowledged", async () => {
  const { workspace } = await setup();
  const failing = recordChanges(workspace, {
    hash: () => "0",
    record: () => Promise.reject(new Error("the disk is full")),
  });
  await failing.write("a.txt", "changed\n", live);
  await expect(commit(failing)).rejects.toThrow("the disk is full");
});
