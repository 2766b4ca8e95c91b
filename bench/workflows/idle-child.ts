import { openSqliteWorld, openWorkflows } from "@deputy/world";

// Opens the workflows in a file, waits, and prints the cost: memory at rest, and CPU while idle.
const [path = "", secondsText = ""] = process.argv.slice(2);
const onBug = (error: unknown): never => {
  throw error;
};
const world = openSqliteWorld({ path, now: Date.now, onBug });
const signal = new AbortController().signal;
const advance = async () => ({ kind: "ended", outcome: "succeeded", stop: true }) as const;
await openWorkflows({ world, advance, onBug, signal });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
await pause(1_000);
globalThis.gc?.();
const before = process.cpuUsage();
await pause(Number(secondsText) * 1_000);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ rssBytes: process.memoryUsage().rss, cpuMs: (user + system) / 1_000 }));
process.exit(0);
