import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { BUNDLE, ROOT, SHORT_LIVED } from "./repository.ts";
import { needsOwnProcess, runWarm } from "./warm-commands.ts";

export const SOURCE_LAUNCHER = join(ROOT, "apps/deputy/bin/deputy.mjs");
/** What tests start: the program as users install it. Benchmarks start the sources. */
export const LAUNCHER = BUNDLE === undefined ? SOURCE_LAUNCHER : join(BUNDLE, "bin/deputy.mjs");
export const PLUGIN = join(ROOT, "examples/issues-plugin.ts");
export const CELL = join(ROOT, "examples/cells/close-old-issues.cell.ts");

/** A scratch directory that is gone when the test is. */
export function scratchDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "deputy-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * A home whose tools are found by words alone, as a user can choose: no model is loaded for the search, which takes more
 * than the rest of a short turn. For tests that are not about what a search finds.
 */
export function homeWithoutEmbedder(): Disposable & { readonly path: string } {
  const home = scratchDirectory();
  const config = { tools: { search: { embeddingModel: "none" } }, memory: { embeddingModel: "none" } };
  writeFileSync(join(home.path, "config.json"), JSON.stringify(config));
  return home;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DeputyOptions {
  /** An open file for stdout and stderr; absent: pipes. */
  readonly outputs?: number;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly from?: DeputyOrigin;
  /** `own` where the process is what is tested: how it starts, what it leaves, when it ends. */
  readonly process?: "own";
}

/**
 * What the launcher starts a daemon anew with, unless it has it already: given at once, Node starts one time less.
 * Daemons from the sources go the whole way.
 */
const OF_A_DAEMON = ["--max-semi-space-size=2", "--heap-growing-percent=30"];
const MALLOC_OF_A_DAEMON = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** `sources` where a test is about them; the packed program otherwise, which a benchmark makes itself. */
export type DeputyOrigin = "bundle" | "sources" | { readonly bundle: string };

/** Starts the real program, as a shell would, with nothing of this process's own settings. */
export function startDeputy(args: readonly string[], options: DeputyOptions = {}): ChildProcess {
  const { PATH = "", HOME = "" } = process.env;
  const from = options.from ?? "bundle";
  const isDaemon = args[0] === "serve" && from === "bundle";
  const flags = isDaemon ? [...SHORT_LIVED, ...OF_A_DAEMON] : [];
  return spawn(process.execPath, [...flags, launcherOf(from), ...args], {
    env: { PATH, HOME, ...(isDaemon ? MALLOC_OF_A_DAEMON : {}), ...options.env },
    cwd: options.cwd ?? tmpdir(),
    stdio: [
      options.input === undefined ? "ignore" : "pipe",
      options.outputs ?? "pipe",
      options.outputs ?? "pipe",
    ],
  });
}

function launcherOf(from: DeputyOrigin): string {
  if (from === "sources") return SOURCE_LAUNCHER;
  return from === "bundle" ? LAUNCHER : join(from.bundle, "bin/deputy.mjs");
}

/**
 * Runs a command to its end. Unless it has a process of its own, or needs one, it runs in one that has run commands
 * before: what is tested is the command, and not how Node starts.
 */
export async function runDeputy(args: readonly string[], options: DeputyOptions = {}): Promise<Finished> {
  const { input, env, cwd = tmpdir(), from = "bundle", outputs } = options;
  const isOwn = options.process === "own" || from !== "bundle" || outputs !== undefined;
  if (!isOwn && !needsOwnProcess(env)) {
    const { PATH = "", HOME = "" } = process.env;
    return await runWarm({ args, input, env: { PATH, HOME, ...env }, cwd, launcher: LAUNCHER });
  }
  return await finish(startDeputy(args, options), options.input);
}

export async function finish(child: ChildProcess, input?: string): Promise<Finished> {
  child.stdin?.end(input);
  return await collectOutput(child);
}

/** Resolves once the child has written `wanted` to stdout; rejects when stdout ends without it. */
export async function waitForOutput(child: ChildProcess, wanted: string): Promise<void> {
  const { stdout } = child;
  if (stdout === null) throw new Error("The child has no stdout");
  await new Promise<void>((resolve, reject) => {
    let seen = "";
    stdout.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
      if (seen.includes(wanted)) resolve();
    });
    stdout.on("end", () => reject(new Error(`“${wanted}” never came:\n${seen}`)));
  });
}

/** What the child has written once it has ended; its input stays as it is. */
export async function collectOutput(child: ChildProcess): Promise<Finished> {
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const read = async (stream: Readable | null): Promise<string> =>
    stream === null || stream.destroyed ? "" : await text(stream);
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  return { code: await exited, stdout, stderr };
}

export interface Client {
  /** A request with the token of these tests. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

export interface Daemon extends AsyncDisposable, Client {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has written to stderr so far. */
  readonly told: () => string;
  /** Ends it and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export const TOKEN = "test-token-0123456789";

export function createClient(url: string): Client {
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${TOKEN}`);
    return fetch(new URL(path, url), { ...init, headers });
  };
  return {
    fetch: request,
    post: (path, body) =>
      request(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

/** Starts `deputy serve` on a free port and waits until it is ready. */
export async function startDaemon(
  home: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = { DEPUTY_TOKEN: TOKEN },
  from: DeputyOrigin = "bundle",
): Promise<Daemon> {
  const child = startDeputy(["serve", "--json", "--port", "0", "--home", home, ...args], { env, from });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let told = "";
  child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
  if (child.stdout === null) throw new Error("The daemon has no stdout");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = await lines.next();
  if (ready.done === true)
    throw new Error(`The daemon ended before it was ready (exit code ${await exited}):\n${told}`);
  const { url } = JSON.parse(ready.value) as { url?: string };
  if (url === undefined)
    throw new Error(`The daemon did not start (exit code ${await exited}): ${ready.value}`);
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    url,
    child,
    told: () => told,
    ...createClient(url),
    end,
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  };
}

/** Every line of a `--json` command. */
export function jsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
