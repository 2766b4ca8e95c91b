import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Daemon, runDeputy, startDaemon } from "../e2e/run-deputy.ts";
import { fillDeliveries, fillHome } from "./growth/fill-home.ts";
import { readProcessTree } from "./process-stats.ts";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const SIZES = sized([1_000, 20_000, 200_000], [100, 200]);
const DELIVERIES = sized(60_000, 100);

/** How much more than with 1,000 events everything may take. */
const MOST_GROWTH = 1.5;
const MOST_HEALTH_MS = 250;
const EVENT_TASK_SECONDS = 0.5;
const RESTART_SECONDS = 1.6;

/**
 * What a home's history costs: start, memory and reading the end of the log, at three lengths; an event task
 * beside many deliveries; and how much CPU time passes before a request is answered. Shows older figures,
 * from before views had snapshots, beside them.
 */
export async function benchGrowth(): Promise<void> {
  const health = { worstMs: 0 };
  let base: Start & { readonly show: number } = { cpu: 0, rssMb: 0, show: 0 };
  for (const events of SIZES) {
    using home = scratchHome();
    await fillHome(home.path, events);
    const first = await measureStart(home.path, health);
    const again = await measureStart(home.path, health);
    const show = await measureShow(home.path);
    if (events === SIZES[0]) base = { ...again, show };
    const what = `growth  ${events / 1_000}k events`;
    console.log(`${`${what}: first start, no snapshots yet`.padEnd(48)} ${first.cpu.toFixed(2)} s CPU`);
    reportLimit(`${what}: start, CPU until idle`, again.cpu, "s", base.cpu * MOST_GROWTH);
    reportLimit(`${what}: RSS then`, again.rssMb, "MB", base.rssMb * MOST_GROWTH);
    reportLimit(`${what}: audit show --limit 5, CPU (was 0.4 → 3.7)`, show, "s", base.show * MOST_GROWTH);
  }
  await measureEventTasks(health);
  reportLimit("growth  longest wait for /health meanwhile, CPU", health.worstMs, "ms", MOST_HEALTH_MS);
}

const HOOKS_WITHOUT_REPORTS = ["empty", "silent"] as const;

async function measureEventTasks(health: Health): Promise<void> {
  using home = scratchHome();
  await fillDeliveries(home.path, "builds", DELIVERIES);
  for (const name of HOOKS_WITHOUT_REPORTS) {
    const { code, stderr } = await runDeputy(["hooks", "add", name, "--scheme", "none", "--home", home.path]);
    if (code !== 0) throw new Error(`The hook was not added: ${stderr}`);
  }
  const what = `growth  ${DELIVERIES / 1_000}k deliveries`;
  {
    await using daemon = await startDaemon(home.path);
    await using _watched = watchHealth(daemon, health);
    await untilIdle(daemon);
    const before = cpuOf(daemon);
    for (const hook of HOOKS_WITHOUT_REPORTS) {
      const created = await daemon.post("/api/tasks", { prompt: "Tell me", kind: "event", hook });
      if (created.status !== 201) throw new Error(`The task was not created: ${await created.text()}`);
    }
    await untilIdle(daemon);
    reportLimit(
      `${what}: two event tasks, CPU (was 6.4 each)`,
      cpuOf(daemon) - before,
      "s",
      EVENT_TASK_SECONDS,
    );
  }
  const { cpu } = await measureStart(home.path, health);
  reportLimit(`${what}: restart with them, CPU (was 9.6)`, cpu, "s", RESTART_SECONDS);
}

interface Start {
  readonly cpu: number;
  readonly rssMb: number;
}

async function measureStart(home: string, health: Health): Promise<Start> {
  const daemon = await startDaemon(home);
  {
    await using _watched = watchHealth(daemon, health);
    await untilIdle(daemon);
  }
  const start = { cpu: cpuOf(daemon), rssMb: readProcessTree(daemon.child.pid ?? 0).rssBytes / 1e6 };
  await daemon.end("SIGTERM");
  return start;
}

async function measureShow(home: string): Promise<number> {
  const before = readProcessTree(process.pid).cpuSeconds;
  const own = process.cpuUsage();
  const { code } = await runDeputy(["audit", "show", "--limit", "5", "--home", home]);
  if (code !== 0) throw new Error("audit show failed");
  const { user, system } = process.cpuUsage(own);
  return readProcessTree(process.pid).cpuSeconds - before - (user + system) / 1e6;
}

interface Health {
  worstMs: number;
}

/** Requests /health all the time, and keeps the most CPU time that the daemon took before an answer. */
function watchHealth(daemon: Daemon, health: Health): AsyncDisposable {
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const before = cpuOf(daemon);
      await daemon.fetch("/health");
      health.worstMs = Math.max(health.worstMs, (cpuOf(daemon) - before) * 1_000);
      await sleep(10);
    }
  };
  const watching = watch();
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await watching;
    },
  };
}

function cpuOf(daemon: Daemon): number {
  return readProcessTree(daemon.child.pid ?? 0).cpuSeconds;
}

/** The daemon is almost idle, apart from answering us. */
async function untilIdle(daemon: Daemon): Promise<void> {
  for (let before = -1; ;) {
    const now = cpuOf(daemon);
    if (now - before < 0.06) return;
    before = now;
    await sleep(400);
  }
}

function scratchHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "bench-growth-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
