import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScratchWorkspace } from "@deputy/testing";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createPathFacts } from "./node/index.ts";
// In these lines {WS} is the workspace and {OUT} a folder outside; those that ask stand under what is wrong with them.
import allowCases from "./cases/allowed-lines.json" with { type: "json" };
import askCases from "./cases/asked-lines.json" with { type: "json" };
import {
  createShellGate,
  DEFAULT_ALLOWED_COMMANDS,
  DEFAULT_EXTRA_VALIDATION,
  MAX_COMMAND_CHARS,
  type ShellGateDeps,
  type ShellVerdict,
} from "./index.ts";

const scratch = createScratchWorkspace();
afterAll(() => scratch[Symbol.dispose]());
const fill = (line: string, { workspace, outside } = scratch): string =>
  line.replaceAll("{WS}", workspace).replaceAll("{OUT}", outside);

function setup(changes: Partial<ShellGateDeps> & { readonly in?: typeof scratch } = {}) {
  const { in: place = scratch, ...rest } = changes;
  const gate = createShellGate({
    facts: createPathFacts(),
    directories: { workspace: place.workspace, read: [], write: [], protected: [] },
    allowedCommands: DEFAULT_ALLOWED_COMMANDS,
    commandsNeedingExtraValidation: DEFAULT_EXTRA_VALIDATION,
    homeDirectory: "/home/nobody-here",
    ...rest,
  });
  return { judge: (line: string): ShellVerdict => gate.judge(fill(line, place)), place };
}

describe("[YS1] [YS3] what is not fully understood, or leads outside, asks and says why", () => {
  const { judge } = setup();
  test.each(Object.entries(askCases))("%s", (_family, lines) => {
    const wrong = lines.filter((line) => judge(line).verdict !== "ask" || judge(line).reasons.length === 0);
    expect(wrong).toEqual([]);
  });
});

test("[YS1] everyday lines are allowed", () => {
  const { judge } = setup();
  const asked = allowCases
    .map((line) => ({ line, ...judge(line) }))
    .filter(({ verdict }) => verdict !== "allow");
  expect(asked).toEqual([]);
});

test("[YS18] what is allowed leaves everything outside alone when bash really runs it", () => {
  using place = createScratchWorkspace();
  const before = place.outsideState();
  for (const line of allowCases) {
    place.reset();
    const { stdout, stderr } = spawnSync("bash", ["-c", fill(line, place)], {
      cwd: place.workspace,
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", CANARY: "canary-of-the-environment" },
      input: "one\ntwo\n",
      encoding: "utf8",
      timeout: 5_000,
    });
    expect([line, place.outsideState() === before, /canary/.test(stdout + stderr)]).toEqual([
      line,
      true,
      false,
    ]);
  }
});

test("[YS1] a reason names the command, the option and where a path leads", () => {
  const { judge } = setup();
  expect(judge("ls; cat link.txt | sort --compress-prog=./x").reasons).toEqual([
    fill("`cat` reads link.txt, which leads to {OUT}/secret.txt and is outside of the workspace"),
    "option `--compress-prog=./x` of `sort` is not one that is known to be harmless",
  ]);
});

test("[YS2] a line that is too long, nested too deeply or has too many commands asks", () => {
  const { judge } = setup();
  expect(judge(`echo ${"a".repeat(MAX_COMMAND_CHARS)}`).verdict).toBe("ask");
  expect(judge(`${"echo $(".repeat(20)}ls${")".repeat(20)}`).verdict).toBe("ask");
  expect(judge("true; ".repeat(400)).verdict).toBe("ask");
  expect(judge("true; ".repeat(200)).verdict).toBe("allow");
  expect(judge("echo {1..9}{1..9}{1..9}").verdict).toBe("ask");
  expect(
    judge(
      "for a in 1 2 3 4 5 6 7; do for b in 1 2 3 4 5 6 7; do for c in 1 2 3 4 5 6 7; do echo; done; done; done",
    ).verdict,
  ).toBe("ask");
});

test("[YS4] a command is known by its name or its place in the system, not by the end of a path", () => {
  const { judge } = setup();
  expect(judge("/usr/bin/cat a.txt").verdict).toBe("allow");
  expect(judge("./ls").reasons).toEqual(["`./ls` is a program by its path, not a command of the system"]);
  expect(judge("/usr/local/bin/cat a.txt").verdict).toBe("ask");
  expect(judge("c=cat; $c a.txt").reasons).toEqual(["the command `$c` is not written out"]);
});

test("[YS5] what starts another command is judged by it, to any depth that is written out", () => {
  const { judge } = setup();
  expect(judge("timeout 5 nice -n 3 env LC_ALL=C bash -c 'sort a.txt | head -1'").verdict).toBe("allow");
  expect(judge("timeout 5 nice -n 3 env LC_ALL=C bash -c 'sort {OUT}/secret.txt'").reasons).toEqual([
    fill("`sort` reads {OUT}/secret.txt, which is outside of the workspace"),
  ]);
  expect(judge("find . -type f -exec head -1 {} +").verdict).toBe("allow");
  expect(judge("find . -exec head -1 {} +").verdict).toBe("ask");
});

test("[YS6] links are followed where they stand, and `..` goes up from where they led", () => {
  using place = createScratchWorkspace();
  mkdirSync(join(place.workspace, "deep", "er"), { recursive: true });
  symlinkSync("deep/er", join(place.workspace, "jump"));
  symlinkSync("loop", join(place.workspace, "loop"));
  const { judge } = setup({ in: place });
  expect(judge("cat jump/../x").verdict).toBe("allow");
  expect(judge("cat jump/../../a.txt").verdict).toBe("allow");
  expect(judge("cat jump/../../../out/secret.txt").verdict).toBe("ask");
  expect(judge("cat sub/up/a.txt").verdict).toBe("allow");
  expect(judge("cat sub/up/../out/secret.txt").verdict).toBe("ask");
  expect(judge("cat loop").verdict).toBe("ask");
});

test("[YS6] a file with another name may be one from outside", () => {
  using place = createScratchWorkspace();
  linkSync(join(place.outside, "secret.txt"), join(place.workspace, "twin.txt"));
  const { judge } = setup({ in: place });
  expect(judge("cat twin.txt").reasons).toEqual([
    fill("`cat` reads twin.txt, which leads to {WS}/twin.txt and has other names (hard links)", place),
  ]);
  expect(judge("rm twin.txt").verdict).toBe("allow");
});

test("[YS6] permitted directories are read, or read and written", () => {
  const directories = { workspace: scratch.workspace, read: [scratch.outside], write: [], protected: [] };
  const readable = setup({ directories });
  expect(readable.judge("cat link.txt {OUT}/secret.txt; ls linkdir").verdict).toBe("allow");
  expect(readable.judge("echo > {OUT}/x").reasons).toEqual([
    fill("`>` writes {OUT}/x, which may only be read"),
  ]);
  const writable = setup({ directories: { ...directories, read: [], write: [scratch.outside] } });
  expect(writable.judge("cat {OUT}/secret.txt > linkdir/x").verdict).toBe("allow");
  expect(writable.judge("rm {OUT}").verdict).toBe("ask");
});

test("[YS7] a pattern is every name it stands for, options included", () => {
  using place = createScratchWorkspace();
  const { judge } = setup({ in: place });
  expect(judge("cat *.txt").verdict).toBe("ask");
  expect(judge("cat a*.txt").verdict).toBe("allow");
  expect(judge("echo *.txt").verdict).toBe("allow");
  expect(judge("sort l?nk*").verdict).toBe("ask");
  expect(judge("sort sub/*.txt").verdict).toBe("allow");
  writeFileSync(join(place.workspace, "--compress-program=x"), "");
  expect(judge("sort *.sed --").verdict).toBe("allow");
  expect(judge("sort *=x").verdict).toBe("ask");
});

test("[YS7] what is not known before it runs is data to `echo`, and nothing to a path", () => {
  const { judge } = setup();
  expect(judge('d=$(date +%F); echo "$d"; printf "%s\\n" "$d"').verdict).toBe("allow");
  expect(judge('d=$(date +%F); cat "$d"').verdict).toBe("ask");
  expect(judge('d=$(date +%F); echo > "$d"').verdict).toBe("ask");
});

test("[YS8] redirections are judged wherever they stand", () => {
  const { judge } = setup();
  expect(judge("{ ls; } 2> sub/errors > /dev/null < a.txt").verdict).toBe("allow");
  for (const line of [
    "{ ls; } 2> ../e",
    "if true; then ls; fi > {OUT}/e",
    "> {OUT}/e",
    "ls 2>>{OUT}/e",
    "(ls) &>> {OUT}/e",
    "while read x; do echo; done < {OUT}/secret.txt",
  ])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
});

test("[YS9] variables that commands act on are not set, and those that may be secret are not shown", () => {
  const { judge } = setup();
  expect(judge('greeting=hi; echo "$greeting $USER"; LC_ALL=C ls').verdict).toBe("allow");
  for (const line of [
    "PATH=.:$PATH",
    "GIT_PAGER=x git log",
    "FOO=1 ls",
    "LESSOPEN=x",
    "echo $OPENAI_API_KEY",
  ])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
});

test("[YS10] only numbers are calculated with", () => {
  const { judge } = setup();
  expect(judge("n=4; echo $((n * 2 + (1 << 3))) $((0x1f % 7))").verdict).toBe("allow");
  expect(judge("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i").verdict).toBe("allow");
  for (const line of ["echo $((n))", "n='a[$(ls)]'; echo $((n))", "echo $((n=1))", "read n; echo $((n+1))"])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
});

describe("[YS11] git runs only where nothing in the repository makes it run more", () => {
  const config = '[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = https://x\n';
  test.each([
    ["as it was cloned", { config }, "allow"],
    ["a monitor", { config: `${config}[core]\n\tfsmonitor = ./evil.sh\n` }, "ask"],
    ["an external diff in odd writing", { config: "[DIFF] external=./evil.sh\n" }, "ask"],
    ["an included file", { config: "[include]\n\tpath = ../x\n" }, "ask"],
    ["an alias", { config: "[alias]\n\tstatus = !ls\n" }, "ask"],
    ["a hook", { "hooks/post-index-change": "#!/bin/sh\n" }, "ask"],
    ["a sample of one", { "hooks/pre-commit.sample": "#!/bin/sh\n" }, "allow"],
    ["objects from elsewhere", { "objects/info/alternates": "/x\n" }, "ask"],
  ] as const)("%s: %o", (_what, files, verdict) => {
    using place = createScratchWorkspace();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(place.workspace, ".git", name, ".."), { recursive: true });
      writeFileSync(join(place.workspace, ".git", name), text);
    }
    expect(setup({ in: place }).judge("git status").verdict).toBe(verdict);
  });

  test("nor in a directory that is itself a repository, or with one outside", () => {
    using place = createScratchWorkspace();
    for (const name of ["HEAD", "config", "objects", "refs"])
      writeFileSync(join(place.workspace, "sub", name), "");
    expect(setup({ in: place }).judge("cd sub && git log").verdict).toBe("ask");
    const inner = { workspace: join(place.outside, "repo", "inner"), outside: place.workspace };
    mkdirSync(inner.workspace);
    expect(setup({ in: { ...place, ...inner } }).judge("git log").verdict).toBe("ask");
  });
});

test("[YS12] after `cd`, paths are judged from wherever the line may be", () => {
  const { judge } = setup();
  expect(judge("cd sub && cat ../a.txt").verdict).toBe("allow");
  expect(judge("cd sub; cat ../a.txt").verdict).toBe("ask");
  expect(judge("cd sub || exit 1; cat b.txt").verdict).toBe("allow");
  expect(judge("(cd sub && ls); cat ../out/secret.txt").verdict).toBe("ask");
  expect(judge("cd sub/up && ls").verdict).toBe("ask");
});

test("[YS13] one part of a line does not rely on what another changes, in whatever order they run", () => {
  const { judge } = setup();
  expect(judge("mv a.txt b.txt && cat b.txt").verdict).toBe("allow");
  expect(judge("cp -r sub copy && ls").verdict).toBe("allow");
  for (const line of [
    "mv linkdir d2 && cat d2/secret.txt",
    "cat d2/secret.txt & mv linkdir d2",
    "cp -r sub copy; cat copy/up/x",
    "ln -s sub l; cat l/x",
    "mv sub/up z; ls *",
  ])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
});

describe("[YS14] Deputy's home is closed", () => {
  test("even in a permitted directory, and to whatever reads or moves all around it", () => {
    const home = join(scratch.outside, "home");
    const { judge } = setup({
      directories: { workspace: scratch.workspace, read: [], write: [scratch.outside], protected: [home] },
    });
    for (const line of [
      "cat {OUT}/home/token",
      "echo > {OUT}/home/config.json",
      "ls linkdir/home",
      "grep -r x {OUT}",
      "mv {OUT}/home x",
      "cat {OUT}/x/../home/key",
    ])
      expect([line, judge(line).verdict]).toEqual([line, "deny"]);
    expect(judge("cat {OUT}/secret.txt").verdict).toBe("allow");
  });

  test("but for a workspace inside of it", () => {
    const { judge } = setup({
      directories: {
        workspace: scratch.workspace,
        read: [],
        write: [],
        protected: [join(scratch.workspace, "..")],
      },
    });
    expect(judge("cat a.txt").verdict).toBe("allow");
    expect(judge("cat ../token").verdict).toBe("deny");
    expect(judge("cat linkdir/secret.txt").verdict).toBe("deny");
  });
});

test("[YS15] a command that needs extra validation takes only what is written out, and no whole directories", () => {
  const { judge } = setup();
  expect(judge("rm sub/old.txt").verdict).toBe("allow");
  for (const line of ["rm sub/*.txt", "rm -r sub", "f=a.txt; rm $(echo $f)", "rm {a,b}.txt"])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
  const lenient = setup({ commandsNeedingExtraValidation: [] });
  expect(lenient.judge("rm -r sub; rm *.sed").verdict).toBe("allow");
  expect(lenient.judge("rm -r .").verdict).toBe("ask");
  const strict = setup({ commandsNeedingExtraValidation: ["cat"] });
  expect(strict.judge("cat a*.txt").verdict).toBe("ask");
});

test("[YS16] what is not listed asks; what is listed is still only allowed as far as it is known", () => {
  const { judge } = setup({ allowedCommands: ["ls", "python3", "perl", "npm test"] });
  expect(judge("ls").verdict).toBe("allow");
  expect(judge("cat a.txt").reasons).toEqual(["`cat` is not among the allowed commands"]);
  expect(judge("perl -e 1").reasons).toEqual(["`perl` is listed, but it is not known what its arguments do"]);
  expect(judge("python3 evil.py").verdict).toBe("ask");
  expect(judge("npm test && ls").verdict).toBe("allow");
  for (const line of ["npm test x", "npm run test", "X=1 npm test", "npm test > {OUT}/x", "npm"])
    expect([line, judge(line).verdict]).toEqual([line, "ask"]);
});

describe("[YS17] it always answers, and in time", () => {
  const { judge } = setup();
  test("whatever the text", () => {
    const piece = fc.constantFrom(
      ..."ls cat echo $( ` ' \" \\ ; & | < > ( ) { } [ ] $ ! # * ? ~ = - \n /etc/passwd a.txt $x ${ <<E E do done if fi in for".split(
        " ",
      ),
      " ",
      "\n",
    );
    const noise = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(noise, (text) => {
        const { verdict, reasons } = judge(text);
        expect(["allow", "ask"]).toContain(verdict);
        expect(reasons.length === 0).toBe(verdict === "allow");
      }),
      { numRuns: 1_500 },
    );
  });

  test("arbitrary bytes that name a file outside are never allowed to print it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 12 }),
        fc.string({ unit: "grapheme", maxLength: 12 }),
        (before, after) => {
          fc.pre(!/[#'"\\`$&;|<>(){}\n~]/.test(before + after));
          expect(judge(`cat ${before} {OUT}/secret.txt ${after}`).verdict).toBe("ask");
        },
      ),
    );
  });

  test.each([
    ["words", (size: number) => `echo ${"a ".repeat(size / 2)}`],
    ["quotes", (size: number) => `echo ${"'a'".repeat(size / 3)}`],
    ["commands", (size: number) => "ls;".repeat(size / 3)],
    ["open substitutions", (size: number) => "$(".repeat(size / 2)],
    ["backticks", (size: number) => "`a ".repeat(size / 3)],
    ["comments", (size: number) => "ls #a\n".repeat(size / 6)],
    ["a long sed script", (size: number) => `sed '${"s/a/b/;".repeat(size / 7)}' a.txt`],
    ["a long awk program", (size: number) => `awk '{${'print "x";'.repeat(size / 10)}}' a.txt`],
    ["stars", (size: number) => `ls ${"*".repeat(size)}`],
    ["levels", (size: number) => `cat ${"sub/../".repeat(size / 7)}a.txt`],
  ])("%s", (_what, make) => {
    const timeFor = (size: number): number => {
      const line = make(size);
      const runs = Array.from({ length: 9 }, () => {
        // CPU of this thread: what else runs on the machine does not count.
        const before = process.threadCpuUsage();
        judge(line);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      });
      return Math.min(...runs);
    };
    timeFor(2_000);
    // Eight times as long takes about eight times as much, not sixty-four.
    expect(timeFor(16_000)).toBeLessThan(30 * Math.max(timeFor(2_000), 5));
  });
});
