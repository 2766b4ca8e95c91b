import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon } from "../../e2e/run-deputy.ts";

/** How much CPU time the daemon's main thread has used, in milliseconds, as Linux counts it. */
function mainThreadMs(pid: number): number {
  const [ns = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(ns) / 1e6;
}

export interface Watched {
  /** The most CPU time that the main thread used between a request to `/health` and its answer. */
  readonly blockedMs: number;
  /** Of the main thread, for all of it. */
  readonly cpuMs: number;
}

const EVERY_MS = 5;

/** Does some work, and asks for `/health` all the while. */
export async function watchHealth(daemon: Daemon, work: () => Promise<void>): Promise<Watched> {
  const pid = daemon.child.pid ?? 0;
  const done = new AbortController();
  let blockedMs = 0;
  const startMs = mainThreadMs(pid);
  const watching = (async () => {
    while (!done.signal.aborted) {
      const beforeMs = mainThreadMs(pid);
      await (await fetch(new URL("/health", daemon.url))).arrayBuffer();
      blockedMs = Math.max(blockedMs, mainThreadMs(pid) - beforeMs);
      await sleep(EVERY_MS);
    }
  })();
  try {
    await work();
  } finally {
    done.abort();
    await watching;
  }
  return { blockedMs, cpuMs: mainThreadMs(pid) - startMs };
}
