import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "./contained-shell.fixture.ts";

const SECRET = "the-secret-of-the-disk";
let outside: string;
let world: World;
beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), "deputy-outside-"));
  writeFileSync(join(outside, "secret"), SECRET);
  world = openWorld({ "in.txt": "in\n", "folder/f": "" });
  symlinkSync(outside, join(world.folder, "out"));
  symlinkSync(join(outside, "secret"), join(world.folder, "folder", "leak"));
  symlinkSync("/proc/self/root", join(world.folder, "root"));
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

/** Ways to what is behind a path, in builtins and in programs. */
const READERS = (path: string): readonly string[] => [
  `cat ${path}`,
  `read x < ${path} && echo "$x"`,
  `echo "$(<${path})"`,
  `grep -r . ${path}`,
  `cp ${path} /tmp/stolen && cat /tmp/stolen`,
  `source ${path}`,
  `exec 5<${path} && cat <&5`,
  `mapfile -t x < ${path}; echo "\${x[0]}"`,
  `find ${path} -type f -exec cat {} +`,
  `cd ${path} 2>/dev/null; cat secret environ`,
  `env -C ${path} cat secret`,
  `ln ${path} l; ln -s ${path} m; cat l m`,
  `sed -n p ${path}; head ${path}; tail ${path}; sort ${path}`,
];

test("[CS7] no path, link or spelling leads to the disk", async () => {
  const real = join(outside, "secret");
  const paths = [
    real,
    `..${real}`,
    `../../../../../../..${real}`,
    `/workspace/../..${real}`,
    "out/secret",
    "folder/leak",
    `root${real}`,
    `/proc/self/root${real}`,
    `/proc/1/root${real}`,
    `/dev/fd/3${real}`,
    "/proc/self/environ",
    "/proc/self/cwd/package.json",
    `file://${real}`,
    `%2e%2e${real}`,
    `$'\\x2e\\x2e'${real}`,
    `"${real}"*`,
    "/etc/passwd",
  ];
  for (const path of paths)
    for (const script of READERS(path)) {
      const { out, err } = await world.run(script);
      expect(`${out}${err}`, script).not.toContain(SECRET);
      expect(`${out}${err}`, script).not.toMatch(/root:x:0|"private": true|DEPUTY|NODE_/);
    }
});

test("[CS7] nothing is written, made or removed outside, nor in the folder itself", async () => {
  const listing = () => ({
    folder: readdirSync(world.folder),
    inside: readdirSync(join(world.folder, "folder")),
    outside: readdirSync(outside),
    secret: readFileSync(join(outside, "secret"), "utf8"),
  });
  const before = listing();
  for (const script of [
    "echo x > out/new; echo x > out/secret; echo x >> folder/leak",
    `echo x > ${outside}/new; rm -rf ${outside}; mkdir -p ${outside}/d`,
    "rm -rf / --no-preserve-root; rm -rf /* out/* root/*; find / -delete",
    `mv in.txt ${outside}/; cp in.txt ${outside}/x; ln in.txt ${outside}/y; touch ${outside}/z`,
    `cd out && touch here; chmod 000 ${outside} out/secret`,
    "kill -9 1 $PPID $$ -1; exec 3>/dev/tcp/127.0.0.1/80; echo > /dev/udp/127.0.0.1/53",
    "truncate -s 0 out/secret; tee out/secret < in.txt; sed -i d folder/leak; sort -o out/secret in.txt",
  ])
    await world.run(script).catch(() => undefined);
  expect(listing()).toEqual(before);
});

test("[CS7] the environment of this process is not the script's", async () => {
  const { out } = await world.run("env; set; printenv; echo $HOME $USER; cat /proc/self/environ");
  expect(out).toContain("HOME=/home/user");
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && value.length > 12 && !["/usr/bin:/bin"].includes(value))
      expect(out.includes(`${name}=${value}`), name).toBe(false);
});

test("[CS7] a folder that becomes a link while a script looks is not followed", async () => {
  await using own = openWorld({ "d/secret": "mine" });
  const [place, away] = [join(own.folder, "d"), join(own.folder, "d-away")];
  let swaps = 0;
  const swap = setInterval(() => {
    renameSync(place, away);
    symlinkSync(outside, place);
    rmSync(place);
    renameSync(away, place);
    swaps += 1;
  }, 0);
  try {
    for (let round = 0; round < 30; round += 1)
      expect((await own.run("cat d/secret; ls d; cat d*/secret")).out).not.toContain(SECRET);
  } finally {
    clearInterval(swap);
  }
  expect(swaps).toBeGreaterThan(0);
});

test("[CS7] floods end by a limit, and what comes next is served", async () => {
  const limits = { wallMs: 7_000, cpuMs: 3_000, processes: 32, fileBytes: 1_000_000 };
  for (const script of [
    ":(){ :|:& };:; wait",
    "while :; do echo x >> f; done",
    'x=a; while :; do x="$x$x"; done',
    "x=$(yes)",
    "cat /dev/zero",
    "cat /dev/zero | sort",
    "f() { eval f; }; f",
    "xargs() { :; }; seq 1000000 | while read i; do touch f$i; done",
    "bash -c 'bash -c \"while :; do bash -c true; done\"'",
    "head -c 100000000 /dev/zero | grep -c x",
    "a=(); while :; do a+=(x x x x x x x x); done",
    "printf '%1000000000s' x",
    "echo {1..100000000}",
  ]) {
    const { end } = await world.run(script, { limits });
    expect([script, end]).not.toEqual([script, 0]);
    expect(await world.run("cat in.txt")).toMatchObject({ out: "in\n", end: 0 });
  }
});

test("[CS7] names that only disks find odd stay inside", async () => {
  mkdirSync(join(world.folder, "odd"), { recursive: true });
  const { changes } = await world.run(
    "mkdir -p .git/hooks; echo x > .git/hooks/post-commit; echo x > 'CON'; echo x > $'a\\nb'; echo x > '..x'; touch -- -rf",
  );
  for (const change of changes) expect(change).not.toMatch(/^\w+ (?:\/|\.\.\/|\.\.$)/);
});
