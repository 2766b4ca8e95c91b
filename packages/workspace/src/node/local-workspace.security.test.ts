import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScratchWorkspace } from "./local-workspace.fixture.ts";

const live = new AbortController().signal;

async function setup() {
  const opened = openScratchWorkspace();
  const outside = join(opened.scratch, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "secret\n");
  writeFileSync(join(opened.root, "a.txt"), "a\n");
  mkdirSync(join(opened.root, "sub"));
  writeFileSync(join(opened.root, "sub", "b.txt"), "b\n");
  const load = () => opened.workspace.import({ root: opened.root, uncommitted: "discard" }, live);
  const commit = async () => {
    const { id } = await opened.workspace.status(live);
    return await opened.workspace.commit({ changeSet: id, paths: "all" }, live);
  };
  return { ...opened, outside, load, commit, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test("[WS12] an import skips links, pipes and devices, and reports them", async () => {
  await using world = await setup();
  symlinkSync(join(world.outside, "secret.txt"), join(world.root, "file-link"));
  symlinkSync(world.outside, join(world.root, "folder-link"));
  symlinkSync("a.txt", join(world.root, "inner-link"));
  symlinkSync("loop", join(world.root, "loop"));
  spawnSync("mkfifo", [join(world.root, "pipe")]);
  const { files, skipped } = await world.load();
  expect(files).toBe(2);
  expect(skipped.map(({ path }) => path)).toEqual(["file-link", "folder-link", "inner-link", "loop", "pipe"]);
  expect(await world.workspace.walk("", live)).toEqual(["a.txt", "sub/b.txt"]);
});

test("[WS12] links that a command leaves in the workspace are not followed", async () => {
  await using world = await setup();
  await world.load();
  const tree = await world.workspace.treeFolder(live);
  symlinkSync(join(world.outside, "secret.txt"), join(tree, "link"));
  symlinkSync(world.outside, join(tree, "folder"));
  rmSync(join(tree, "a.txt"));
  symlinkSync(join(world.outside, "secret.txt"), join(tree, "a.txt"));
  const { workspace } = world;
  for (const path of ["link", "folder/secret.txt", "a.txt"]) {
    const refused = { code: "link_refused" };
    await expect(workspace.read(path, live), path).rejects.toMatchObject(refused);
    await expect(workspace.write(path, "x", live), path).rejects.toMatchObject(refused);
    expect(await workspace.stat(path, live), path).toEqual({ kind: "other" });
  }
  await expect(workspace.write("folder/new.txt", "x", live)).rejects.toMatchObject({ code: "link_refused" });
  await expect(workspace.list("folder", live)).rejects.toMatchObject({ code: "link_refused" });
  const { changes, skipped } = await workspace.status(live);
  expect(changes).toEqual([]);
  expect(skipped.map(({ path }) => path)).toEqual(["a.txt", "folder", "link"]);
  expect(readdirSync(world.outside)).toEqual(["secret.txt"]);
  expect(readFileSync(join(world.outside, "secret.txt"), "utf8")).toBe("secret\n");
});

test("[WS12] a commit does not follow a link that was put into the real folder", async () => {
  await using world = await setup();
  await world.load();
  await world.workspace.write("sub/b.txt", "mine\n", live);
  await world.workspace.write("a.txt", "mine\n", live);
  writeFileSync(join(world.outside, "b.txt"), "b\n");
  renameSync(join(world.root, "sub"), join(world.root, "was-sub"));
  symlinkSync(world.outside, join(world.root, "sub"));
  rmSync(join(world.root, "a.txt"));
  symlinkSync(join(world.outside, "secret.txt"), join(world.root, "a.txt"));
  const outcome = await world.commit();
  expect(outcome.kind === "conflicts" && outcome.conflicts.map(({ path }) => path)).toEqual([
    "a.txt",
    "sub/b.txt",
  ]);
  expect(readFileSync(join(world.outside, "b.txt"), "utf8")).toBe("b\n");
  expect(readFileSync(join(world.outside, "secret.txt"), "utf8")).toBe("secret\n");
});

/** For two seconds, the folder is swapped with a link and back as fast as possible. */
const RACE = `
const fs = require("node:fs");
const attempt = (work) => { try { work(); } catch {} };
for (const until = Date.now() + 2_000; Date.now() < until; ) {
  attempt(() => fs.renameSync("sub", "real"));
  attempt(() => fs.renameSync("evil", "sub"));
  attempt(() => fs.renameSync("sub", "evil"));
  if (fs.existsSync("real")) attempt(() => fs.rmSync("sub", { recursive: true, force: true }));
  attempt(() => fs.renameSync("real", "sub"));
}`;

test("[WS12] never follows a folder that keeps turning into a link and back", async () => {
  await using world = await setup();
  await world.load();
  const tree = await world.workspace.treeFolder(live);
  writeFileSync(join(world.outside, "b.txt"), "SECRET\n");
  symlinkSync(world.outside, join(tree, "evil"));
  const racer = spawn(process.execPath, ["-e", RACE], { cwd: tree, stdio: "ignore" });
  try {
    const read = new Set<string>();
    while (racer.exitCode === null) {
      const seen = await world.workspace
        .readText("sub/b.txt", live)
        .catch((error: { code: string }) => error.code);
      read.add(seen);
      await world.workspace.write("sub/new.txt", "x", live).catch(() => undefined);
    }
    expect(read.has("SECRET\n")).toBe(false);
    expect([...read].sort()).toEqual(expect.arrayContaining(["b\n", "link_refused"]));
    expect(readdirSync(world.outside).sort()).toEqual(["b.txt", "secret.txt"]);
  } finally {
    racer.kill("SIGKILL");
  }
});

test("[WS13] a commit keeps modes and transfers whether a file can be run", async () => {
  await using world = await setup();
  writeFileSync(join(world.root, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(world.root, "run.sh"), 0o750);
  chmodSync(join(world.root, "a.txt"), 0o604);
  await world.load();
  const tree = await world.workspace.treeFolder(live);
  await world.workspace.write("run.sh", "#!/bin/sh\ntrue\n", live);
  await world.workspace.write("a.txt", "changed\n", live);
  writeFileSync(join(tree, "new.sh"), "#!/bin/sh\n");
  chmodSync(join(tree, "new.sh"), 0o755);
  chmodSync(join(tree, "sub", "b.txt"), 0o755);
  expect((await world.commit()).kind).toBe("committed");
  const modeOf = (path: string): string => (statSync(join(world.root, path)).mode & 0o777).toString(8);
  expect([modeOf("run.sh"), modeOf("a.txt")]).toEqual(["750", "604"]);
  expect(statSync(join(world.root, "new.sh")).mode & 0o100).not.toBe(0);
  expect(statSync(join(world.root, "sub", "b.txt")).mode & 0o100).not.toBe(0);
  expect((await world.workspace.status(live)).changes).toEqual([]);
});

test("[WS13] replaces a hard-linked file instead of writing through it", async () => {
  await using world = await setup();
  linkSync(join(world.root, "a.txt"), join(world.outside, "same.txt"));
  await world.load();
  await world.workspace.write("a.txt", "changed\n", live);
  await world.commit();
  expect(readFileSync(join(world.outside, "same.txt"), "utf8")).toBe("a\n");
});

test("[WS14] refuses to import Deputy's home, its subfolders and its parents", async () => {
  await using world = await setup();
  mkdirSync(join(world.home, "agents"));
  symlinkSync(world.home, join(world.scratch, "home-link"));
  for (const root of [
    world.home,
    join(world.home, "agents"),
    world.scratch,
    "/",
    join(world.scratch, "home-link"),
  ]) {
    const order = { root, uncommitted: "discard" } as const;
    await expect(world.workspace.import(order, live), root).rejects.toMatchObject({ code: "folder_refused" });
  }
  const order = { root: join(world.root, "a.txt"), uncommitted: "discard" } as const;
  await expect(world.workspace.import(order, live)).rejects.toMatchObject({ code: "folder_missing" });
});

test("[WS13] rejects base content that was changed on disk", async () => {
  await using world = await setup();
  await world.load();
  await world.workspace.write("a.txt", "mine\n", live);
  const pack = join(await world.workspace.treeFolder(live), "..", "pack");
  writeFileSync(pack, Buffer.alloc(statSync(pack).size, "forged"));
  await expect(world.workspace.diff("all", live)).rejects.toMatchObject({ code: "workspace_damaged" });
});
