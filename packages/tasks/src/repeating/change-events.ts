import type { IdSource } from "@deputy/kit";
import type { EditTask, NewEvent, Schedule } from "@deputy/protocol";
import { parseSchedule } from "@deputy/protocol/schedule";
import { decideSlots, type SkipReason, type SlotDecision } from "../schedules/decide-slots.ts";
import { nextSlots } from "../schedules/next-slots.ts";
import type { TaskChange } from "../task-service.ts";
import { TasksError } from "../tasks-error.ts";
import { openFirings, type TaskEntry } from "../tasks-view.ts";
import { firedEvent } from "./advance-firing.ts";
import { misfit } from "./open-repeating-task.ts";
import { slotEvents, slotsSince } from "./slot-events.ts";

interface ChangeContext {
  readonly ids: IdSource;
  readonly by: string;
  /** By the clock by which tasks are due. */
  readonly nowMs: number;
  /** The zone of schedules that name none. */
  readonly zone: string;
}

/**
 * The events of a change to a task that has not ended; none when it is so already. One append makes the change, and
 * decides every slot that it leaves behind. Throws as `TaskService.change` rejects.
 */
export function changeEvents(
  entry: TaskEntry,
  change: TaskChange,
  context: ChangeContext,
): readonly NewEvent[] {
  const { by } = context;
  const taskId = entry.task.id;
  switch (change.kind) {
    case "pause":
      return entry.pausedAt === undefined ? [{ type: "task.paused", data: { taskId, by } }] : [];
    case "resume": {
      if (entry.pausedAt === undefined) return [];
      const passed = slotEvents(entry, dueSlots(entry, context, "paused"), context.ids);
      // Its only time has passed, and so it has ended.
      if (passed.some(({ type }) => type === "task.completed")) return passed;
      return [
        ...passed,
        ...skippedReports(entry, 0, "paused"),
        { type: "task.resumed", data: { taskId, by } },
      ];
    }
    case "run":
      return runNow(entry, context);
    default:
      return edit(entry, change, context);
  }
}

/** Reports that a task does not run for, except the first ones. */
export function skippedReports(
  { task: { id: taskId }, reported }: TaskEntry,
  kept: number,
  reason: string,
): readonly NewEvent[] {
  return [...reported]
    .slice(kept)
    .map(([delivery, dueAt]) => ({ type: "task.skipped", data: { taskId, dueAt, reason, delivery } }));
}

function dueSlots(entry: TaskEntry, { nowMs }: ChangeContext, skipAll: SkipReason): readonly SlotDecision[] {
  const { schedule } = entry.created;
  if (typeof schedule !== "object") return [];
  const question = { taskId: entry.task.id, schedule, nowMs, isRunning: false, skipAll };
  return decideSlots({ ...question, ...slotsSince(entry) }).decisions;
}

function runNow(entry: TaskEntry, { ids, by, nowMs }: ChangeContext): readonly NewEvent[] {
  const { task, created } = entry;
  if (openFirings(entry).length > 0)
    throw new TasksError("task_running", "It is running, so it was not begun a second time.", {
      hint: "Wait until it has ended, or cancel it.",
    });
  const reason = `${by} asked for it`;
  const { schedule } = created;
  // A single time is used up by it: it does not run again then.
  if (task.kind === "one-shot" && typeof schedule === "object" && schedule.kind === "at") {
    const dueAt = schedule.at;
    return [firedEvent(task.id, { firingId: `slot ${dueAt}`, dueAt, reason }, ids)];
  }
  const dueAt = new Date(nowMs).toISOString();
  return [firedEvent(task.id, { firingId: `asked ${ids.next("event")}`, dueAt, reason, by }, ids)];
}

function edit(entry: TaskEntry, wanted: EditTask, context: ChangeContext): readonly NewEvent[] {
  const { by, nowMs } = context;
  const taskId = entry.task.id;
  const prompt = wanted.prompt === entry.task.prompt ? {} : { prompt: wanted.prompt };
  if (wanted.schedule === undefined)
    return prompt.prompt === undefined
      ? []
      : [{ type: "task.edited", data: { taskId, by, prompt: prompt.prompt } }];
  const schedule = parseSchedule(wanted.schedule, context);
  refuseOtherKind(entry, schedule);
  const [first] = nextSlots(schedule, nowMs, 1);
  if (first === undefined)
    throw misfit("That is never due", "Look at the schedule: its time may have passed.");
  const passed = dueSlots(entry, context, "its schedule was changed").map((one): NewEvent => {
    const { decision: _decision, ...slot } = one;
    return { type: "task.skipped", data: { taskId, ...slot } };
  });
  const fromAt = new Date(nowMs).toISOString();
  const said = prompt.prompt === undefined ? {} : { prompt: prompt.prompt };
  return [
    ...passed,
    { type: "task.edited", data: { taskId, by, ...said, schedule, fromAt } },
    { type: "task.scheduled", data: { taskId, dueAt: new Date(first).toISOString() } },
  ];
}

function refuseOtherKind({ task: { kind } }: TaskEntry, schedule: Schedule): void {
  if (kind === "event")
    throw misfit("This task runs on reports, and has no schedule", "Make a new task for a schedule.");
  if ((kind === "one-shot") !== (schedule.kind === "at"))
    throw misfit(
      kind === "one-shot" ? "A task that runs once has a single time" : "This task runs again and again",
      "Make a new task for that.",
    );
}
