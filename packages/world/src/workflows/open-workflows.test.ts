import { expect, onTestFinished, test, vi } from "vitest";
import type { SqliteWorld } from "../open-sqlite-world.ts";
import { DeliveryStopped } from "../queue/delivery.ts";
import type { Advanced, AdvanceInput } from "../templates/templates.ts";
import { countRows, nextEvent, setUpWorld } from "../world.fixture.ts";
import type { Advance } from "./advance-step.ts";
import { openWorkflows, type Workflows, type WorkflowsOptions } from "./open-workflows.ts";

const succeeded: Advanced = { kind: "ended", outcome: "succeeded", stop: false };
const stopped: Advanced = { kind: "ended", outcome: "succeeded", stop: true };

/** Workflows in which the test answers every call of `advance`, with `answer` or by hand. */
function setup() {
  const home = setUpWorld();
  const calls: AdvanceInput[] = [];
  const bugs = home.bugs;
  let latest: SqliteWorld | undefined;
  const start = async (
    answer: (...call: Parameters<Advance>) => Advanced | Promise<Advanced>,
    options: Partial<WorkflowsOptions> = {},
  ): Promise<Opened> => {
    const world = (latest = home.open());
    const workflows = await openWorkflows({
      world,
      async advance(input, ...rest) {
        calls.push(input);
        return answer(input, ...rest);
      },
      onBug: (error) => void bugs.push(error),
      signal: new AbortController().signal,
      ...options,
    });
    onTestFinished(() => workflows[Symbol.asyncDispose]());
    return { world, workflows };
  };
  return {
    ...home,
    calls,
    start,
    /** Tasks that have ended, and how. */
    ended() {
      const rows = latest?.parts.store.db.sql("SELECT id, outcome FROM tasks WHERE ended IS NOT NULL").all();
      return (rows ?? []).map((row) => [row["id"], row["outcome"]]);
    },
    shown: () => calls.map(({ firingId, cause }) => `${firingId} ${cause}`),
  };
}

interface Opened {
  readonly world: SqliteWorld;
  readonly workflows: Workflows;
}

/** Rejects like a tool that listens to its signal. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** As after a crash: the file is closed, but nothing was told to stop. */
async function crash({ world }: Opened): Promise<void> {
  world.parts.store.db.close();
}

const eventually = (condition: () => boolean): Promise<unknown> => vi.waitUntil(condition);

test("[WF15] a task's first firing starts its workflow, and is on disk once acknowledged", async () => {
  const { start, calls, ended, open } = setup();
  const opened = await start(() => succeeded);
  await opened.workflows.fire("oneShot_v1", "t", "a");
  const [run] = (await open().runs.list({})).data;
  expect(run).toMatchObject({ workflowName: "oneShot_v1" });
  await opened.workflows.fire("oneShot_v1", "t", "a");
  await eventually(() => ended().length === 1);
  expect(calls).toEqual([{ taskId: "t", firingId: "once", cause: "begin" }]);
  expect(ended()).toEqual([["t", "succeeded"]]);
});

test.each(["oneShot_v1", "recurring_v1"] as const)(
  "[WF15] a firing of a task whose workflow has ended starts a new one: %s",
  async (template) => {
    const { start, calls, ended } = setup();
    const opened = await start(() => stopped);
    await opened.workflows.fire(template, "t", "a");
    await eventually(() => ended().length === 1);
    await opened.workflows.fire(template, "t", "a");
    expect(opened.workflows.open()).toEqual(["t"]);
    await eventually(() => ended().length === 1);
    expect(calls).toHaveLength(2);
  },
);

test("[WF15] work accepted before a crash runs after it", async () => {
  const { start, ended } = setup();
  const first = await start((_input, signal) => untilAborted(signal));
  await first.workflows.fire("oneShot_v1", "running", "a");
  await crash(first);
  const second = await start(() => succeeded);
  await second.workflows.fire("oneShot_v1", "running", "a");
  await eventually(() => ended().length === 1);
});

test("[WF16] firings run once each, in order, one at a time, even before the run has begun", async () => {
  const { start, shown, ended } = setup();
  let busy = 0;
  const { workflows } = await start(async ({ firingId }) => {
    expect((busy += 1)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    busy -= 1;
    return firingId === "last" ? stopped : succeeded;
  });
  for (const firing of ["a", "b", "a", "c", "b", "last"]) await workflows.fire("recurring_v1", "t", firing);
  await eventually(() => ended().length === 1);
  expect(shown()).toEqual(["a begin", "b begin", "c begin", "last begin"]);
});

test("[WF16] an accepted firing survives a crash, delivered or not", async () => {
  const { start, shown, ended } = setup();
  const first = await start((_input, signal) => untilAborted(signal));
  await first.workflows.fire("recurring_v1", "t", "a");
  await first.workflows.fire("recurring_v1", "t", "b");
  await eventually(() => shown().length === 1);
  await crash(first);
  const second = await start(({ firingId }) => (firingId === "b" ? stopped : succeeded));
  await second.workflows.fire("recurring_v1", "t", "a");
  await eventually(() => ended().length === 1);
  expect(shown()).toEqual(["a begin", "a begin", "b begin"]);
});

test("[WF16] code started within a firing can fire its task after that firing ended", async () => {
  const { start, shown, bugs } = setup();
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>();
  let after: Promise<unknown> | undefined;
  const { workflows, world } = await start(({ firingId }) => {
    if (firingId === "a") after = isOver.then(() => workflows.fire("recurring_v1", "t", "b"));
    return succeeded;
  });
  await workflows.fire("recurring_v1", "t", "a");
  await eventually(() => shown().length === 1 && !world.parts.dispatcher.busy);
  over();
  await after;
  await eventually(() => shown().length === 2);
  expect(bugs).toEqual([]);
});

test("[WF17] a new run takes over after some firings; no firing is lost or done twice", async () => {
  const { start, shown, ended } = setup();
  const { world, workflows } = await start(({ firingId }) => (firingId === "f9" ? stopped : succeeded), {
    firingsPerRun: 3,
  });
  const firings = Array.from({ length: 10 }, (_, n) => `f${n}`);
  await Promise.all(firings.map((firing) => workflows.fire("recurring_v1", "t", firing)));
  await eventually(() => ended().length === 1);
  expect(shown()).toEqual(firings.map((firing) => `${firing} begin`));
  expect(countRows(world, "runs")).toBe(4);
  const longest = world.parts.store.db.sql(
    "SELECT max(n) AS n FROM (SELECT count(*) AS n FROM events GROUP BY run)",
  );
  expect(Number(longest.get()?.["n"])).toBeLessThan(20);
});

test("[WF17] a firing for a run that has had all of its own waits for the next run", async () => {
  const { start, shown } = setup();
  const { world, workflows } = await start(() => succeeded, { firingsPerRun: 1 });
  const renewed = nextEvent(world, ({ eventType }) => eventType === "run_completed");
  await workflows.fire("recurring_v1", "t", "a");
  await renewed;
  await workflows.fire("recurring_v1", "t", "b");
  await eventually(() => shown().length === 2);
  expect(workflows.open()).toEqual(["t"]);
});

const asks =
  (timeoutMs: number) =>
  ({ firingId, cause }: AdvanceInput): Advanced =>
    cause === "begin" ? { kind: "waiting", approvalId: `ask ${firingId}`, timeoutMs } : succeeded;

test("[WF18] a task that waits for an approval continues with the answer", async () => {
  const { start, shown, ended } = setup();
  const { world, workflows } = await start(asks(1e9));
  const waits = nextEvent(world, ({ eventType }) => eventType === "wait_created");
  await workflows.fire("oneShot_v1", "t", "a");
  await waits;
  await workflows.answered("ask once");
  await workflows.answered("ask once");
  await eventually(() => ended().length === 1);
  expect(shown()).toEqual(["once begin", "once approval_answered"]);
  expect([countRows(world, "hooks"), countRows(world, "waits")]).toEqual([0, 0]);
});

test("[WF18] keeps an answer that comes before anything waits for it, even across a crash", async () => {
  const { start, shown, ended } = setup();
  const first = await start((_input, signal) => untilAborted(signal));
  await first.workflows.fire("oneShot_v1", "t", "a");
  await first.workflows.answered("ask once");
  await crash(first);
  await start(asks(1e9));
  await eventually(() => ended().length === 1);
  expect(shown().slice(-2)).toEqual(["once begin", "once approval_answered"]);
});

test("[WF18] continues as timed out without an answer in time; a later answer changes nothing", async () => {
  const { start, shown, ended } = setup();
  const { workflows } = await start(asks(20));
  await workflows.fire("oneShot_v1", "t", "a");
  await eventually(() => ended().length === 1);
  await workflows.answered("ask once");
  expect(shown()).toEqual(["once begin", "once approval_timed_out"]);
});

test("[WF18] an approval times out while Deputy is closed, and the next opening reports it", async () => {
  const { start, shown, ended, time } = setup();
  const first = await start(asks(30 * 86_400_000));
  const waits = nextEvent(first.world, ({ eventType }) => eventType === "wait_created");
  await first.workflows.fire("oneShot_v1", "t", "a");
  await waits;
  await first.workflows[Symbol.asyncDispose]();
  await first.world.close();
  time.aheadMs = 31 * 86_400_000;
  await start(asks(1));
  await eventually(() => ended().length === 1);
  expect(shown()).toEqual(["once begin", "once approval_timed_out"]);
});

test("[WF19] cancelling ends the task, tells the step to stop for good, and is on disk", async () => {
  const { start, ended, calls, bugs } = setup();
  let reason: unknown;
  const first = await start(async (_input, signal) => {
    await untilAborted(signal).catch((error: unknown) => (reason = error));
    throw new Error("torn away");
  });
  await first.workflows.fire("recurring_v1", "t", "a");
  await eventually(() => calls.length === 1);
  for (const task of ["t", "t", "nobody"]) await first.workflows.cancel(task);
  await eventually(() => ended().length === 1 && reason !== undefined);
  expect(reason).toBeInstanceOf(DeliveryStopped);
  expect(reason).toMatchObject({ reason: "cancelled" });
  expect(ended()).toEqual([["t", "cancelled"]]);
  await eventually(() => countRows(first.world, "queue") === 0);
  await first.world.close();
  const second = await start(() => succeeded);
  expect(second.workflows.open()).toEqual([]);
  expect([calls.length, bugs]).toEqual([1, []]);
});

test("[WF21] closing suspends: the step is told so, nothing is marked failed, the next opening continues", async () => {
  const { start, shown, ended, bugs } = setup();
  let reason: unknown;
  const first = await start(async (_input, signal) => {
    try {
      return await untilAborted(signal);
    } catch (error) {
      reason = error;
      throw error;
    }
  });
  await first.workflows.fire("oneShot_v1", "t", "a");
  await eventually(() => shown().length === 1);
  await first.workflows[Symbol.asyncDispose]();
  expect(reason).toMatchObject({ name: "DeliveryStopped", reason: "suspended" });
  const [run] = (await first.world.runs.list({})).data;
  const { data } = await first.world.events.list({ runId: run?.runId ?? "" });
  expect(data.at(-1)?.eventType).toBe("step_started");
  await first.world.close();
  await start(() => succeeded);
  await eventually(() => ended().length === 1);
  expect([shown(), bugs]).toEqual([["once begin", "once begin"], []]);
});

test("[WF21] aborting the signal suspends too", async () => {
  const { start, shown, ended } = setup();
  const shutdown = new AbortController();
  const first = await start((_input, signal) => untilAborted(signal), { signal: shutdown.signal });
  await first.workflows.fire("oneShot_v1", "t", "a");
  await eventually(() => shown().length === 1);
  shutdown.abort();
  await first.world.close();
  await start(() => succeeded);
  await eventually(() => ended().length === 1);
});

test("[WF22] reports an error of `advance` once, and retries with the failure count until it works", async () => {
  const { start, ended, bugs } = setup();
  const waits: number[] = [];
  const failed: number[] = [];
  const { workflows } = await start(
    (_input, _signal, failures) => {
      failed.push(failures);
      if (failures < 5) throw new Error(`no ${failures}`);
      return succeeded;
    },
    { clock: { sleep: async (ms) => void waits.push(ms) } },
  );
  await workflows.fire("oneShot_v1", "flaky", "a");
  await eventually(() => ended().length === 1);
  expect(failed).toEqual([0, 1, 2, 3, 4, 5]);
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(bugs.map(String)).toEqual(["Error: no 0"]);
});
