import { describe, expect, test } from "vitest";
import { createTurnKeeper } from "@deputy/agent";
import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { createLogTaskService, type TaskChange } from "@deputy/tasks";
import { answer, openRepeatingWorld, type Play } from "./repeating.fixture.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const untilStopped: Play = (_turn, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
const delivery = (key: string) => ({
  hookId: "h1",
  hook: "mail",
  scheme: "standard",
  key,
  deliveryId: key,
  contentType: "application/json",
  bytes: 10,
  sha256: "0".repeat(64),
  payload: { subject: key },
});
type World = Awaited<ReturnType<typeof openRepeatingWorld>>;

/** The same change by a process that runs nothing, as `deputy tasks` without a daemon. */
async function changeOffline(
  world: World,
  id: never,
  change: TaskChange | { kind: "cancel" },
): Promise<void> {
  const { log, clock } = world;
  const work = () => Promise.reject(new Error("Nothing runs here"));
  const signal = new AbortController().signal;
  await using keeper = createTurnKeeper({ log, owner: "offline", clock, redactor: createRedactor([]) });
  const ids = createIdSource({ clock });
  const deps = { log, ids, work, now: clock.now, stop: keeper.stop, onBug: () => undefined, signal };
  await using tasks = createLogTaskService(deps);
  if (change.kind === "cancel") expect(await tasks.cancel(id, "terminal")).toEqual({ kind: "cancelled" });
  else expect(await tasks.change(id, change, "terminal")).toEqual({ kind: "changed" });
  await tasks.endFinished();
}

const slots = async (world: World, task: Parameters<World["eventsOf"]>[0]) =>
  (await world.eventsOf(task, "task.fired", "task.skipped")).map(({ type, data }) => {
    const { dueAt, reason } = data as { dueAt: string; reason: string };
    return `${type} ${dueAt.slice(0, 16)} ${reason}`;
  });

describe("pause", () => {
  test("[J122] slots of a paused task are skipped, each once, and the first one after resuming runs", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    expect(await world.tasks.change(task.id, { kind: "pause" }, "owner")).toEqual({ kind: "changed" });
    expect(await world.tasks.change(task.id, { kind: "pause" }, "owner")).toEqual({ kind: "changed" });
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "paused" });
    expect((await world.tasks.get(task.id))?.nextAt).toBeUndefined();
    await world.clock.advance(HOUR);
    await world.until(task, "task.skipped", 1);
    // A new process knows it, too, and so does one that finds two days passed.
    world.clock.setWall(world.clock.now() + 2 * DAY);
    await world.restart();
    await world.until(task, "task.skipped", 3);
    await world.tasks.change(task.id, { kind: "resume" }, "owner");
    await world.tasks.change(task.id, { kind: "resume" }, "owner");
    expect(await world.tasks.get(task.id)).toMatchObject({
      status: "scheduled",
      nextAt: "2026-03-04T09:00:00.000Z",
    });
    await world.clock.advance(DAY);
    await world.until(task, "turn.completed", 1);
    expect(await slots(world, task)).toEqual([
      "task.skipped 2026-03-01T09:00 paused",
      "task.skipped 2026-03-02T09:00 paused",
      "task.skipped 2026-03-03T09:00 paused",
      "task.fired 2026-03-04T09:00 on time",
    ]);
    expect(await world.eventsOf(task, "task.paused", "task.resumed")).toHaveLength(2);
    expect(world.bugs).toEqual([]);
  });

  test("[J122] resumed while no process ran, what passed meanwhile stays skipped and is not made up for", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await world.tasks.change(task.id, { kind: "pause" }, "owner");
    await world.whileClosed(async () => {
      world.clock.setWall(world.clock.now() + 2 * DAY + 2 * HOUR);
      await changeOffline(world, task.id as never, { kind: "resume" });
    });
    await world.clock.advance(DAY);
    await world.until(task, "turn.completed", 1);
    expect(await slots(world, task)).toEqual([
      "task.skipped 2026-03-01T09:00 paused",
      "task.skipped 2026-03-02T09:00 paused",
      "task.skipped 2026-03-03T09:00 paused",
      "task.fired 2026-03-04T09:00 on time",
    ]);
  });

  test("[J122] a running turn goes on; a report is skipped; a single time that passes ends the task", async () => {
    const gate = Promise.withResolvers<void>();
    const play: Play = async (turn, signal) => {
      await gate.promise;
      return await answer("Done.")(turn, signal);
    };
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "x", kind: "event", hook: "mail" });
    await world.inbox.accept(delivery("first"));
    await world.until(task, "turn.started", 1);
    await world.tasks.change(task.id, { kind: "pause" }, "owner");
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "running" });
    await world.inbox.accept(delivery("second"));
    await world.until(task, "task.skipped", 1);
    gate.resolve();
    await world.until(task, "turn.completed", 1);
    await expect.poll(async () => (await world.tasks.get(task.id))?.status).toBe("paused");
    await world.tasks.change(task.id, { kind: "resume" }, "owner");
    await world.inbox.accept(delivery("third"));
    await world.until(task, "turn.completed", 2);

    const once = await world.tasks.create({ prompt: "y", schedule: "at 2026-03-01T09:00:00Z" });
    await world.tasks.change(once.id, { kind: "pause" }, "owner");
    await world.clock.advance(HOUR);
    await world.until(once, "task.completed", 1);
    expect(await slots(world, once)).toEqual(["task.skipped 2026-03-01T09:00 paused"]);
    await expect.poll(async () => (await world.told()).join()).toContain("did not run at its time");
    expect(await world.tasks.change(once.id, { kind: "resume" }, "owner")).toEqual({
      kind: "already_ended",
      status: "failed",
    });
    expect(world.bugs).toEqual([]);
  });
});

describe("run now", () => {
  test("[J123] runs once besides the schedule, says who asked, and uses up no slot; not twice at a time", async () => {
    const gate = { isOpen: false };
    const play: Play = async (turn, signal) =>
      await (gate.isOpen ? answer("Done.") : untilStopped)(turn, signal);
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "Count", schedule: "0 9 * * * UTC" });
    await world.tasks.change(task.id, { kind: "run" }, "ada");
    await world.until(task, "turn.started", 1);
    await expect(world.tasks.change(task.id, { kind: "run" }, "ada")).rejects.toMatchObject({
      code: "task_running",
    });
    gate.isOpen = true;
    await world.restart();
    await world.until(task, "turn.completed", 1);
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 2);
    expect(await slots(world, task)).toEqual([
      "task.fired 2026-03-01T08:00 ada asked for it",
      "task.fired 2026-03-01T09:00 on time",
    ]);
    const [said] = await world.eventsOf(task, "user.message");
    expect(said?.data).toMatchObject({ text: expect.stringContaining("asked for it to run now") });
    expect(world.bugs).toEqual([]);
  });

  test("[J123] a single time is used up; asked for without a process, it runs with the next one", async () => {
    await using world = await openRepeatingWorld();
    const once = await world.tasks.create({ prompt: "y", schedule: "at 2026-03-02T09:00:00Z" });
    await world.whileClosed(() => changeOffline(world, once.id as never, { kind: "run" }));
    await world.until(once, "task.completed", 1);
    expect(await world.tasks.get(once.id)).toMatchObject({ status: "succeeded" });
    await world.clock.advance(2 * DAY);
    expect(await slots(world, once)).toEqual(["task.fired 2026-03-02T09:00 terminal asked for it"]);
  });
});

describe("edit", () => {
  test("[J124] the next run has the new request and the new time; the old schedule's are gone", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "Old", schedule: "0 9 * * * UTC" });
    await world.tasks.change(task.id, { kind: "edit", prompt: "New", schedule: "30 10 * * * UTC" }, "owner");
    expect(await world.tasks.get(task.id)).toMatchObject({
      prompt: "New",
      nextAt: "2026-03-01T10:30:00.000Z",
    });
    await world.restart();
    await world.clock.advance(3 * HOUR);
    await world.until(task, "turn.completed", 1);
    await world.clock.advance(DAY);
    await world.until(task, "turn.completed", 2);
    expect(await slots(world, task)).toEqual([
      "task.fired 2026-03-01T10:30 on time",
      "task.fired 2026-03-02T10:30 on time",
    ]);
    const [said] = await world.eventsOf(task, "user.message");
    expect(said?.data).toMatchObject({ text: expect.stringMatching(/^New\n/) });
    expect(world.bugs).toEqual([]);
  });

  test("[J124] slots that were due by the old schedule are skipped, each once", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await world.whileClosed(async () => {
      world.clock.setWall(world.clock.now() + DAY + 2 * HOUR);
      await changeOffline(world, task.id as never, { kind: "edit", schedule: "0 12 * * * UTC" });
    });
    await world.clock.advance(3 * HOUR);
    await world.until(task, "turn.completed", 1);
    expect(await slots(world, task)).toEqual([
      "task.skipped 2026-03-01T09:00 its schedule was changed",
      "task.skipped 2026-03-02T09:00 its schedule was changed",
      "task.fired 2026-03-02T12:00 on time",
    ]);
  });

  test("[J124] what contradicts the task is refused, and nothing is written", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    const onReport = await world.tasks.create({ prompt: "x", kind: "event", hook: "mail" });
    const before = await Array.fromAsync(world.log.read(task.stream));
    const edit = (id: typeof task.id, schedule: string) =>
      world.tasks.change(id, { kind: "edit", schedule }, "owner");
    await expect(edit(task.id, "at 2026-03-05T09:00:00Z")).rejects.toMatchObject({ code: "invalid_task" });
    await expect(edit(task.id, "whenever")).rejects.toMatchObject({ code: "invalid_schedule" });
    await expect(edit(onReport.id, "every 30m")).rejects.toMatchObject({ code: "invalid_task" });
    expect(await world.tasks.change(task.id, { kind: "edit", prompt: "x" }, "owner")).toEqual({
      kind: "changed",
    });
    expect(await Array.fromAsync(world.log.read(task.stream))).toEqual(before);
    const now = await world.tasks.create({ prompt: "At once" });
    await expect(world.tasks.change(now.id, { kind: "pause" }, "owner")).rejects.toMatchObject({
      code: "not_available",
    });
    expect(await world.tasks.change("tsk_none" as never, { kind: "pause" }, "owner")).toEqual({
      kind: "unknown",
    });
  });
});

describe("cancel while no process runs", () => {
  test("[J113] a task that has not run yet is cancelled at once, and ended by the next process", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "at 2026-03-02T09:00:00Z" });
    await world.whileClosed(async () => {
      await changeOffline(world, task.id as never, { kind: "cancel" });
      expect(await world.eventsOf(task, "task.cancelled", "task.completed")).toHaveLength(1);
    });
    await world.until(task, "task.completed", 1);
    await world.clock.advance(2 * DAY);
    expect(await slots(world, task)).toEqual([]);
    expect(world.bugs).toEqual([]);
  });

  test("[J113] the turn that another process left is ended by the next one, and not an earlier one", async () => {
    let turns = 0;
    const play: Play = (turn, signal) => (++turns === 1 ? answer("Done.") : untilStopped)(turn, signal);
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "x", schedule: "every 1h" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 1);
    await world.clock.advance(HOUR);
    await world.until(task, "turn.started", 2);
    await world.whileClosed(() => changeOffline(world, task.id as never, { kind: "cancel" }));
    await world.until(task, "task.completed", 1);
    expect(await world.eventsOf(task, "turn.aborted")).toHaveLength(1);
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "cancelled" });
    expect(world.bugs).toEqual([]);
  });
});
