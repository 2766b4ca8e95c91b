import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFiles } from "../cases/start-files.fixture.ts";
import { openWorld, runIn, type World } from "./contained-shell.fixture.ts";

const recorded = JSON.parse(
  readFileSync(new URL("../cases/recorded.json", import.meta.url), "utf8"),
) as Record<string, readonly { readonly script: string; readonly out: string; readonly err: string }[]>;

let world: World;
beforeAll(() => void (world = openWorld(startFiles)));
afterAll(() => world[Symbol.asyncDispose]());

test("[CS1] there are 500 recorded scripts at least", () => {
  expect(Object.values(recorded).flat().length).toBeGreaterThanOrEqual(500);
});

test.each(Object.entries(recorded))("[CS1] %s: as bash and GNU's", async (_, cases) => {
  for (const { script, out, err } of cases) {
    const got = await world.run(script, { env: { LC_ALL: "C.UTF-8", TZ: "UTC" } });
    const told = got.err.replaceAll(/^bash: line 1: /gm, "bash: ");
    expect.soft({ script, out: got.out, err: told }).toEqual({ script, out, err });
  }
});

test("[CS2] the result has what changed, and the disk has not", async () => {
  const before = readdirSync(world.folder, { recursive: true });
  const { changes, leftOut } = await world.run(
    "echo new > src/new; echo more >> a.txt; rm b.txt; mkdir -p made/deep; chmod +x run.sh; rm -r docs; ln -s a.txt l; touch empty; mv src/util.c src/u.c; cp a.txt same && rm same; echo t > /tmp/t",
  );
  expect(changes).toEqual([
    'write a.txt "one\\ntwo\\nthree\\nmore\\n"',
    "remove b.txt",
    "no_folder docs",
    "remove docs/read me.md",
    "folder made",
    "folder made/deep",
    `write run.sh ${JSON.stringify(startFiles["run.sh"])} x`,
    'write src/new "new\\n"',
    `write src/u.c ${JSON.stringify(startFiles["src/util.c"])}`,
    "remove src/util.c",
    "folder src",
  ]);
  expect(leftOut).toEqual([{ path: "l", why: "it is a link" }]);
  expect(readdirSync(world.folder, { recursive: true })).toEqual(before);
  expect(readFileSync(join(world.folder, "a.txt"), "utf8")).toBe(startFiles["a.txt"]);
});

test.each([
  ["wall_limit", "sleep 60", { wallMs: 300 }],
  ["wall_limit", "cat", { wallMs: 300 }],
  ["cpu_limit", "while :; do :; done", { cpuMs: 300 }],
  ["cpu_limit", "yes > /dev/null", { cpuMs: 300 }],
  ["output_limit", "yes", { outputBytes: 10_000 }],
  ["process_limit", "f() { f | f & }; f; wait", { processes: 8 }],
  ["depth_limit", "f() { f; }; f", {}],
])("[CS3] %s ends %s", async (limit, script, limits) => {
  const streams = { input: () => new Promise<never>(() => undefined), output: () => undefined };
  const done = await world.shell.run(
    { script: `echo x > a.txt; ${script}`, limits },
    streams,
    new AbortController().signal,
  );
  expect(done).toMatchObject({ end: { kind: "limit", limit }, changes: [] });
  expect(await world.run("cat a.txt | head -n 1")).toMatchObject({ out: "one\n", end: 0 });
});

test("[CS3] files grow up to a limit that the script hears of", async () => {
  const limits = { fileBytes: 100_000 };
  const { end, err } = await world.run("yes | head -c 200000 > big", { limits });
  expect(end).not.toBe(0);
  expect(err).toMatch(/No space left|too large/i);
});

test.each(["sleep 60", "while :; do :; done", "yes > /dev/null", "sleep 60 | cat"])(
  "[CS4] an abort ends %s",
  async (script) => {
    const stop = new AbortController();
    const running = world.run(`echo begun; ${script}`, {}, stop.signal);
    setTimeout(() => stop.abort(new Error("enough")), 100);
    await expect(running).rejects.toThrow("enough");
    expect(await world.run("echo next")).toMatchObject({ out: "next\n" });
  },
);

test("[CS5] output comes at once, input when it is wanted", async () => {
  const heard: string[] = [];
  const answers = ["first\n", "second\n"];
  const done = await world.shell.run(
    { script: "echo ask; read a; echo got $a; read b; echo got $b; read c || echo end" },
    {
      input: async () => {
        heard.push("(asked)");
        return new TextEncoder().encode(answers.shift() ?? "");
      },
      output: (_, bytes) => void heard.push(new TextDecoder().decode(bytes)),
    },
    new AbortController().signal,
  );
  expect(done.end).toEqual({ kind: "exited", exitCode: 0 });
  expect(heard.join("")).toBe("ask\n(asked)got first\n(asked)got second\n(asked)end\n");
  expect(await world.run('yes | head -n 2; echo "${PIPESTATUS[@]}"')).toMatchObject({ out: "y\ny\n141 0\n" });
  expect(await world.run("diff() { :; }; cat <(echo sub) > >(tr a-z A-Z)")).toMatchObject({ out: "SUB\n" });
});

test("[CS6] a session keeps its shell, and sees the files as they are", async () => {
  await using own = openWorld({ "a.txt": "one\n", "sub/b": "" });
  await using session = own.shell.open();
  expect(
    await runIn(session, "x=1; cd sub; f() { echo f$x; }; echo t > /tmp/t; echo lost > c"),
  ).toMatchObject({
    cwd: "/workspace/sub",
    exited: false,
    changes: ['write sub/c "lost\\n"'],
  });
  appendFileSync(join(own.folder, "a.txt"), "two\n");
  expect(await runIn(session, "f; pwd; cat /tmp/t ../a.txt; ls")).toMatchObject({
    out: "f1\n/workspace/sub\nt\none\ntwo\nb\n",
  });
  expect(await runIn(session, "exit 3")).toMatchObject({ end: 3, exited: true });
});

test.each(["sleep 60; echo late", "f() { local x=2; cd /tmp; sleep 60; }; f", "while :; do :; done"])(
  "[CS10] a session goes on after %s was aborted",
  async (script) => {
    await using session = world.shell.open();
    await runIn(session, "x=1; mkdir -p /tmp/kept");
    const stop = new AbortController();
    const running = runIn(session, `echo begun > f; ${script}`, {}, stop.signal);
    await new Promise((resolve) => void setTimeout(resolve, 50));
    stop.abort(new DOMException("Interrupted", "AbortError"));
    await expect(running).rejects.toThrow("Interrupted");
    const after = await runIn(session, "echo $? $x; ls /tmp; ls f; for i in 1 2; do echo $i; done");
    expect(after).toMatchObject({ out: "130 1\nkept\n1\n2\n", changes: [] });
  },
);

test("[CS8] a second script starts on a warm thread and finds nothing of the first", async () => {
  await using own = openWorld({});
  const first = await own.run("x=5; export Y=6; echo t > /tmp/t; cd /tmp; alias a=b; set -u; echo $BASHPID");
  const second = await own.run('echo "${x-none} ${Y-none}"; ls /tmp; pwd; alias; echo $- | grep -c u');
  expect(first.end).toBe(0);
  expect(second).toMatchObject({ out: "none none\n/workspace\n0\n", err: "" });
});

test("[CS2] a file that others change while a script runs is not mixed with what it was", async () => {
  await using own = openWorld({ "a.txt": "one\n" });
  const streams = {
    input: async () => {
      writeFileSync(join(own.folder, "a.txt"), "other, and longer\n");
      return new Uint8Array(0);
    },
    output: () => undefined,
  };
  const signal = new AbortController().signal;
  const done = await own.shell.run({ script: "ls -l a.txt; read x; cat a.txt" }, streams, signal);
  expect(done).toMatchObject({ end: { kind: "exited", exitCode: 1 }, changes: [] });
});
