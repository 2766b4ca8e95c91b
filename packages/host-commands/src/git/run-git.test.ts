import { createShell } from "@deputy/shell";
import { createMemoryFileSystem, type FileSystem } from "@deputy/vfs";
import { expect, test } from "vitest";
import { createGit } from "./run-git.ts";

function memory(): FileSystem {
  let time = 1_700_000_000_000_000_000n;
  return createMemoryFileSystem({
    now: () => (time += 1_000_000n),
    random: (length) => new Uint8Array(length),
    mounts: [],
    limits: {},
  });
}

/** A workspace, its repository, and a shell with git. */
function setup() {
  const [files, store] = [memory(), memory()];
  files.makeDirectory("/workspace");
  files.makeDirectory("/workspace/d");
  store.makeDirectory("/git");
  const git = createGit("/workspace", store);
  const write = (path: string, text: string | Uint8Array): void =>
    files.writeFile(`/workspace/${path}`, typeof text === "string" ? new TextEncoder().encode(text) : text);
  const run = async (script: string, cwd = "/workspace") => {
    const text = { out: "", err: "" };
    const into = (name: "out" | "err") => ({
      write: (bytes: Uint8Array) => void (text[name] += new TextDecoder().decode(bytes)),
    });
    const shell = createShell({
      fileSystem: files,
      commands: { find: (name) => (name === "git" ? git : undefined), names: () => ["git"] },
      limits: {
        steps: 100_000,
        wallMs: 60_000,
        outputBytes: 100_000,
        processes: 10,
        expansionBytes: 100_000,
      },
      now: Date.now,
      random: Math.random,
    });
    const { exitCode } = await shell.run({
      script,
      args: [],
      env: { GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.org" },
      cwd,
      stdin: { read: () => new Uint8Array(0) },
      stdout: into("out"),
      stderr: into("err"),
      signal: new AbortController().signal,
    });
    return { ...text, exitCode };
  };
  return { files, store, write, run };
}

test("[HC4] what was changed is shown, staged and committed as git does it", async () => {
  const world = setup();
  world.write("a.txt", "one\ntwo\n");
  world.write("d/b.txt", "b\n");
  world.write(".gitignore", "left\n");
  world.write("left", "x\n");
  expect((await world.run("git status -s")).out).toBe("?? .gitignore\n?? a.txt\n?? d/b.txt\n");
  expect(await world.run("git add . && git status --porcelain")).toMatchObject({
    out: "A  .gitignore\nA  a.txt\nA  d/b.txt\n",
    err: "",
  });
  const first = await world.run('git commit -m "First thing"');
  expect(first.out).toMatch(/^\[main \(root-commit\) [0-9a-f]{7}\] First thing\n 3 files changed\n$/);
  expect((await world.run("git status")).out).toBe("On branch main\nnothing to commit, working tree clean\n");

  world.write("a.txt", "one\ntwo\nthree\n");
  world.files.unlink("/workspace/d/b.txt");
  world.write("c.txt", "new\n");
  expect((await world.run("git status -s")).out).toBe(" M a.txt\n D d/b.txt\n?? c.txt\n");
  expect((await world.run("git diff a.txt")).out).toBe(
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n",
  );
  expect((await world.run("git diff --name-only")).out).toBe("a.txt\nd/b.txt\n");
  await world.run("git add a.txt");
  world.write("a.txt", "one\n");
  expect((await world.run("git status -s a.txt; git diff --cached")).out).toContain("MM a.txt\n");
  expect((await world.run("git diff --cached")).out).toContain("+three\n");
  expect((await world.run("git diff a.txt")).out).toContain("-three\n");
  expect((await world.run("git commit -qam second; git log --oneline")).out).toMatch(
    /^[0-9a-f]{7} second\n[0-9a-f]{7} First thing\n$/,
  );
  expect((await world.run("git log -1")).out).toMatch(
    /^commit [0-9a-f]{40}\nAuthor: Ann <ann@example.org>\nDate: {3}\w{3} \w{3} \d+ [\d:]{8} \d{4} \+0000\n\n {4}second\n$/,
  );
  expect((await world.run("git status -s")).out).toBe("?? c.txt\n");
});

test("[HC4] paths are those of where the script is, and none leads out", async () => {
  const world = setup();
  world.write("d/b.txt", "b\n");
  world.write("a.txt", "a\n");
  await world.run("git add b.txt", "/workspace/d");
  expect((await world.run("git status -s")).out).toBe("A  d/b.txt\n?? a.txt\n");
  expect(await world.run("git add ../../etc", "/workspace/d")).toMatchObject({ exitCode: 128 });
  expect(await world.run("git add gone")).toMatchObject({ exitCode: 128 });
});

test("[HC4] bytes that are no text are not shown, and come back as they were", async () => {
  const world = setup();
  world.write("x.bin", new Uint8Array([0, 1, 255]));
  await world.run("git add x.bin && git commit -m x");
  world.write("x.bin", new Uint8Array([0, 2, 255]));
  expect((await world.run("git diff")).out).toBe(
    "diff --git a/x.bin b/x.bin\nBinary files a/x.bin and b/x.bin differ\n",
  );
});

test("[HC4] nothing to commit, no message, and what is not here say so", async () => {
  const world = setup();
  expect(await world.run("git log")).toMatchObject({ exitCode: 128 });
  expect(await world.run("git commit -m x")).toMatchObject({ exitCode: 1 });
  world.write("a", "a");
  expect(await world.run("git add a; git commit")).toMatchObject({ exitCode: 1 });
  expect((await world.run("git push")).err).toContain("There are: add, commit, diff, init, log, status");
  expect(await world.run("git status --nonsense")).toMatchObject({ exitCode: 129 });
});

test("[HC5] the repository is where no script can read or write it", async () => {
  const world = setup();
  world.write("a", "a");
  await world.run("git add a; git commit -qm a");
  expect(world.files.readDirectory("/").map(({ name }) => name)).not.toContain("git");
  expect(world.files.readDirectory("/workspace").map(({ name }) => name)).not.toContain(".git");
  // A `.git` that a script makes is nothing to it.
  world.files.makeDirectory("/workspace/.git");
  world.write(".git/config", "[core]\n\tpager = evil\n");
  expect((await world.run("git status -s; git log --oneline")).out).toMatch(/^[0-9a-f]{7} a\n$/);
});
