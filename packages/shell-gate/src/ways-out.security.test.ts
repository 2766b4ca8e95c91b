import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScratchWorkspace } from "@deputy/testing";
import { describe, expect, test } from "vitest";
import { createPathFacts } from "./node/index.ts";
import { createShellGate, DEFAULT_ALLOWED_COMMANDS, DEFAULT_EXTRA_VALIDATION } from "./index.ts";
import { waysOut } from "./ways-out.fixture.ts";

function setup() {
  const place = createScratchWorkspace();
  const gate = createShellGate({
    facts: createPathFacts(),
    directories: { workspace: place.workspace, read: [], write: [], protected: [] },
    allowedCommands: DEFAULT_ALLOWED_COMMANDS,
    commandsNeedingExtraValidation: DEFAULT_EXTRA_VALIDATION,
    homeDirectory: "/home/nobody-here",
  });
  /** As a bash without `globskipdots` runs it. */
  const run = (line: string): string => {
    const { stdout, stderr } = spawnSync("bash", ["-c", `shopt -u globskipdots 2> /dev/null\n${line}`], {
      cwd: place.workspace,
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C.UTF-8" },
      input: "",
      encoding: "utf8",
      timeout: 5_000,
    });
    return stdout + stderr;
  };
  return { ...place, judge: gate.judge, run };
}

test("[YS7] [YS18] no command leaves the workspace by any way, however it is written", () => {
  const place = setup();
  using _ = place;
  const before = place.outsideState();
  const lines = [...waysOut()];
  const allowed = lines.filter((line) => place.judge(line).verdict === "allow");
  const left = allowed.filter((line) => {
    place.reset();
    return place.run(line).includes(place.secret) || place.outsideState() !== before;
  });
  expect(left).toEqual([]);
  // What is allowed is not the bulk of them: it is where a shell takes the word literally.
  expect(allowed.length).toBeLessThan(lines.length / 20);
  // The ways do lead out: otherwise nothing was shown.
  const reached = lines
    .filter((line) => /^cat \S+$/.test(line))
    .filter((line) => place.run(line).includes(place.secret));
  expect(reached.length).toBeGreaterThan(60);
});

test("[YS19] a file grows without end only with a yes; what is cut, or is only printed, may go on", () => {
  const place = setup();
  using _ = place;
  for (const line of ["yes > x", "cat /dev/zero | tee x", "while true; do ls; done > x", "dd of=x"])
    expect([line, place.judge(line).verdict]).toEqual([line, "ask"]);
  for (const line of ["yes", "yes | head -3 > x", "head -c 9 /dev/zero > x", "seq 9 > x", "yes > /dev/null"])
    expect([line, place.judge(line).verdict]).toEqual([line, "allow"]);
  expect(place.judge("yes | cat > x").reasons).toEqual(["a file may grow without end: `yes` has no end"]);
});

describe("[YS11] a repository that was planted runs nothing unasked", () => {
  const plant = (directory: string, outside: string): void => {
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: directory,
        stdio: "ignore",
      });
    mkdirSync(directory, { recursive: true });
    git("init");
    writeFileSync(join(directory, "b.txt"), "b\n");
    git("add", "b.txt");
    git("commit", "-m", "b");
    git("config", "core.fsmonitor", `touch ${outside}/pwned;`);
    git("config", "core.worktree", directory);
  };
  const move = (directory: string, ...names: readonly string[]): void => {
    for (const name of names) renameSync(join(directory, ".git", name), join(directory, name));
  };
  const runs = (place: ReturnType<typeof setup>, line: string): boolean => {
    const before = place.outsideState();
    place.run(line);
    return place.outsideState() !== before;
  };

  test.each([
    ["with `-C`", () => undefined, "git -C ./planted status"],
    ["after `cd`", () => undefined, "cd planted && git status"],
    [
      "as a bare one beside an empty `.git`",
      (at: string) => move(at, "HEAD", "config", "objects", "refs", "index"),
      "git -C planted status",
    ],
    [
      "in parts that another file leads to",
      (at: string) => {
        move(at, "HEAD", "index");
        mkdirSync(join(at, "x"));
        for (const name of ["config", "objects", "refs"])
          renameSync(join(at, ".git", name), join(at, "x", name));
        writeFileSync(join(at, "commondir"), "x\n");
      },
      "git -C planted diff",
    ],
  ])("%s", (_how, change, line) => {
    const place = setup();
    using _ = place;
    const planted = join(place.workspace, "planted");
    plant(planted, place.outside);
    change(planted);
    expect(place.judge(line).verdict).toBe("ask");
  });

  test("inside of one that is harmless, whose index lists it", () => {
    const place = setup();
    using _ = place;
    plant(join(place.workspace, "lib"), place.outside);
    expect(place.judge("git status").verdict).toBe("allow");
    expect(runs(place, "git status")).toBe(false);
    expect(runs(place, "git add -A")).toBe(false);
    for (const line of ["git status", "git diff", "git add -A", "git -C sub status"])
      expect([line, place.judge(line).verdict]).toEqual([line, "ask"]);
    expect(runs(place, "git status")).toBe(true);
  });

  test("by links in git's own directory", () => {
    const place = setup();
    using _ = place;
    const own = join(place.workspace, ".git");
    renameSync(join(own, "objects"), join(place.workspace, "elsewhere"));
    execFileSync("ln", ["-s", "../elsewhere", join(own, "objects")]);
    expect(place.judge("git log").verdict).toBe("ask");
  });
});
