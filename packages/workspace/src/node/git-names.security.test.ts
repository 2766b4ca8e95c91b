import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openScratchWorkspace } from "./local-workspace.fixture.ts";

const live = new AbortController().signal;

/** Names that some file systems treat as `.git`, or as other names that an import leaves out. */
const ALIASES = [
  ".git",
  ".GIT",
  ".Git",
  ".gIT.",
  ".git ",
  ".git. . ",
  "git~1",
  "GIT~1",
  "Git~2",
  ".g\u200cit",
  ".\u200dgit",
  ".git\ufeff",
  ".g\u202eit",
  ".gi\u206at",
  ".\u2064git",
  ".g\u034fit",
  "\uff0egit",
  ".git::$INDEX_ALLOCATION",
  ".GIT:$I30:$INDEX_ALLOCATION",
  ".git:stream",
  "NODE_MODULES",
  "Node_Modules ",
];

test("[WS16] neither commits nor shows files that a command makes under a name like `.git`", async () => {
  await using world = openScratchWorkspace();
  const { workspace, root } = world;
  writeFileSync(join(root, "a.txt"), "a\n");
  mkdirSync(join(root, ".git", "hooks"), { recursive: true });
  await workspace.import({ root, uncommitted: "discard" }, live);
  const tree = await workspace.treeFolder(live);
  for (const alias of ALIASES)
    for (const path of [`${alias}/hooks/pre-commit`, `sub/${alias}/config`, `deep/${alias}`]) {
      if (existsSync(join(tree, path))) continue;
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), "#!/bin/sh\ntouch /tmp/owned\n", { mode: 0o755 });
    }
  writeFileSync(join(tree, ".gitignore"), "dist\n");
  writeFileSync(join(tree, "git~note.txt"), "an honest file\n");
  mkdirSync(join(tree, ".github"));
  writeFileSync(join(tree, ".github", "ci.yml"), "on: push\n");
  const { id, changes, skipped } = await workspace.status(live);
  const honest = [".github/ci.yml", ".gitignore", "git~note.txt"];
  expect(changes.map(({ path }) => path)).toEqual(honest);
  for (const alias of ALIASES) expect(skipped.map(({ path }) => path)).toContain(alias);
  await workspace.commit({ changeSet: id, paths: "all" }, live);
  expect(readdirSync(join(root, ".git", "hooks"))).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual([".git", ".github", ".gitignore", "a.txt", "git~note.txt"]);
});

test("[WS16] leaves out git's folder under another name, even if `.git` itself was imported", async () => {
  await using world = openScratchWorkspace();
  const { workspace, root } = world;
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  await workspace.import({ root, exclude: [], uncommitted: "discard" }, live);
  const tree = await workspace.treeFolder(live);
  for (const alias of [".GIT", "git~1"]) {
    mkdirSync(join(tree, alias));
    writeFileSync(join(tree, alias, "config"), "[core]\n\tfsmonitor = touch /tmp/owned\n");
  }
  expect((await workspace.status(live)).changes).toEqual([]);
});
