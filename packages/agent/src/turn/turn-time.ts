import type { Clock } from "@deputy/kit";
import type { CanonicalEvent } from "@deputy/protocol";
import { AgentError } from "../agent-error.ts";
import type { Turn } from "./turn.ts";

/**
 * How long a turn has been worked on. Waiting for the user does not count, nor time in which no process was running.
 */
export function workedMs(
  events: Iterable<CanonicalEvent>,
  { turnId }: Pick<Turn, "turnId">,
  now: { readonly ms: number; readonly absentMs: number },
): number {
  const asked = new Set<string>();
  let startedAtMs: number | undefined;
  let waitingSinceMs = 0;
  let waitedMs = 0;
  for (const event of events) {
    if (event.turnId !== turnId) continue;
    if (event.type === "turn.started") startedAtMs = Date.parse(event.at);
    if (event.type === "approval.requested") {
      if (asked.size === 0) waitingSinceMs = Date.parse(event.at);
      asked.add(event.data.approvalId);
    }
    if (event.type === "approval.resolved" && asked.delete(event.data.approvalId) && asked.size === 0)
      waitedMs += Date.parse(event.at) - waitingSinceMs;
  }
  if (startedAtMs === undefined) return 0;
  if (asked.size > 0) waitedMs += now.ms - waitingSinceMs;
  return Math.max(0, now.ms - startedAtMs - waitedMs - now.absentMs);
}

/** From the last sign of each owner to the next one's claim: no time that the turn has used. */
export function absentMs(events: readonly CanonicalEvent[], { turnId }: Pick<Turn, "turnId">): number {
  let sum = 0;
  let lastMs: number | undefined;
  for (const event of events) {
    if (event.turnId !== turnId || event.type === "turn.suspended") continue;
    const atMs = Date.parse(event.at);
    if (event.type === "turn.claimed" && lastMs !== undefined) sum += Math.max(0, atMs - lastMs);
    lastMs = atMs;
  }
  return sum;
}

/**
 * Does the work, and stops it once the turn has used its time: rejects with `budget_spent` then. Looks again
 * after every wait, since time spent waiting for the user does not count.
 */
export async function withinTime<T>(
  deps: { readonly clock: Clock; readonly worked: () => Promise<number> },
  budgetMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (budgetMs === undefined) return await work(signal);
  const over = new AbortController();
  const done = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const watch = async (): Promise<void> => {
    for (;;) {
      const left = budgetMs - (await deps.worked());
      if (left <= 0) return over.abort(timeSpent(budgetMs));
      await deps.clock.sleep(Math.max(left, SHORTEST_LOOK_MS), done.signal);
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!done.signal.aborted) over.abort(error);
  });
  try {
    return await work(both);
  } catch (error) {
    if (over.signal.aborted && !signal.aborted) throw over.signal.reason;
    throw error;
  } finally {
    done.abort();
    await watching;
  }
}

/** While the user is waited for, what is left does not shrink. */
const SHORTEST_LOOK_MS = 1_000;

function timeSpent(budgetMs: number): AgentError {
  const seconds = Math.round(budgetMs / 1_000);
  return new AgentError("budget_spent", `The turn was stopped: its budget of ${seconds} seconds is spent.`, {
    hint: "What it did until then stays done. Raise the budget, or ask for less.",
  });
}
