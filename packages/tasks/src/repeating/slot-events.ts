import type { IdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { lastSlotOf, type SlotDecision } from "../schedules/decide-slots.ts";
import { nextSlots } from "../schedules/next-slots.ts";
import type { TaskEntry } from "../tasks-view.ts";
import { firingEvents } from "./firing-events.ts";
import { ONLY_FIRING } from "./task-runs.ts";

/** What became of slots that were due, and when the next one is. */
export function slotEvents(
  { created, task: { id: taskId } }: TaskEntry,
  decisions: readonly SlotDecision[],
  ids: IdSource,
): readonly NewEvent[] {
  const events = decisions.flatMap((one): readonly NewEvent[] => {
    if (one.decision === "skip") {
      const { decision: _decision, ...slot } = one;
      return [{ type: "task.skipped", data: { taskId, ...slot } }];
    }
    const firingId = created.kind === "one-shot" ? ONLY_FIRING : one.firingId;
    return firingEvents(created, { firingId, dueAt: one.dueAt, reason: one.reason }, ids);
  });
  const last = decisions.at(-1);
  if (last === undefined || typeof created.schedule !== "object") return events;
  const [next] = nextSlots(created.schedule, lastSlotOf(last), 1);
  if (next === undefined) return events;
  return [...events, { type: "task.scheduled", data: { taskId, dueAt: new Date(next).toISOString() } }];
}
