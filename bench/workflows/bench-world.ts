import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteWorld, type SqliteWorld } from "@deputy/world";
import { type Core, loadCore, type World } from "@deputy/world/core";

interface VmGlobal {
  [name: symbol]: unknown;
  __private_workflows?: Map<string, (n: number) => Promise<unknown>>;
}

/** Runs in Workflow DevKit's VM, from its source. */
function installBench(vm: VmGlobal): void {
  const use = vm[Symbol.for("WORKFLOW_USE_STEP")] as (name: string) => (n: number) => Promise<number>;
  const sleep = vm[Symbol.for("WORKFLOW_SLEEP")] as (ms: number) => Promise<void>;
  const step = use("step");
  vm.__private_workflows = new Map<string, (n: number) => Promise<unknown>>([
    [
      "steps",
      async (count) => {
        for (let n = 0; n < count; n++) await step(n);
      },
    ],
    [
      "sleeper",
      async (ms) => {
        await sleep(ms);
        await step(ms);
      },
    ],
  ]);
}

export const BENCH_SCRIPT = `(${installBench.toString()})(globalThis);`;

export const fail = (error: unknown): never => {
  throw error;
};

/** Our World in a separate file, which keeps everything; `onStep` is called for every step. */
export async function openBenchWorld(onStep: (world: SqliteWorld) => void = () => {}) {
  const directory = mkdtempSync(join(tmpdir(), "bench-world-"));
  const path = join(directory, "workflows.db");
  const retention = { runs: 1_000_000, days: 7 };
  const world = openSqliteWorld({ path, now: Date.now, retention, onBug: fail });
  const core = await loadCore();
  core.attach(world, BENCH_SCRIPT, new Map([["step", async (n: number) => (onStep(world), n)]]));
  await world.start();
  const close = async (): Promise<void> => {
    await world.close();
    rmSync(directory, { recursive: true });
  };
  return { core, world, path, close };
}

export async function start(core: Core, world: World, name: string, n: number): Promise<string> {
  const workflow = Object.assign(async (_n: number) => undefined, { workflowId: name });
  return (await core.use(world, (runtime) => runtime.start(workflow, [n]))).runId;
}

/** Rows as runs leave them: `waiting` for an answer to a hook or the end of a long sleep, or `finished`. */
export function addRuns({ parts }: SqliteWorld, state: "waiting" | "finished", count: number): void {
  const { store, createEvent } = parts;
  const value = new TextEncoder().encode(
    'devl[{"taskId":1,"firingId":2},"tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV","once"]',
  );
  const addOne = (n: number): void => {
    const runId = store.newId("wrun");
    createEvent(runId, {
      eventType: "run_created",
      eventData: { deploymentId: "embedded", workflowName: "steps", input: value },
    });
    createEvent(runId, { eventType: "run_started" });
    const correlationId = `step_${runId}`;
    createEvent(runId, {
      eventType: "step_created",
      correlationId,
      eventData: { stepName: "step", input: value },
    });
    createEvent(runId, { eventType: "step_started", correlationId });
    createEvent(runId, { eventType: "step_completed", correlationId, eventData: { result: value } });
    if (state === "finished") {
      createEvent(runId, { eventType: "run_completed", eventData: { output: value } });
      return;
    }
    createEvent(runId, {
      eventType: "hook_created",
      correlationId: `hook_${runId}`,
      eventData: { token: runId },
    });
    const resumeAt = new Date(Date.now() + (30 + (n % 300)) * 86_400_000);
    createEvent(runId, {
      eventType: "wait_created",
      correlationId: `wait_${runId}`,
      eventData: { resumeAt },
    });
  };
  for (let n = 0; n < count; n += 500)
    store.db.write("bench", "relaxed", () => {
      for (let k = n; k < Math.min(n + 500, count); k++) addOne(k);
      // The wake-ups of these runs were handled.
      store.db.sql("DELETE FROM queue").run();
    });
}
