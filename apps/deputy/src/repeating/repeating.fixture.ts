import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { createLogApprovalDesk, createTurnKeeper, type Turn, type TurnOutcome } from "@deputy/agent";
import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import type { NewEvent, Task } from "@deputy/protocol";
import {
  createLogInbox,
  createLogOutbox,
  createLogTaskService,
  createRepeatingTasks,
  joinTasks,
  openTasksView,
  type Reporters,
} from "@deputy/tasks";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect } from "vitest";
import { homeWorkflows } from "./home-workflows.ts";

/** What a turn does once it has begun; it returns its last events. */
export type Play = (turn: Turn, signal: AbortSignal) => Promise<readonly NewEvent[]>;

/** Helpers for what the turns themselves say. */
export const ids = createIdSource({ clock: createFakeClock() });

export const answer =
  (text: string): Play =>
  async ({ turnId }) => [{ type: "assistant.message", turnId, data: { itemId: ids.next("item"), text } }];

const START = Date.parse("2026-03-01T08:00:00Z");

/**
 * Tasks that run later, over real workflows on disk and a log in memory; the test plays the turns. `restart`
 * gives what a new process finds.
 */
export async function openRepeatingWorld(
  play: Play = answer("Done."),
  /** How far the tasks' clock is ahead of the one that dates events, and its stated speed. */
  {
    aheadMs = 0,
    speed = 1,
    reporters,
  }: { aheadMs?: number; speed?: number; reporters?: () => Reporters } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), "deputy-repeating-"));
  const clock = createFakeClock({ startMs: START });
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const dueBy = { clock: { ...clock, now: () => clock.now() + aheadMs }, speed };
  const redactor = createRedactor([]);
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const played: Turn[] = [];
  let failing = 0;

  let processes = 0;

  const open = () => {
    const stop = new AbortController();
    const { signal } = stop;
    const keeper = createTurnKeeper({ log, owner: `process ${++processes}`, clock, redactor });
    const run = (turn: Turn, until: AbortSignal): Promise<TurnOutcome> =>
      keeper.run(
        turn,
        async ({ begin }, stopped) => {
          await begin("none");
          played.push(turn);
          await keeper.log.append(turn.stream, await play(turn, stopped));
          return {};
        },
        until,
      );
    const turns = { run, stop: keeper.stop, giveUp: keeper.giveUp };
    const view = openTasksView(log);
    const sessions = createLogSessionService({ log, ids });
    const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
    const firstSession = { key: "terminal--default", agentId: "main", channel: "terminal" };
    const outbox = createLogOutbox({
      log,
      sessions,
      channels: [],
      firstSession,
      redact: redactor.text,
      clock,
      onBug,
      signal,
    });
    const shared = {
      log,
      view,
      ids,
      onBug,
      signal,
      defaultAgent: "main",
      assertAgent: async () => undefined,
    };
    const flaky: Pick<typeof outbox, "tell"> = {
      async tell(message) {
        if (failing-- > 0) throw new Error("The disk is full");
        await outbox.tell(message);
      },
    };
    const retention = { runs: 1_000, days: 7 };
    const repeating = createRepeatingTasks({
      ...shared,
      reporters,
      openWorkflows: homeWorkflows({ home: directory, retention, clock, log, onBug }),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      turns,
      approvals,
      outbox: flaky,
      clock,
      dueBy,
    });
    const now = createLogTaskService({ ...shared, work: run });
    const tasks = joinTasks(now, repeating);
    return { tasks, repeating, approvals, sessions, stop };
  };
  let opened = open();
  await opened.repeating.keep();

  const close = async (): Promise<void> => {
    opened.stop.abort();
    await opened.repeating[Symbol.asyncDispose]();
  };
  const eventsOf = async (task: Task, ...types: readonly string[]) =>
    (await Array.fromAsync(log.read(task.stream))).filter(({ type }) => types.includes(type));
  return {
    clock,
    log,
    bugs,
    played,
    inbox: createLogInbox({ log, sha256, redact: redactor.json }),
    get tasks() {
      return opened.tasks;
    },
    get approvals() {
      return opened.approvals;
    },
    eventsOf,
    directory,
    /** The next notifications that fail. */
    failTelling: (times: number) => void (failing = times),
    /** What another process does while this one is gone. */
    async whileClosed(work: () => Promise<void>) {
      await close();
      await work();
      opened = open();
      await opened.repeating.keep();
    },
    /** As after a kill: nothing is reported, and only the disk is waited for. */
    async restart() {
      await close();
      opened = open();
      await opened.repeating.keep();
    },
    /** Resolves once the task has this many events of that type. */
    until: (task: Task, type: string, count: number) =>
      expect.poll(async () => (await eventsOf(task, type)).length).toBe(count),
    /** The owner's notifications. */
    async told(): Promise<readonly string[]> {
      const session = await opened.sessions.find("terminal--default");
      if (session === undefined) return [];
      const events = await Array.fromAsync(log.read(session.id));
      return events
        .filter(({ type }) => type === "user.message")
        .map(({ data }) => (data as { text: string }).text);
    },
    async [Symbol.asyncDispose]() {
      await close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
