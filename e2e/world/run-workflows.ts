import { dirname, join } from "node:path";
import { openSqliteWorld } from "@deputy/world";
import { type Core, loadCore, type StepFunction, type World } from "@deputy/world/core";
import { FUZZ_SCRIPT } from "./fuzz-workflow.ts";
import { openLocalWorld } from "./local-world.ts";
import { pause, type Results, type Setting, untilDrained } from "./setting.ts";

/** How long the published World is waited for; it loses runs, which then never end. */
const GIVE_UP_MS = 30_000;

/** The test's own workflow in our World, or in the one that Workflow DevKit brings. */
export async function runWorkflows(mode: string, setting: Setting): Promise<Results> {
  const { path, count, outside, failpoint, onBug } = setting;
  const core = await loadCore();
  const effect: StepFunction = Object.assign(
    async (name: string): Promise<string> => {
      await outside.act(name);
      return name;
    },
    { maxRetries: 1_000 },
  );
  const attach = (world: World) => core.attach(world, FUZZ_SCRIPT, new Map([["effect", effect]]));
  const ours = mode === "local" ? undefined : openSqliteWorld({ path, now: Date.now, failpoint, onBug });
  if (ours !== undefined) attach(ours);
  const world: World = ours ?? (await openLocalWorld(join(dirname(path), "local"), attach));
  await ours?.start();

  const runs = await startMissing(core, world, count);
  const giveUp = ours === undefined ? Date.now() + GIVE_UP_MS : Number.POSITIVE_INFINITY;
  while (!(await allEnded(world, runs)) && Date.now() < giveUp) {
    await answerAll(core, world, runs);
    await pause(10);
  }
  if (ours !== undefined) await untilDrained(ours);
  const results: [string, unknown][] = [];
  for (const [tag, id] of runs) {
    const run = await world.runs.get(id);
    const output = run.status === "completed" ? await core.decodeResult(run.output, id) : run.status;
    results.push([tag, output]);
  }
  return Object.fromEntries(results);
}

/** A run by the tag it was started with. */
async function startMissing(core: Core, world: World, count: number): Promise<ReadonlyMap<string, string>> {
  const runs = new Map<string, string>();
  const { data } = await world.runs.list({ workflowName: "fuzz", pagination: { limit: 1_000 } });
  for (const { runId, input } of data) {
    const [tag] = (await core.decodeResult(input, runId)) as [string];
    runs.set(tag, runId);
  }
  const workflow = Object.assign(async (_tag: string) => undefined, { workflowId: "fuzz" });
  for (let n = 0; n < count; n++) {
    if (runs.has(`w${n}`)) continue;
    const { runId } = await core.use(world, (runtime) => runtime.start(workflow, [`w${n}`]));
    runs.set(`w${n}`, runId);
  }
  return runs;
}

async function allEnded(world: World, runs: ReadonlyMap<string, string>): Promise<boolean> {
  for (const id of runs.values()) {
    const { status } = await world.runs.get(id, { resolveData: "none" });
    if (status === "pending" || status === "running") return false;
  }
  return true;
}

async function answerAll(core: Core, world: World, runs: ReadonlyMap<string, string>): Promise<void> {
  for (const tag of runs.keys()) {
    try {
      await core.use(world, (runtime) => runtime.resumeHook(`fuzz:${tag}`, { value: "answered" }));
    } catch {
      // It does not wait for an answer yet, or no longer.
    }
  }
}
