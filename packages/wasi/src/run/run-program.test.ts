import { readFileSync } from "node:fs";
import { createMemoryFileSystem, type FileSystemLimits } from "@deputy/vfs";
import { describe, expect, test } from "vitest";
import type { ByteSource } from "../host/byte-stream.ts";
import { defaultModuleRules, prepareModule } from "../module/prepare-module.ts";
import { type ProgramLimits, runProgram } from "./run-program.ts";
import { createSystemWasiClock } from "./system-clock.ts";

const PROBE = readFileSync(new URL("../probe/probe.wasm", import.meta.url));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Given {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: ByteSource;
  readonly take?: (bytes: Uint8Array) => "taken" | "closed";
  readonly limits?: Partial<ProgramLimits>;
  readonly files?: Partial<FileSystemLimits>;
  readonly directory?: string;
  readonly maxMemoryBytes?: number;
  readonly signal?: AbortSignal;
}

describe.each(["suspend", "spool"] as const)("a program that can %s", (waiting) => {
  async function run(given: Given) {
    const clock = createSystemWasiClock(waiting);
    const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
    const fileSystem = createMemoryFileSystem({ now: clock.realtime, random, limits: given.files ?? {} });
    fileSystem.writeFile("/secret", bytesOf("s"));
    fileSystem.makeDirectory("/box");
    fileSystem.writeFile("/box/file", bytesOf("f"));
    fileSystem.symlink("../secret", "/box/out");
    fileSystem.symlink("/secret", "/box/absolute");
    let stdout = "";
    const outcome = await runProgram(
      await prepareModule(PROBE, {
        maxMemoryBytes: given.maxMemoryBytes ?? defaultModuleRules.maxMemoryBytes,
      }),
      {
        args: ["probe", ...given.args],
        env: given.env ?? {},
        fileSystem,
        preopens: [{ path: "/", directory: given.directory ?? "/" }],
        clock,
        random,
        waiting,
        stdin: given.stdin ?? { read: () => new Uint8Array() },
        stdout: {
          write(bytes) {
            stdout += new TextDecoder().decode(bytes);
            return given.take?.(bytes) ?? "taken";
          },
        },
        stderr: { write: () => "taken" },
        ...(given.limits && { limits: given.limits }),
      },
      given.signal ?? new AbortController().signal,
    );
    expect(fileSystem.usage().open).toBe(0);
    return { outcome, stdout, fileSystem };
  }

  test("[WA1] has arguments, an environment and an exit code", async () => {
    expect((await run({ args: ["exit", "7"] })).outcome).toEqual({ kind: "exited", code: 7 });
    expect((await run({ args: ["env", "A"], env: { A: "ä=b" } })).stdout).toBe("ä=b\n");
    expect((await run({ args: ["list", "/box"] })).stdout).toBe(".\n..\nfile\nout\nabsolute\n");
  });

  test("[WA2] reaches nothing outside what it was given", async () => {
    const tried = [
      "../secret",
      "..",
      "/secret",
      "./../secret",
      "file/../../secret",
      "out",
      "absolute",
      "..\\secret",
      "%2e%2e/secret",
      "..%2fsecret",
      "\u2025/secret",
      "../box/file",
    ];
    for (const path of tried) {
      const { stdout } = await run({ args: ["raw-open", path], directory: "/box" });
      expect(["44\n", "54\n", "76\n"], path).toContain(stdout);
    }
    expect((await run({ args: ["raw-open", "file"], directory: "/box" })).stdout).toBe("0\n");
    for (const path of ["/proc/self/environ", "/etc/passwd", "/../../etc/passwd", "/dev/../proc/1/root"])
      expect((await run({ args: ["raw-open", path] })).stdout, path).toBe("44\n");
  });

  test("[WA4] a module gets no more memory than its ceiling", async () => {
    const { stdout, outcome } = await run({ args: ["alloc"], maxMemoryBytes: 16 * 1024 * 1024 });
    expect(outcome).toEqual({ kind: "exited", code: 0 });
    expect(Number(stdout)).toBeGreaterThan(8);
    expect(Number(stdout)).toBeLessThan(16);
  });

  test("[WA5] bytes pass through as they are, whether or not they come at once", async () => {
    const parts = [
      new Uint8Array([0, 255, 10]),
      bytesOf("日本"),
      new Uint8Array(100_000).fill(7),
      bytesOf("end"),
    ];
    const expected = Buffer.concat(parts);
    const written: Uint8Array[] = [];
    let at = 0;
    const { outcome } = await run({
      args: ["copy"],
      stdin: {
        async read(max) {
          await Promise.resolve();
          const part = expected.subarray(at, at + Math.min(max, 70_001));
          at += part.length;
          return part;
        },
      },
      take(bytes) {
        written.push(bytes);
        return "taken";
      },
    });
    expect(outcome).toEqual({ kind: "exited", code: 0 });
    expect(Buffer.concat(written).equals(expected)).toBe(true);
  });

  test("[WA7] output, files, names and holes have limits, and a trap is an outcome", async () => {
    expect((await run({ args: ["flood"], limits: { outputBytes: 10_000 } })).outcome).toEqual({
      kind: "limit",
      limit: "output",
    });
    const small = { files: { bytes: 1000, files: 20, fileBytes: 500, open: 30 } };
    expect((await run({ args: ["many", "file"], ...small, limits: { descriptors: 1000 } })).stdout).toBe(
      "15 No space left on device\n",
    );
    expect((await run({ args: ["many", "dir"], ...small })).stdout).toBe("15 No space left on device\n");
    expect((await run({ args: ["many", "open"], limits: { descriptors: 10 } })).stdout).toBe(
      "6 No file descriptors available\n",
    );
    expect((await run({ args: ["sparse", "1099511627776"] })).stdout).toBe("File too large\n");
    expect((await run({ args: ["trap"] })).outcome).toEqual({ kind: "trapped", message: "unreachable" });
    expect((await run({ args: ["recurse"] })).outcome.kind).toBe("trapped");
  });
});

describe("a program that can be suspended", () => {
  const setup = async () => {
    const clock = createSystemWasiClock();
    const random = (length: number): Uint8Array => new Uint8Array(length);
    const fileSystem = createMemoryFileSystem({ now: clock.realtime, random });
    const prepared = await prepareModule(PROBE, defaultModuleRules);
    const start = (
      args: readonly string[],
      stdin: ByteSource,
      write: (bytes: Uint8Array) => "taken" | "closed",
      signal: AbortSignal,
    ) =>
      runProgram(
        prepared,
        {
          args: ["probe", ...args],
          env: {},
          fileSystem,
          preopens: [{ path: "/", directory: "/" }],
          clock,
          random,
          stdin,
          stdout: { write },
          stderr: { write: () => "taken" },
        },
        signal,
      );
    return { start, fileSystem };
  };
  const live = new AbortController().signal;
  const nothing: ByteSource = { read: () => new Uint8Array() };

  test("[WA5] two programs run side by side, and one reads what the other writes", async () => {
    const { start } = await setup();
    const queue: Uint8Array[] = [];
    let wake: () => void = () => undefined;
    let read = "";
    const writer = start(["copy"], once("through a pipe"), (bytes) => push(bytes), live);
    const reader = start(
      ["copy"],
      { read: pull },
      (bytes) => ((read += new TextDecoder().decode(bytes)), "taken"),
      live,
    );
    await writer;
    push(new Uint8Array());
    expect(await reader).toEqual({ kind: "exited", code: 0 });
    expect(read).toBe("through a pipe");

    function push(bytes: Uint8Array): "taken" {
      queue.push(bytes);
      wake();
      return "taken";
    }
    async function pull(): Promise<Uint8Array> {
      while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return queue.shift() ?? new Uint8Array();
    }
  });

  test("[WA6] an endless writer ends when nobody reads any more", async () => {
    const { start, fileSystem } = await setup();
    let writes = 0;
    const outcome = await start(["flood"], nothing, () => ((writes += 1) < 3 ? "taken" : "closed"), live);
    expect(outcome).toEqual({ kind: "signalled", signal: "SIGPIPE" });
    expect(writes).toBe(3);
    expect(fileSystem.usage().open).toBe(0);
  });

  test("[WA8] an abort ends a program that sleeps, or waits for input that never comes", async () => {
    const { start, fileSystem } = await setup();
    const never: ByteSource = {
      read: () => new Promise(() => undefined),
      ready: () => new Promise(() => undefined),
    };
    for (const args of [["sleep", "3600"], ["copy"], ["wait", "-1"]]) {
      const stopper = new AbortController();
      const running = start(args, never, () => "taken", stopper.signal);
      stopper.abort();
      expect(await running, args.join(" ")).toEqual({ kind: "stopped" });
      expect(fileSystem.usage().open).toBe(0);
    }
  });

  test("[WA8] a wait for input ends when the time is up", async () => {
    const { start } = await setup();
    const never: ByteSource = {
      read: () => new Promise(() => undefined),
      ready: () => new Promise(() => undefined),
    };
    let said = "";
    await start(["wait", "5"], never, (bytes) => ((said += new TextDecoder().decode(bytes)), "taken"), live);
    expect(said).toBe("0\n");
  });
});

function once(text: string): ByteSource {
  let left = bytesOf(text);
  return {
    read() {
      const all = left;
      left = new Uint8Array();
      return all;
    },
  };
}
