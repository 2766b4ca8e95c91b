import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in its own process, so that its CPU and memory can be separated from its clients'. */
export interface BenchServer extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly child: ChildProcess;
}

export const TOKEN = "bench-token-0123456789";

const root = fileURLToPath(new URL("../..", import.meta.url));
const launcher = fileURLToPath(new URL("../../apps/deputy/bin/deputy.mjs", import.meta.url));

export const startDaemon = (home: string): Promise<BenchServer> =>
  startServer([launcher, "serve", "--json", "--port", "0", "--home", home]);

/** Runs a program that prints `{"url": …}` once it listens. */
export async function startServer(args: readonly string[]): Promise<BenchServer> {
  const env = { ...process.env, DEPUTY_TOKEN: TOKEN };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const dispose = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    return { child, pid: child.pid ?? 0, url, [Symbol.asyncDispose]: dispose };
  }
  throw new Error("The server ended before it was ready");
}
