import { readFileSync } from "node:fs";
import { createMemoryFileSystem } from "@deputy/vfs";
import { expect, test } from "vitest";
import { testCommands } from "./cases/test-commands.fixture.ts";
import { createShell } from "./create-shell.ts";
import { joinChunks } from "./io/channel.ts";
import type { ShellLimits } from "./limits.ts";
import { isWholeScript } from "./parse/is-whole-script.ts";

function setup(limits: Partial<ShellLimits> = {}) {
  const fileSystem = createMemoryFileSystem({ now: () => 0n, random: (size) => new Uint8Array(size) });
  fileSystem.makeDirectory("/work");
  fileSystem.makeDirectory("/tmp");
  const shell = createShell({
    fileSystem,
    commands: testCommands,
    limits,
    now: () => Date.now(),
    random: () => 0.5,
  });
  const run = async (script: string, signal = new AbortController().signal) => {
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const { exitCode } = await shell.run({
      script,
      env: { PATH: "/bin", HOME: "/home/user", LC_ALL: "C.UTF-8" },
      cwd: "/work",
      stdin: { read: () => new Uint8Array(0) },
      stdout: { write: (bytes) => void out.push(bytes.slice()) },
      stderr: { write: (bytes) => void err.push(bytes.slice()) },
      signal,
    });
    return {
      status: exitCode,
      bytes: joinChunks(out),
      out: new TextDecoder().decode(joinChunks(out)),
      err: new TextDecoder().decode(joinChunks(err)),
    };
  };
  return { run, fileSystem };
}

interface Recorded {
  readonly script: string;
  readonly out: string;
  readonly status: number;
}
const recorded = JSON.parse(
  readFileSync(new URL("./cases/recorded.json", import.meta.url), "utf8"),
) as Record<string, Recorded[]>;

test.each(Object.entries(recorded))("[SH1] %s: as bash", async (_, cases) => {
  for (const { script, out, status } of cases) {
    const got = await setup().run(script);
    expect({ script, out: got.out, status: got.status, err: got.err }).toEqual({
      script,
      out,
      status,
      err: got.err,
    });
  }
});

test("[SH2] a reader that has enough ends its writer", async () => {
  const { run } = setup();
  expect(await run('yes | head -n 2; echo "${PIPESTATUS[@]}"')).toMatchObject({
    out: "y\ny\n141 0\n",
    status: 0,
  });
  expect(await run("while :; do echo x; done | head -n 1")).toMatchObject({ out: "x\n" });
});

test("[SH3] bytes that are no text stay as they are", async () => {
  const { run, fileSystem } = setup();
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  fileSystem.writeFile("/work/all", bytes);
  expect((await run("cat all | cat > copy; cat copy")).bytes).toEqual(bytes);
  fileSystem.writeFile("/work/high", bytes.subarray(128));
  expect((await run('x=$(cat high); printf %s "$x"')).bytes).toEqual(bytes.subarray(128));
});

test("[SH4] each limit ends the script by its name", async () => {
  const code = async (script: string, limits: Partial<ShellLimits>) => {
    const failed = await setup(limits)
      .run(script)
      .catch((error: unknown) => error);
    return (failed as { code?: unknown }).code;
  };
  expect(await code("while :; do :; done", { steps: 5_000 })).toBe("step_limit");
  expect(await code("while :; do :; done", { wallMs: 1 })).toBe("wall_limit");
  expect(await code("yes", { outputBytes: 1_000 })).toBe("output_limit");
  expect(await code("f() { f; }; f", { depth: 50 })).toBe("depth_limit");
  expect(await code('x=abcdefgh; while :; do x="$x$x"; done', {})).toBe("expansion_limit");
  expect(await code("x=$(yes)", { expansionBytes: 1_000 })).toBe("expansion_limit");
  expect(await code("for i in 1 2 3 4 5 6; do hang & done; wait", { processes: 4 })).toBe("process_limit");
});

test("[SH5] an abort ends what runs", async () => {
  const controller = new AbortController();
  const running = setup().run("hang", controller.signal);
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});

test("[SH7] a session keeps what scripts leave, over whatever files", async () => {
  const files = () => {
    const made = createMemoryFileSystem({ now: () => 0n, random: (size) => new Uint8Array(size) });
    for (const path of ["/work", "/work/sub"]) made.makeDirectory(path);
    return made;
  };
  const [first, second] = [files(), files()];
  const deps = { commands: testCommands, now: () => Date.now(), random: () => 0.5 };
  const session = createShell({ ...deps, fileSystem: first }).open({ env: { PATH: "/bin" }, cwd: "/work" });
  let out = "";
  const run = (script: string, over?: { fileSystem: typeof first; commands: typeof testCommands }) =>
    session.run({
      script,
      ...(over !== undefined && { over }),
      stdin: { read: () => new Uint8Array(0) },
      stdout: { write: (bytes) => void (out += new TextDecoder().decode(bytes)) },
      stderr: { write: () => undefined },
      signal: new AbortController().signal,
    });
  expect(await run("x=5; f() { echo f$x; }; cd sub; trap 'echo bye' EXIT; echo a > mine; false")).toEqual({
    exitCode: 1,
    exited: false,
  });
  expect(await run("echo $?; f; pwd; cat mine")).toEqual({ exitCode: 0, exited: false });
  second.writeFile("/work/sub/mine", new TextEncoder().encode("b\n"));
  await run("cat mine", { fileSystem: second, commands: testCommands });
  expect(session.cwd()).toBe("/work/sub");
  expect(await run("exit 7; echo never")).toEqual({ exitCode: 7, exited: true });
  expect(out).toBe("1\nf5\n/work/sub\na\nb\nbye\n");
});

test("[SH8] what is whole", () => {
  const open = [
    "if true",
    "for i in 1 2; do",
    "echo 'a",
    'echo "a',
    "cat <<E\nx",
    "{ echo",
    "(",
    "f() {",
    "echo \\",
    "a &&",
    "x=$(ls",
  ];
  const whole = [
    "",
    "echo",
    "if true; then :; fi",
    "echo 'a\nb'",
    "cat <<E\nx\nE",
    "echo )",
    "a; b &",
    "echo \\\\",
    "# if",
  ];
  expect(open.filter(isWholeScript)).toEqual([]);
  expect(whole.filter((script) => !isWholeScript(script))).toEqual([]);
});

test("[SH6] statuses and messages of commands that do not run", async () => {
  const { run, fileSystem } = setup();
  fileSystem.writeFile("/work/plain", new Uint8Array(0));
  expect(await run("\n\nfoo")).toMatchObject({ status: 127, err: "bash: line 3: foo: command not found\n" });
  expect(await run("./plain")).toMatchObject({
    status: 126,
    err: "bash: line 1: ./plain: Permission denied\n",
  });
  expect(await run("hang & kill $!; wait $!; echo $?")).toMatchObject({ out: "143\n" });
});

test("[SH1] what stands behind a substitution in quotes is text, whatever it would be as a script", async () => {
  const { run } = setup();
  const parts = ["a && b", "a | b", "a; b & c", "a || (b)", ") done fi }"];
  for (const part of parts)
    // oxlint-disable-next-line no-await-in-loop -- each has a shell of its own
    expect(await run(`echo "$(echo "$(echo x)") ${part}" "$(echo y) ${part}"`)).toMatchObject({
      out: `x ${part} y ${part}\n`,
      status: 0,
    });
});
