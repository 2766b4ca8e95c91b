import type { CanonicalEvent } from "@deputy/protocol";
import type { TurnBudget } from "./turn-limits.ts";

/** What the task whose session this is may take each time it runs; undefined for no task, and for one without a budget. */
export function budgetOfTask(events: readonly CanonicalEvent[]): TurnBudget | undefined {
  const created = events.find((event) => event.type === "task.created");
  if (created?.data.budget === undefined) return undefined;
  const { tokens, calls, seconds } = created.data.budget;
  return { tokens, calls, timeMs: seconds === undefined ? undefined : seconds * 1_000 };
}
