import { spawnSync } from "node:child_process";
import { type Client, createClient, type Daemon, startDaemon, TOKEN } from "../run-deputy.ts";

/** On a busy machine, much longer than it ever takes. */
const HEALTH_MS = 30_000;
const EVERY_MS = 50;

/** Daemons of one home, one after the other. While one lives, it is asked again and again how it is. */
export interface Lives extends AsyncDisposable {
  /** Of the life there is. */
  readonly client: Client;
  readonly url: () => string;
  readonly isUp: () => boolean;
  /** Rejects when the daemon ends before it is ready. */
  start(): Promise<void>;
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** What all of them have written to stderr. */
  told(): string;
  readonly faults: string[];
  /** How often they were ended. */
  readonly kills: () => number;
  readonly slowestHealthMs: () => number;
}

/** Where the kernel can be asked to end a process with its parent. */
const CAN_DIE_TOGETHER = process.env["DEPUTY_CI"] === "1" || spawnSync("setpriv", ["--version"]).status === 0;
const GONE_MS = 60_000;

function childrenOf({ child }: Daemon): ReadonlyMap<number, string> {
  const { stdout } = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(child.pid)], {
    encoding: "utf8",
  });
  return new Map(
    stdout.split("\n").flatMap((line) => {
      const [, pid, args = ""] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), args] as const];
    }),
  );
}

async function whoStays(children: ReadonlyMap<number, string>): Promise<readonly string[]> {
  const isThere = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const deadline = performance.now() + GONE_MS;
  for (;;) {
    const left = [...children].filter(([pid]) => isThere(pid));
    if (left.length === 0 || performance.now() > deadline) return left.map(([, args]) => args);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function createLives(options: {
  readonly home: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): Lives {
  const faults: string[] = [];
  let isLost = false;
  let daemon: Daemon | undefined;
  let watching: Promise<void> | undefined;
  let earlier = "";
  let kills = 0;
  let slowest = 0;

  const isPresent = (one: Daemon): boolean => daemon === one && !isLost;
  const watch = async (one: Daemon): Promise<void> => {
    while (isPresent(one)) {
      const began = performance.now();
      try {
        const response = await fetch(new URL("/health", one.url), { signal: AbortSignal.timeout(HEALTH_MS) });
        await response.arrayBuffer();
        if (response.status !== 200) faults.push(`/health answered ${response.status}`);
        slowest = Math.max(slowest, performance.now() - began);
      } catch (error) {
        if (isPresent(one)) faults.push(`/health did not answer: ${String(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  const present = (): Daemon => {
    if (daemon === undefined) throw new Error("Nobody lives here");
    return daemon;
  };
  const end: Lives["end"] = async (signal) => {
    const one = present();
    daemon = undefined;
    kills += 1;
    const children = CAN_DIE_TOGETHER ? childrenOf(one) : new Map<number, string>();
    const code = await one.end(signal);
    await watching;
    if (CAN_DIE_TOGETHER)
      faults.push(...(await whoStays(children)).map((who) => `${signal} left ${who} behind`));
    earlier += one.told();
    // Another code would mean that the deadline has ended it.
    if (signal === "SIGTERM" && code !== 0) faults.push(`SIGTERM ended it with exit code ${code}`);
  };

  return {
    client: {
      fetch: (path, init) => createClient(present().url).fetch(path, init),
      post: (path, body) => createClient(present().url).post(path, body),
    },
    url: () => present().url,
    isUp: () => daemon !== undefined && !isLost,
    async start() {
      const one = await startDaemon(options.home, options.args, { DEPUTY_TOKEN: TOKEN, ...options.env });
      one.child.once("exit", (code, signal) => {
        if (daemon !== one) return;
        isLost = true;
        faults.push(`the daemon ended by itself (${code ?? signal}): ${one.told()}`);
      });
      daemon = one;
      watching = watch(one);
    },
    end,
    told: () => earlier + (daemon?.told() ?? ""),
    faults,
    kills: () => kills,
    slowestHealthMs: () => Math.round(slowest),
    async [Symbol.asyncDispose]() {
      if (daemon !== undefined) await end("SIGKILL");
    },
  };
}
