import { describeSchedule } from "@deputy/protocol";
import { nextSlots } from "../schedules/next-slots.ts";
import type { TaskPlan } from "../task-service.ts";
import { isRepeating, type TaskEntry } from "../tasks-view.ts";

/** As many times as are read back to whoever set a schedule. */
const NEXT_TIMES = 3;

export function planOf(entry: TaskEntry, nowMs: number): TaskPlan | undefined {
  if (!isRepeating(entry) || entry.outcome !== undefined) return undefined;
  const { schedule, trigger } = entry.created;
  if (trigger !== undefined) return { runs: `whenever ${trigger.hook} reports something`, next: [] };
  if (schedule === undefined || typeof schedule === "string") return { runs: schedule ?? "later", next: [] };
  const slots = nextSlots(schedule, nowMs, NEXT_TIMES);
  return {
    runs: describeSchedule(schedule),
    next: slots.map((ms) => new Date(ms).toISOString()),
  };
}
