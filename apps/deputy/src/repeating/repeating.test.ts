import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "@deputy/agent";
import { openSqliteWorld, openWorkflows } from "@deputy/world";
import { describe, expect, test } from "vitest";
import { answer, ids, openRepeatingWorld, type Play } from "./repeating.fixture.ts";

const HOUR = 3_600_000;
const untilStopped: Play = (_turn, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
const finishing: Play = async (turn) => {
  const call = { callId: ids.next("call"), toolPath: "tasks.finish", status: "succeeded" } as const;
  return [
    {
      type: "call.settled",
      turnId: turn.turnId,
      data: { ...call, attachments: [], labels: [], durationMs: 1 },
    },
    ...(await answer("Ten million!")(turn, new AbortController().signal)),
  ];
};
const delivery = (key: string, payload: unknown) => ({
  hookId: "h1",
  hook: "mail",
  scheme: "standard",
  key,
  deliveryId: key,
  contentType: "application/json",
  bytes: 10,
  sha256: "0".repeat(64),
  payload,
});

describe("on a schedule", () => {
  test("[J110] each slot is one firing in the log, and then one turn, in the task's own session", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "Count the issues", schedule: "0 9 * * * UTC" });
    expect(task).toMatchObject({
      kind: "recurring",
      status: "scheduled",
      nextAt: "2026-03-01T09:00:00.000Z",
    });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 1);
    await world.clock.advance(24 * HOUR);
    await world.until(task, "turn.completed", 2);
    const fired = await world.eventsOf(task, "task.fired");
    expect(fired.map(({ data }) => data)).toMatchObject([
      { dueAt: "2026-03-01T09:00:00.000Z", reason: "on time" },
      { dueAt: "2026-03-02T09:00:00.000Z", reason: "on time" },
    ]);
    const said = await world.eventsOf(task, "user.message");
    expect(said.map(({ turnId }) => turnId)).toEqual(fired.map(({ turnId }) => turnId));
    expect(said[0]?.data).toMatchObject({
      trust: "user",
      text: expect.stringMatching(/^Count the issues\n/),
    });
    expect(world.played.every((turn: Turn) => turn.stream === task.stream)).toBe(true);
    await expect
      .poll(async () => await world.tasks.get(task.id))
      .toMatchObject({ status: "scheduled", nextAt: "2026-03-03T09:00:00.000Z" });
    expect(world.bugs).toEqual([]);
  });

  test("[J110] its plan is read back in words, with the next five times", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "weekdays at 17:30 UTC" });
    const plan = await world.tasks.plan(task.id);
    expect(plan?.runs).toMatch(/weekday.*17:30/);
    expect(plan?.next).toHaveLength(5);
  });

  test("[J111] a new process continues half-done work, and no slot runs twice", async () => {
    const gate = { isOpen: false };
    const play: Play = async (turn, signal) =>
      await (gate.isOpen ? answer("Done.") : untilStopped)(turn, signal);
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.started", 1);
    await world.restart();
    await expect.poll(() => world.played.length).toBe(2);
    gate.isOpen = true;
    await world.restart();
    await world.until(task, "turn.completed", 1);
    expect(await world.eventsOf(task, "task.fired")).toHaveLength(1);
    expect(await world.eventsOf(task, "turn.started")).toHaveLength(1);
    await world.restart();
    await world.clock.advance(24 * HOUR);
    await world.until(task, "turn.completed", 2);
    expect(world.bugs).toEqual([]);
  });

  test("[J111] after a week without a process, the newest slot runs late, and the others are reported as skipped", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    world.clock.setWall(world.clock.now() + 7 * 24 * HOUR + 2 * HOUR);
    await world.restart();
    await world.until(task, "turn.completed", 1);
    const [fired] = await world.eventsOf(task, "task.fired");
    expect(fired?.data).toMatchObject({ dueAt: "2026-03-08T09:00:00.000Z", reason: "late: it was missed" });
    expect(await world.eventsOf(task, "task.skipped")).toHaveLength(7);
  });

  test("[J118] with a clock that is ahead, makes up for nothing before its creation, even after a restart", async () => {
    const ahead = { aheadMs: 40 * 24 * HOUR };
    await using world = await openRepeatingWorld(undefined, ahead);
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    expect(task.nextAt).toBe("2026-04-10T09:00:00.000Z");
    await world.restart();
    expect((await world.tasks.plan(task.id))?.next).toHaveLength(5);
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 1);
    await world.restart();
    await world.clock.advance(24 * HOUR);
    await world.until(task, "turn.completed", 2);
    const slots = await world.eventsOf(task, "task.fired", "task.skipped");
    expect(slots.map(({ data }) => data)).toMatchObject([
      { dueAt: "2026-04-10T09:00:00.000Z", reason: "on time" },
      { dueAt: "2026-04-11T09:00:00.000Z", reason: "on time" },
    ]);
    expect(world.bugs).toEqual([]);
  });

  test("[J118] with a fast clock, what is late by its hours is on time", async () => {
    await using world = await openRepeatingWorld(undefined, { speed: 1_000 });
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    world.clock.setWall(world.clock.now() + 3 * HOUR);
    await world.restart();
    await world.until(task, "turn.completed", 1);
    expect((await world.eventsOf(task, "task.fired"))[0]?.data).toMatchObject({ reason: "on time" });
  });

  test("[J112] a turn can end its task, and the owner is told", async () => {
    await using world = await openRepeatingWorld(finishing);
    const task = await world.tasks.create({ prompt: "Tell me at 10M", schedule: "0 9 * * * UTC" });
    await world.clock.advance(HOUR);
    await world.until(task, "task.completed", 1);
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "succeeded" });
    expect((await world.told()).join()).toMatch(/Ten million!\nThe task has ended/);
    await world.clock.advance(48 * HOUR);
    expect(await world.eventsOf(task, "task.fired", "task.skipped")).toHaveLength(1);
  });

  test("[J112] notifies the owner of an answer once, and not if there is nothing to report", async () => {
    const said = { text: "NOTHING_TO_REPORT" };
    await using world = await openRepeatingWorld((turn, signal) => answer(said.text)(turn, signal));
    const task = await world.tasks.create({ prompt: "Look", schedule: "0 9 * * * UTC" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 1);
    said.text = "Three are new.";
    await world.clock.advance(24 * HOUR);
    await world.until(task, "turn.completed", 2);
    await expect.poll(world.told).toHaveLength(1);
    expect((await world.told())[0]).toContain("Three are new.");
    await world.restart();
    expect(await world.told()).toHaveLength(1);
  });

  test("[J113] cancelling ends the running turn, and nothing runs after it; by a later process too", async () => {
    await using world = await openRepeatingWorld(untilStopped);
    const task = await world.tasks.create({ prompt: "x", schedule: "every 1h" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.started", 1);
    expect(await world.tasks.cancel(task.id, "ada")).toEqual({ kind: "cancelled" });
    await world.until(task, "task.completed", 1);
    expect(await world.eventsOf(task, "turn.aborted")).toHaveLength(1);
    expect(await world.tasks.cancel(task.id, "ada")).toEqual({ kind: "already_ended", status: "cancelled" });
    await world.restart();
    await world.clock.advance(5 * HOUR);
    expect(await world.eventsOf(task, "task.fired", "task.skipped")).toHaveLength(1);
    expect(world.bugs).toEqual([]);
  });

  test("[J113] cancelling one task does not affect another that runs at the same time", async () => {
    await using world = await openRepeatingWorld(untilStopped);
    const request = { prompt: "x", schedule: "0 9 * * * UTC" };
    const [one, other] = [await world.tasks.create(request), await world.tasks.create(request)];
    await world.clock.advance(HOUR);
    await world.until(one, "turn.started", 1);
    await world.until(other, "turn.started", 1);
    await world.tasks.cancel(one.id, "ada");
    await world.until(one, "task.completed", 1);
    expect(await world.tasks.get(other.id)).toMatchObject({ status: "running" });
    expect(await world.eventsOf(other, "turn.aborted")).toEqual([]);
  });

  test("[J111] killed between a turn's end and its report: the next start reports it and ends", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "Remind me", schedule: "at 2026-03-01T10:00:00Z" });
    await world.whileClosed(async () => {
      const turnId = ids.next("turn");
      const fired = {
        taskId: task.id,
        dueAt: "2026-03-01T10:00:00.000Z",
        reason: "on time",
        firingId: "f",
        turnId,
      };
      const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
      const said = await answer("It is time.")({ turnId } as Turn, new AbortController().signal);
      await world.log.append(task.stream, [
        { type: "task.fired", turnId, data: fired },
        { type: "turn.started", turnId, data: { agentId: "main", model: "none" } },
        ...said,
        { type: "turn.completed", turnId, data: { usage } },
      ]);
    });
    await world.until(task, "task.completed", 1);
    expect((await world.told()).join()).toContain("It is time.");
    expect(world.played).toEqual([]);
  });

  test("[J111] a slot that waits behind another starts only at its own turn", async () => {
    const gate = Promise.withResolvers<void>();
    await using world = await openRepeatingWorld(async (turn, signal) => {
      await gate.promise;
      return await answer("Done.")(turn, signal);
    });
    const schedule = { kind: "every", everyMs: HOUR, overlap: "queue" } as const;
    const task = await world.tasks.create({ prompt: "x", schedule });
    await world.clock.advance(2 * HOUR);
    await world.until(task, "task.fired", 2);
    await world.until(task, "user.message", 1);
    gate.resolve();
    await world.until(task, "turn.completed", 2);
    const order = await world.eventsOf(task, "user.message", "turn.completed");
    expect(order.map(({ type }) => type)).toEqual([
      "user.message",
      "turn.completed",
      "user.message",
      "turn.completed",
    ]);
  });

  test("[J111] the log is enough if the file of the workflow runs is lost or damaged", async () => {
    const gate = { isOpen: false };
    const play: Play = async (turn, signal) =>
      await (gate.isOpen ? answer("Done.") : untilStopped)(turn, signal);
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.started", 1);
    gate.isOpen = true;
    await world.whileClosed(async () => {
      for (const name of ["work.db", "work.db-wal", "work.db-shm"])
        rmSync(join(world.directory, name), { force: true });
      writeFileSync(join(world.directory, "work.db"), "not a database at all".repeat(500));
    });
    await world.until(task, "turn.completed", 1);
    expect(await world.eventsOf(task, "turn.started")).toHaveLength(1);
  });

  test("[J111] restarts an open firing whose workflow has ended, or has a name that the log does not know", async () => {
    const gate = { isOpen: false };
    const play: Play = async (turn, signal) =>
      await (gate.isOpen ? answer("Done.") : untilStopped)(turn, signal);
    await using world = await openRepeatingWorld(play);
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await world.clock.advance(HOUR);
    await world.until(task, "turn.started", 1);
    const turnId = world.played[0]?.turnId ?? expect.fail("nothing was played");
    const options = {
      onBug: (error: unknown) => world.bugs.push(error),
      signal: new AbortController().signal,
    };
    const open = async () => {
      const file = openSqliteWorld({ path: join(world.directory, "work.db"), now: Date.now, ...options });
      const advance = async () => ({ kind: "waiting", approvalId: "never", timeoutMs: HOUR }) as const;
      return { file, workflows: await openWorkflows({ world: file, advance, ...options }) };
    };
    await world.whileClosed(async () => {
      const { file, workflows } = await open();
      await using _file = file;
      await workflows.cancel(task.id);
      // As an older Deputy did.
      await workflows.fire("recurring_v1", `${task.id} ${turnId}`, turnId);
      gate.isOpen = true;
    });
    await world.until(task, "turn.completed", 1);
    expect(await world.eventsOf(task, "turn.started")).toHaveLength(1);
    await world.whileClosed(async () => {
      const { file, workflows } = await open();
      await using _file = file;
      expect(workflows.open()).toEqual([task.id]);
    });
    expect(world.bugs).toEqual([]);
  });

  test("[J114] a one-time task that missed its time by too much ends, and the owner is told", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "Remind me", schedule: "at 2026-03-01T10:00:00Z" });
    world.clock.setWall(world.clock.now() + 50 * HOUR);
    await world.restart();
    await world.until(task, "task.completed", 1);
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "failed" });
    await expect.poll(async () => (await world.told()).join()).toContain("did not run at its time");
  });

  test("[J112] sends a failed notification later, and the task continues", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    world.failTelling(5);
    await world.clock.advance(HOUR);
    await world.until(task, "turn.completed", 1);
    const toldInAMinute = async (): Promise<number> => {
      await world.clock.advance(60_000);
      return (await world.told()).length;
    };
    await expect.poll(toldInAMinute).toBe(1);
    await world.clock.advance(24 * HOUR);
    await world.until(task, "turn.completed", 2);
    expect(world.bugs).toHaveLength(1);
  });

  test("[J114] a one-time task ends as its turn did", async () => {
    await using world = await openRepeatingWorld();
    const task = await world.tasks.create({ prompt: "Remind me", schedule: "at 2026-03-01T10:00:00Z" });
    expect(task).toMatchObject({ kind: "one-shot", status: "scheduled" });
    await world.clock.advance(2 * HOUR);
    await world.until(task, "task.completed", 1);
    expect(await world.tasks.get(task.id)).toMatchObject({ status: "succeeded" });
    expect((await world.told()).join()).toContain("Done.");
  });

  test.each([
    [{ prompt: "x", schedule: "every blue moon" }, "invalid_schedule"],
    [{ prompt: "x", schedule: "at 2020-01-01T00:00:00Z" }, "schedule_in_past"],
    [{ prompt: "x", kind: "recurring" as const }, "invalid_task"],
    [{ prompt: "x", kind: "event" as const }, "invalid_task"],
    [{ prompt: "x", kind: "event" as const, hook: "mail", schedule: "every 1h" }, "invalid_task"],
    [{ prompt: "x", schedule: "every 1h", hook: "mail" }, "invalid_task"],
    [{ prompt: "x", kind: "one-shot" as const, schedule: "every 1h" }, "invalid_task"],
  ])("[J115] refuses %j, and writes nothing", async (request, code) => {
    await using world = await openRepeatingWorld();
    await expect(world.tasks.create(request)).rejects.toMatchObject({ code });
    expect(await Array.fromAsync(world.log.readAll())).toEqual([]);
  });
});

describe("when something is reported", () => {
  test("[J131] a task waits only for what can report; the refusal lists what there is, and nothing is written", async () => {
    const reporters = () => ({ hooks: ["builds"], mailboxes: ["mail"], folders: [] });
    await using world = await openRepeatingWorld(undefined, { reporters });
    const refused = world.tasks.create({ prompt: "x", kind: "event", hook: "inbox" });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_task",
      message: "No hook, mailbox or folder is called “inbox”, so this task would never run.",
      hint: "There are hooks: builds; mailboxes: mail.",
    });
    expect(await Array.fromAsync(world.log.readAll())).toEqual([]);
    const filter = { folder: "inbox" };
    const task = await world.tasks.create({ prompt: "x", kind: "event", hook: "mail", filter });
    expect(await world.tasks.plan(task.id)).toMatchObject({
      runs: 'whenever mail reports something with folder "inbox"',
    });
  });

  test("[J116] each matching report makes it run once, in order; a report is nobody's word", async () => {
    await using world = await openRepeatingWorld();
    const filter = { folder: "inbox" };
    const task = await world.tasks.create({ prompt: "Is it spam?", kind: "event", hook: "mail", filter });
    expect(task.status).toBe("scheduled");
    for (const key of ["m1", "m2", "m1"])
      await world.inbox.accept(delivery(key, { folder: "inbox", subject: `No ${key}` }));
    await world.inbox.accept(delivery("m3", { folder: "sent", subject: "No m3" }));
    await world.until(task, "turn.completed", 2);
    const said = await world.eventsOf(task, "user.message");
    expect(said.map(({ data }) => data)).toMatchObject([
      { trust: "untrusted", text: expect.stringContaining("No m1") },
      { trust: "user", text: expect.stringMatching(/^Is it spam\?/) },
      { trust: "untrusted", text: expect.stringContaining("No m2") },
      { trust: "user" },
    ]);
    expect(world.bugs).toEqual([]);
  });

  test("[J116] reports from before the start make it run at the next start, in order", async () => {
    await using world = await openRepeatingWorld(untilStopped);
    const task = await world.tasks.create({ prompt: "x", kind: "event", hook: "mail" });
    await world.inbox.accept(delivery("m1", 1));
    await world.until(task, "turn.started", 1);
    await world.inbox.accept(delivery("m2", 2));
    await world.restart();
    await expect.poll(() => world.played.length).toBe(2);
    expect(await world.eventsOf(task, "task.fired")).toHaveLength(1);
  });
});

describe("when it waits for the user", () => {
  /** Asks, and continues once there is an answer, like the gate, which finds its question in the log. */
  const asking = (world: () => Awaited<ReturnType<typeof openRepeatingWorld>>, questions = 1): Play => {
    const callIds = Array.from({ length: questions }, () => ids.next("call"));
    return async (turn, signal) => {
      const { log, approvals } = world();
      const decisions: string[] = [];
      for (const callId of callIds) {
        const before = await Array.fromAsync(log.read(turn.stream));
        if (
          !before.some(
            ({ type, data }) => type === "approval.requested" && JSON.stringify(data).includes(callId),
          )
        )
          await log.append(turn.stream, [
            {
              type: "approval.requested",
              turnId: turn.turnId,
              data: {
                approvalId: callId,
                toolPath: "github.issues.close",
                input: {},
                preview: { title: "Close 3 issues" },
                bindingHash: "0".repeat(64),
              },
            },
          ]);
        turn.onWaiting?.(true);
        decisions.push((await approvals.wait(callId, signal)).decision);
        turn.onWaiting?.(false);
      }
      return await answer(`It was ${decisions.join(", ")}.`)(turn, signal);
    };
  };

  test("[J117] continues to its end over several questions, each answered after it was released", async () => {
    const worlds: Awaited<ReturnType<typeof openRepeatingWorld>>[] = [];
    await using opened = await openRepeatingWorld(asking(() => worlds[0] ?? expect.fail("not open"), 3));
    worlds.push(opened);
    const task = await opened.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await opened.clock.advance(HOUR);
    for (let asked = 1; asked <= 3; asked++) {
      await opened.until(task, "approval.requested", asked);
      // Released, and only an answer brings it back.
      for (let minute = 0; minute < 3; minute++) await opened.clock.advance(2 * 60_000);
      const [pending] = await opened.approvals.pending();
      await opened.approvals.resolve(
        pending?.id ?? expect.fail("nothing asked"),
        { decision: "approved" },
        "ada",
      );
    }
    await opened.until(task, "turn.completed", 1);
    expect(opened.bugs).toEqual([]);
  });

  test("[J117] an answer given while no process runs resumes it at the next start", async () => {
    const worlds: Awaited<ReturnType<typeof openRepeatingWorld>>[] = [];
    await using opened = await openRepeatingWorld(asking(() => worlds[0] ?? expect.fail("not open")));
    worlds.push(opened);
    const task = await opened.tasks.create({ prompt: "x", schedule: "0 9 * * * UTC" });
    await opened.clock.advance(HOUR);
    await opened.until(task, "approval.requested", 1);
    await opened.clock.advance(2 * 60_000);
    await opened.whileClosed(async () => {
      const [asked] = await opened.approvals.pending();
      await opened.approvals.resolve(
        asked?.id ?? expect.fail("nothing asked"),
        { decision: "denied" },
        "ada",
      );
    });
    await opened.until(task, "turn.completed", 1);
    expect(opened.bugs).toEqual([]);
  });

  test("[J117] a waiting run makes way for the next if its schedule says so", async () => {
    const worlds: Awaited<ReturnType<typeof openRepeatingWorld>>[] = [];
    await using opened = await openRepeatingWorld(asking(() => worlds[0] ?? expect.fail("not open")));
    worlds.push(opened);
    const schedule = { kind: "every", everyMs: HOUR, overlap: "cancel" } as const;
    const task = await opened.tasks.create({ prompt: "x", schedule });
    await opened.clock.advance(HOUR);
    await opened.until(task, "approval.requested", 1);
    await opened.clock.advance(HOUR);
    await opened.until(task, "turn.started", 2);
    expect(await opened.eventsOf(task, "turn.aborted")).toHaveLength(1);
    expect(opened.bugs).toEqual([]);
  });

  test("[J117] tells the owner once; releases it after a while, and an answer resumes it", async () => {
    const worlds: Awaited<ReturnType<typeof openRepeatingWorld>>[] = [];
    await using opened = await openRepeatingWorld(asking(() => worlds[0] ?? expect.fail("not open")));
    worlds.push(opened);
    const task = await opened.tasks.create({ prompt: "Close stale issues", schedule: "0 9 * * * UTC" });
    await opened.clock.advance(HOUR);
    await opened.until(task, "approval.requested", 1);
    await expect.poll(opened.told).toHaveLength(1);
    expect((await opened.told())[0]).toMatch(/Close 3 issues[\s\S]*deputy approvals approve/);
    expect(await opened.tasks.get(task.id)).toMatchObject({ status: "waiting" });
    // Nothing of it is in memory after this.
    await opened.clock.advance(2 * 60_000);
    await opened.restart();
    const [asked] = await opened.approvals.pending();
    await opened.approvals.resolve(
      asked?.id ?? expect.fail("nothing asked"),
      { decision: "approved" },
      "ada",
    );
    await opened.until(task, "turn.completed", 1);
    await expect.poll(async () => (await opened.told()).at(-1)).toContain("It was approved.");
    expect(await opened.told()).toHaveLength(2);
    expect(opened.bugs).toEqual([]);
  });
});
