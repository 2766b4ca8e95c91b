import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcessTree } from "../process-stats.ts";
import { reportRatio } from "../report.ts";
import { type BenchServer, startDaemon, startServer } from "./server.ts";
import { openSseClients } from "./sse-clients.ts";
import { startTalkingTask } from "./talking-task.ts";
import { sized } from "../sized.ts";

const CLIENTS = sized(1_000, 10);
const EVENTS = sized(100, 5);
const EVERY_MS = 40;
const ROUNDS = sized(3, 1);
const MOST_OF_RAW = 1.3;
const TEXT = "Copied another file to the other side, as asked";
const raw = fileURLToPath(new URL("./raw-sse-server.ts", import.meta.url));

/** CPU of the server per event and subscriber, compared with a bare server that writes the same bytes. */
export async function benchSse(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "bench-sse-"));
  try {
    await using daemon = await startDaemon(home);
    await using bare = await startServer([raw]);
    const rounds: { ours: number; raw: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ ours: await microsOfDaemon(daemon), raw: await microsOfRaw(bare) });
    reportRatio(`sse  CPU per delivery, ${CLIENTS} subscribers`, "µs", rounds, MOST_OF_RAW);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function microsOfDaemon(daemon: BenchServer): Promise<number> {
  await using task = await startTalkingTask(daemon, { events: EVENTS, everyMs: EVERY_MS, text: TEXT });
  await task.waiting;
  return await microsPerDelivery(daemon, task.eventsPath, async () => task.begin());
}

async function microsOfRaw(bare: BenchServer): Promise<number> {
  const frame = `id: 1234\ndata: ${JSON.stringify({ type: "status", message: `bench.talk: ${TEXT} ${Date.now()}` })}\n\n`;
  return await microsPerDelivery(bare, "/events", async () => {
    const talk = new URL(`/talk?events=${EVENTS}&everyMs=${EVERY_MS}`, bare.url);
    await fetch(talk, { method: "POST", body: frame });
  });
}

async function microsPerDelivery(
  server: BenchServer,
  path: string,
  begin: () => Promise<void>,
): Promise<number> {
  const clients = await openSseClients(server.url, path, { clients: CLIENTS, mark: TEXT });
  const before = readProcessTree(server.pid).cpuSeconds;
  await begin();
  await clients.told(EVENTS);
  const spent = readProcessTree(server.pid).cpuSeconds - before;
  clients.close();
  return (spent / (CLIENTS * EVENTS)) * 1e6;
}
