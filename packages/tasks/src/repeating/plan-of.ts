import { describeSchedule } from "@deputy/protocol";
import { nextSlots } from "../schedules/next-slots.ts";
import type { TaskPlan } from "../task-service.ts";
import { isRepeating, type TaskEntry } from "../tasks-view.ts";

/** How many times are shown to a user who sets a schedule. */
const NEXT_TIMES = 3;

export function planOf(entry: TaskEntry, nowMs: number): TaskPlan | undefined {
  if (!isRepeating(entry) || entry.outcome !== undefined) return undefined;
  const { schedule, trigger } = entry.created;
  if (trigger !== undefined) return { runs: `whenever ${trigger.hook} reports something`, next: [] };
  if (schedule === undefined || typeof schedule === "string") return { runs: schedule ?? "later", next: [] };
  // The tasks' clock may be ahead of this caller's: slots that were decided do not come again.
  const saidMs = entry.nextAt === undefined ? -Infinity : Date.parse(entry.nextAt) - 1;
  const slots = nextSlots(schedule, Math.max(nowMs, saidMs), NEXT_TIMES);
  return {
    runs: describeSchedule(schedule),
    next: slots.map((ms) => new Date(ms).toISOString()),
  };
}
