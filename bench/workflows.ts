import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Core, World } from "@deputy/world/core";
import { openLocalWorld } from "../e2e/world/local-world.ts";
import { median, reportLimit, reportPeer } from "./report.ts";
import { addRuns, BENCH_SCRIPT, openBenchWorld, start } from "./workflows/bench-world.ts";
import { sized } from "./sized.ts";

const ROUNDS = sized(5, 1);
const RUNS = sized(8, 2);
const STEPS = sized(10, 2);
const WAITING = sized(10_000, 20);
const FINISHED = sized(5_000, 20);
const SLEEPERS = sized(60, 3);
const SLEEP_MS = sized({ least: 2_000, spread: 9_000 }, { least: 100, spread: 100 });
const IDLE_SECONDS = sized(5, 1);

/** The cost of a step and of waiting, and how late a waiting run is woken. */
export async function benchWorkflows(): Promise<void> {
  await benchSteps();
  await benchHistory();
  await benchWaiting();
}

async function benchSteps(): Promise<void> {
  const { core, world, close } = await openBenchWorld();
  const directory = mkdtempSync(join(tmpdir(), "bench-local-"));
  const local = await openLocalWorld(directory, (target) =>
    core.attach(target, BENCH_SCRIPT, new Map([["step", async (n: number) => n]])),
  );
  await cpuPerStep(core, world);
  await cpuPerStep(core, local);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await cpuPerStep(core, world));
    theirs.push(await cpuPerStep(core, local));
  }
  reportLimit("workflows: a step's overhead, CPU", median(ours), "ms", 12);
  reportPeer("workflows: a step's overhead, CPU", "ms", ours, { name: "world-local", rounds: theirs });
  await close();
  await local.close?.();
  rmSync(directory, { recursive: true, force: true });
}

async function benchHistory(): Promise<void> {
  const [empty, full] = [await openBenchWorld(), await openBenchWorld()];
  addRuns(full.world, "finished", FINISHED);
  for (const { core, world } of [empty, full]) await cpuPerStep(core, world);
  const [before, after]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    before.push(await cpuPerStep(empty.core, empty.world));
    after.push(await cpuPerStep(full.core, full.world));
  }
  reportPeer(`workflows: a step beside ${FINISHED} finished runs`, "ms", after, {
    name: "beside none",
    rounds: before,
  });
  await empty.close();
  await full.close();
}

async function benchWaiting(): Promise<void> {
  const late: number[] = [];
  const due = new Map<string, number>();
  const { core, world, path, close } = await openBenchWorld(({ parts }) => {
    const at = due.get(parts.scope.current?.run ?? "");
    if (at !== undefined) late.push(Date.now() - at);
  });
  world.parts.store.watch((event) => {
    if (event.eventType === "wait_created") due.set(event.runId, event.eventData.resumeAt.getTime());
  });
  const empty = await openBenchWorld();
  const nothing = idle(empty.path, 1);
  await empty.close();
  addRuns(world, "waiting", WAITING);
  const bare: number[] = [];
  for (let n = 0; n < SLEEPERS; n++) {
    const sleepMs = SLEEP_MS.least + ((n * 977) % SLEEP_MS.spread);
    await start(core, world, "sleeper", sleepMs);
    const at = Date.now() + sleepMs;
    setTimeout(() => bare.push(Date.now() - at), sleepMs);
  }
  while (late.length < SLEEPERS || bare.length < SLEEPERS)
    await new Promise((resolve) => setTimeout(resolve, 50));
  reportLimit("workflows: woken late, p99", p99(late), "ms", 100);
  reportPeer("workflows: woken late, p99", "ms", [p99(late)], { name: "a bare timer", rounds: [p99(bare)] });
  while (world.parts.store.db.sql("SELECT 1 FROM queue").get() !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const waiting = idle(path, IDLE_SECONDS);
  reportLimit(
    `workflows: memory of one of ${WAITING} that wait`,
    Math.max(0, waiting.rssBytes - nothing.rssBytes) / WAITING / 1_024,
    "KB",
    4,
  );
  reportLimit(`workflows: idle CPU with ${WAITING} that wait`, waiting.cpuMs / IDLE_SECONDS, "ms/s", 5);
  await close();
}

function idle(path: string, seconds: number): { readonly rssBytes: number; readonly cpuMs: number } {
  const child = fileURLToPath(new URL("workflows/idle-child.ts", import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", child, path, String(seconds)], { encoding: "utf8" }),
  );
}

/** CPU of this process, for each step of some workflows that do nothing else. */
async function cpuPerStep(core: Core, world: World): Promise<number> {
  const before = process.cpuUsage();
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n++) ids.push(await start(core, world, "steps", STEPS));
  for (const id of ids)
    for (;;) {
      const { status } = await world.runs.get(id, { resolveData: "none" });
      if (status === "completed") break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (RUNS * STEPS);
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
