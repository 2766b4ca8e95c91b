import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Event, World } from "@workflow/world";
import { onTestFinished } from "vitest";
import { type Core, loadCore, type StepFunction } from "./core/load-core.ts";
import { openSqliteWorld, type SqliteWorld, type SqliteWorldOptions } from "./open-sqlite-world.ts";

/** A file for Worlds, an adjustable clock, and the reported bugs. */
export function setUpWorld() {
  const directory = mkdtempSync(join(tmpdir(), "world-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "workflows.db");
  const time = { aheadMs: 0 };
  const bugs: unknown[] = [];
  const open = (options: Partial<SqliteWorldOptions> = {}): SqliteWorld => {
    const world = openSqliteWorld({
      path,
      now: () => Date.now() + time.aheadMs,
      onBug: (error) => void bugs.push(error),
      ...options,
    });
    onTestFinished(() => world.close());
    return world;
  };
  return { path, time, bugs, open };
}

/** The next committed event that matches. */
export function nextEvent({ parts }: SqliteWorld, matches: (event: Event) => boolean): Promise<Event> {
  const { promise, resolve } = Promise.withResolvers<Event>();
  parts.store.watch((event) => {
    if (matches(event)) parts.store.db.afterCommit(() => resolve(event));
  });
  return promise;
}

const ENDS: ReadonlySet<string> = new Set(["run_completed", "run_failed", "run_cancelled"]);

export function runEnd(world: SqliteWorld, runId: string): Promise<Event> {
  return nextEvent(world, (event) => event.runId === runId && ENDS.has(event.eventType));
}

/** The source of a function, as a script for Workflow DevKit's VM. */
export function scriptOf(install: (vm: VmGlobal) => void): string {
  return `(${install.toString()})(globalThis);`;
}

export interface VmGlobal {
  [name: symbol]: unknown;
  __private_workflows?: Map<string, (...args: never[]) => Promise<unknown>>;
}

/** A started World with the test's own workflows. */
export async function attach(
  world: SqliteWorld,
  script: string,
  steps: Readonly<Record<string, StepFunction>>,
): Promise<Core> {
  const core = await loadCore();
  core.attach(world, script, new Map(Object.entries(steps)));
  await world.start();
  return core;
}

/** Starts a workflow as users of Workflow DevKit do. */
export async function startRun(core: Core, world: World, name: string, args: unknown[]): Promise<string> {
  const workflow = Object.assign(async (..._args: unknown[]) => undefined, { workflowId: name });
  const { runId } = await core.use(world, (runtime) => runtime.start(workflow, args));
  return runId;
}

/** Starts one and waits for its result. */
export async function runToEnd(
  core: Core,
  world: SqliteWorld,
  name: string,
  args: unknown[],
): Promise<{ readonly end: Event; readonly output: unknown; readonly runId: string }> {
  const runId = await startRun(core, world, name, args);
  const end = await runEnd(world, runId);
  const run = await world.runs.get(runId);
  const output = run.status === "completed" ? await core.decodeResult(run.output, runId) : undefined;
  return { end, output, runId };
}

export function countRows(world: SqliteWorld, table: string): number {
  return Number(world.parts.store.db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
}
