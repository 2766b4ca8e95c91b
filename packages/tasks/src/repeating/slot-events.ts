import type { IdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { lastSlotOf, type SlotDecision } from "../schedules/decide-slots.ts";
import { nextSlots } from "../schedules/next-slots.ts";
import type { KeptSince } from "../schedules/schedule-keeper.ts";
import type { TaskEntry } from "../tasks-view.ts";
import { firedEvent } from "./advance-firing.ts";

/** From when on the slots of a task are to be decided. */
export function slotsSince({ task, nextAt, lastSlotAt }: TaskEntry): KeptSince {
  // The first slot is the stated one, even if events are dated by another clock.
  const saidMs = nextAt === undefined ? undefined : Date.parse(nextAt) - 1;
  const lastSlotMs = lastSlotAt === undefined ? saidMs : Date.parse(lastSlotAt);
  return { createdMs: Date.parse(task.createdAt), lastSlotMs };
}

/** Events for slots that were due, and for the time of the next one. A task whose only time was missed ends. */
export function slotEvents(
  { created, task: { id: taskId } }: TaskEntry,
  decisions: readonly SlotDecision[],
  ids: IdSource,
): readonly NewEvent[] {
  const events = decisions.map((one): NewEvent => {
    if (one.decision === "skip") {
      const { decision: _decision, ...slot } = one;
      return { type: "task.skipped", data: { taskId, ...slot } };
    }
    const { firingId, dueAt, reason } = one;
    const replaces = one.start === "instead" ? { replaces: true as const } : {};
    return firedEvent(taskId, { firingId, dueAt, reason, ...replaces }, ids);
  });
  const last = decisions.at(-1);
  if (last === undefined || typeof created.schedule !== "object") return events;
  const [next] = nextSlots(created.schedule, lastSlotOf(last), 1);
  if (next !== undefined)
    return [...events, { type: "task.scheduled", data: { taskId, dueAt: new Date(next).toISOString() } }];
  if (decisions.some(({ decision }) => decision === "fire") || created.kind !== "one-shot") return events;
  return [...events, { type: "task.completed", data: { taskId, outcome: "failed" } }];
}
