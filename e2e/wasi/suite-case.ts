import { createMemoryBase, createMemoryFileSystem } from "@deputy/vfs";
import { createSystemWasiClock, defaultModuleRules, prepareModule, runProgram } from "@deputy/wasi";

/** One program of the WASI test suite, with what it is given and what it must do. */
export interface SuiteCase {
  readonly name: string;
  readonly module: Uint8Array;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it is given as `/`; `undefined` if it is given none. */
  readonly files: ReadonlyMap<string, Uint8Array> | undefined;
  readonly exitCode: number;
  readonly stdout: string | undefined;
}

/** What is wrong; `undefined` if nothing is. */
export async function runSuiteCase(
  test: SuiteCase,
  waiting: "suspend" | "spool" = "suspend",
): Promise<string | undefined> {
  const clock = createSystemWasiClock(waiting);
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const mounts = test.files === undefined ? [] : [{ at: "/suite", base: createMemoryBase(test.files) }];
  const fileSystem = createMemoryFileSystem({ now: clock.realtime, random, mounts });
  const written = { stdout: "", stderr: "" };
  const sink = (to: keyof typeof written) => ({
    write(bytes: Uint8Array) {
      written[to] += new TextDecoder().decode(bytes);
      return "taken" as const;
    },
  });
  const outcome = await runProgram(
    await prepareModule(test.module, defaultModuleRules),
    {
      args: [test.name, ...test.args],
      env: test.env,
      fileSystem,
      preopens: test.files === undefined ? [] : [{ path: "/", directory: "/suite" }],
      clock,
      random,
      waiting,
      stdin: { read: () => new Uint8Array() },
      stdout: sink("stdout"),
      stderr: sink("stderr"),
    },
    AbortSignal.timeout(60_000),
  );
  if (outcome.kind !== "exited" || outcome.code !== test.exitCode)
    return `${JSON.stringify(outcome)}, not ${test.exitCode}; ${written.stderr.trim()}`;
  if (test.stdout !== undefined && written.stdout !== test.stdout)
    return `wrote ${JSON.stringify(written.stdout)}, not ${JSON.stringify(test.stdout)}`;
  if (fileSystem.usage().open !== 0) return "left files open";
  return undefined;
}
