import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcessTree } from "../process-stats.ts";
import { reportLimit } from "../report.ts";
import { type BenchServer, startDaemon } from "./server.ts";
import { openStream } from "./sse-clients.ts";
import { startTalkingTask } from "./talking-task.ts";
import { sized } from "../sized.ts";

const READERS = sized(1_000, 100);
const EVENTS = sized(60, 20);
const EVERY_MS = sized(100, 5);
/** Six megabytes in all, where Linux takes a little over four for a connection that nobody reads. */
const TEXT = "x".repeat(100_000);
/** The events that come when every such connection is full. */
const LAST = 15;
const MOST_KB_PER_READER = 256;
const MOST_LATENCY_MS = 250;

/** What stalled readers cost the daemon and the other readers. */
export async function benchStalledReaders(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "bench-stalled-"));
  try {
    await using daemon = await startDaemon(home);
    const alone = await tell(daemon, 0);
    const beside = await tell(daemon, READERS);
    const grownKb = (beside.rssBytes - alone.rssBytes) / 1_000;
    reportLimit(
      `stalled  memory of ${READERS} readers, in all`,
      grownKb / 1_000,
      "MB",
      (READERS * MOST_KB_PER_READER) / 1_000,
    );
    reportLimit("stalled  memory per reader", grownKb / READERS, "kB", MOST_KB_PER_READER);
    reportLimit("stalled  until another reader hears, without", alone.latencyMs, "ms", MOST_LATENCY_MS);
    reportLimit("stalled  until another reader hears, with", beside.latencyMs, "ms", MOST_LATENCY_MS);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** One reader of a talking task beside many stalled ones: its median latency and the daemon's memory at the end. */
async function tell(
  daemon: BenchServer,
  stalled: number,
): Promise<{ readonly latencyMs: number; readonly rssBytes: number }> {
  await using task = await startTalkingTask(daemon, { events: EVENTS, everyMs: EVERY_MS, text: TEXT });
  await task.waiting;
  const stuck = [];
  // `openStream` reads nothing: a socket that nobody listens to is not drained.
  for (let opened = 0; opened < stalled; opened += 100)
    stuck.push(
      ...(await Promise.all(Array.from({ length: 100 }, () => openStream(daemon.url, task.eventsPath)))),
    );
  const reader = await openStream(daemon.url, task.eventsPath);
  const latencies: number[] = [];
  const all = new Promise<void>((resolve) => {
    let rest = "";
    reader.on("data", (chunk: Buffer) => {
      const frames = (rest + chunk.toString("latin1")).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const saidAt = /x (\d{13})"/.exec(frame)?.[1];
        if (saidAt !== undefined) latencies.push(Date.now() - Number(saidAt));
      }
      if (latencies.length === EVENTS) resolve();
    });
  });
  task.begin();
  await all;
  const { rssBytes } = readProcessTree(daemon.pid);
  for (const socket of [...stuck, reader]) socket.destroy();
  const last = latencies.slice(-LAST).toSorted((a, b) => a - b);
  return { latencyMs: last[Math.floor(LAST / 2)] ?? Number.NaN, rssBytes };
}
