import { type Clock, createKeyedLane, type IdSource, type ReminderId } from "@deputy/kit";
import type {
  EventData,
  EventLog,
  NewEvent,
  Schedule,
  ScheduleInput,
  CanonicalEvent,
} from "@deputy/protocol";
import { parseSchedule } from "@deputy/protocol/schedule";
import { nextSlot } from "../schedules/next-slots.ts";
import {
  createScheduleKeeper,
  type ScheduleKeeper,
  type SlotDecision,
} from "../schedules/schedule-keeper.ts";
import { TasksError } from "../tasks-error.ts";
import type { Reminder, Reminders } from "./reminders.ts";
import { createLogView, type LogView } from "@deputy/agent";

const MOST_REMINDERS = 500;
/** A reminder may be late but is not lost, however long no process was running. */
const CATCH_UP_MS = 3_650 * 86_400_000;
const MOST_WAITING = 1_000;

/** Reminders over the event log. Those that are due wait there for the heartbeat. */
export function createLogReminders(deps: {
  readonly log: EventLog;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly defaultAgent: string;
  /** The zone of schedules that name none. */
  readonly zone: string;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Reminders {
  const { log, ids, clock, onBug, signal } = deps;
  const view = openRemindersView(log);
  const lane = createKeyedLane<"change">({ maxWaiting: MOST_WAITING });
  const never = new AbortController().signal;
  let keeper: ScheduleKeeper<ReminderId> | undefined;

  const all = async (): Promise<Map<ReminderId, ReminderEntry>> => (await view.current()).state;
  const write = (events: readonly NewEvent[]) => log.append("system", events);
  const inOrder = <T>(change: () => Promise<T>): Promise<T> => lane.run("change", never, change);

  const keepOne = (entry: ReminderEntry): void => {
    // A new schedule has no missed times to make up for, whatever the old one was.
    const { id, schedule, isEnabled, sinceAt, lastSlotAt } = entry;
    if (!isEnabled) {
      keeper?.remove(id);
      return;
    }
    const lastSlotMs = lastSlotAt === undefined ? undefined : Date.parse(lastSlotAt);
    keeper?.set(id, schedule, { createdMs: Date.parse(sinceAt), lastSlotMs });
  };

  const decided = (id: ReminderId, decisions: readonly SlotDecision[]): Promise<void> =>
    inOrder(async () => {
      const entry = (await all()).get(id);
      if (entry === undefined) return;
      // Called again when it is unknown whether the slot was written. A slot that is in the log is done.
      const { lastSlotAt = "" } = entry;
      const events = decisions
        .filter(({ dueAt }) => dueAt > lastSlotAt)
        .flatMap((one) => slotEvents(entry, one));
      if (events.length > 0) await write(events);
    });

  const read = (input: ScheduleInput): Schedule => {
    const schedule = parseSchedule(input, { zone: deps.zone, nowMs: clock.now() });
    const isSaid = typeof input !== "string" && input.catchUpMs !== undefined;
    return isSaid ? schedule : { ...schedule, catchUpMs: CATCH_UP_MS };
  };

  const shown = (entry: ReminderEntry): Reminder => {
    const { id, name, text, schedule, agentId, isEnabled, lastSlotAt } = entry;
    const after = Math.max(clock.now(), lastSlotAt === undefined ? -Infinity : Date.parse(lastSlotAt));
    const nextMs = isEnabled ? nextSlot(schedule, after) : undefined;
    const next = nextMs === undefined ? {} : { nextAt: new Date(nextMs).toISOString() };
    return { id, name, text, schedule, agentId, isEnabled, ...next };
  };
  const found = async (id: ReminderId): Promise<ReminderEntry> => {
    const entry = (await all()).get(id);
    if (entry === undefined) throw new Error(`${id} is not in the log it was just written to`);
    return entry;
  };

  return {
    add: ({ name, text, schedule: input, agentId = deps.defaultAgent, from }) =>
      inOrder(async () => {
        const schedule = read(input);
        if ((await all()).size >= MOST_REMINDERS)
          throw new TasksError("too_many_reminders", `There are ${MOST_REMINDERS} reminders already.`, {
            hint: "Remove some first.",
          });
        const reminderId = ids.next("reminder");
        await write([{ type: "cron.added", data: { reminderId, name, text, schedule, agentId, from } }]);
        const entry = await found(reminderId);
        keepOne(entry);
        return shown(entry);
      }),
    list: async () => [...(await all()).values()].map(shown),
    update: (reminderId, { schedule: input, ...change }) =>
      inOrder(async () => {
        if (!(await all()).has(reminderId)) return undefined;
        const schedule = input === undefined ? undefined : read(input);
        const { name, text, isEnabled } = change;
        const data: EventData<"cron.updated"> = {
          reminderId,
          ...(name === undefined ? {} : { name }),
          ...(text === undefined ? {} : { text }),
          ...(schedule === undefined ? {} : { schedule }),
          ...(isEnabled === undefined ? {} : { isEnabled }),
        };
        await write([{ type: "cron.updated", data }]);
        const entry = await found(reminderId);
        keepOne(entry);
        return shown(entry);
      }),
    remove: (reminderId, from) =>
      inOrder(async () => {
        if (!(await all()).has(reminderId)) return false;
        await write([{ type: "cron.removed", data: { reminderId, from } }]);
        keeper?.remove(reminderId);
        return true;
      }),
    async keep() {
      // Delivering a reminder takes no turn: it waits in the log.
      keeper = createScheduleKeeper<ReminderId>({ clock, decided, isRunning: () => false, onBug, signal });
      for (const entry of (await all()).values()) keepOne(entry);
    },
    async [Symbol.asyncDispose]() {
      await keeper?.[Symbol.asyncDispose]();
    },
  };
}

/** Fires the reminder and queues it in one append: a crash leaves both or none. */
function slotEvents({ id, name, text, agentId }: ReminderEntry, slot: SlotDecision): readonly NewEvent[] {
  const { dueAt, reason } = slot;
  const data = { reminderId: id, dueAt, reason };
  if (slot.decision === "fire")
    return [
      { type: "cron.fired", data },
      {
        type: "system.noted",
        data: { ref: `${id} ${dueAt}`, source: "cron", text: `${name}: ${text}`, agentId },
      },
    ];
  const { untilAt, count } = slot;
  const range = untilAt === undefined || count === undefined ? {} : { untilAt, count };
  return [{ type: "cron.skipped", data: { ...data, ...range } }];
}

/** A reminder as the log's indexed events describe it. */
interface ReminderEntry {
  readonly id: ReminderId;
  readonly agentId: string;
  name: string;
  text: string;
  schedule: Schedule;
  isEnabled: boolean;
  /** The time from which its schedule counts. Earlier times do not. */
  sinceAt: string;
  /** The newest of its times that was fired or skipped. */
  lastSlotAt: string | undefined;
}

function openRemindersView(log: Pick<EventLog, "readAll">): LogView<Map<ReminderId, ReminderEntry>> {
  return createLogView(
    log,
    ["cron.added", "cron.updated", "cron.removed", "cron.fired", "cron.skipped"],
    new Map<ReminderId, ReminderEntry>(),
    apply,
    { name: "reminders 1" },
  );
}

function apply(reminders: Map<ReminderId, ReminderEntry>, event: CanonicalEvent): void {
  if (event.type === "cron.added") {
    const { reminderId: id, name, text, schedule, agentId } = event.data;
    const since = { isEnabled: true, sinceAt: event.at, lastSlotAt: undefined };
    reminders.set(id, { id, name, text, schedule, agentId, ...since });
    return;
  }
  if (event.type === "cron.removed") {
    reminders.delete(event.data.reminderId);
    return;
  }
  if (event.type === "cron.updated") {
    const entry = reminders.get(event.data.reminderId);
    if (entry === undefined) return;
    const { name, text, schedule, isEnabled } = event.data;
    if (schedule !== undefined || (isEnabled === true && !entry.isEnabled)) entry.sinceAt = event.at;
    Object.assign(entry, {
      name: name ?? entry.name,
      text: text ?? entry.text,
      schedule: schedule ?? entry.schedule,
      isEnabled: isEnabled ?? entry.isEnabled,
    });
    return;
  }
  if (event.type !== "cron.fired" && event.type !== "cron.skipped") return;
  const entry = reminders.get(event.data.reminderId);
  if (entry === undefined) return;
  const slotAt = event.type === "cron.skipped" ? (event.data.untilAt ?? event.data.dueAt) : event.data.dueAt;
  if (entry.lastSlotAt === undefined || slotAt > entry.lastSlotAt) entry.lastSlotAt = slotAt;
  if (entry.schedule.kind === "at") reminders.delete(entry.id);
}
