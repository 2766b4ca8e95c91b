import { type ApprovalDesk, SuspendRequest, type TurnRunner } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Firing, Outcome, TaskEntry } from "../tasks-view.ts";
import type { Advanced } from "./task-runs.ts";
import { readTurnWords } from "./turn-words.ts";

/** How long a turn that can only wait for the user is kept in memory for a quick answer. */
const PATIENCE_MS = 60_000;
/** Looked after at least so often, in case an answer was missed. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;

/**
 * Runs the turn of a firing to its end; or, when it can only wait for the user for a while, lets go of it:
 * whoever calls this again once there is an answer goes on from there. Rejects as `TurnRunner.run` does.
 */
export async function advanceFiring(
  deps: {
    readonly turns: Pick<TurnRunner, "run">;
    readonly approvals: Pick<ApprovalDesk, "pending">;
    readonly clock: Clock;
    readonly log: Pick<EventLog, "read">;
  },
  entry: TaskEntry,
  firing: Firing,
  signal: AbortSignal,
): Promise<Advanced> {
  const { clock } = deps;
  const { agentId, stream, id: taskId } = entry.task;
  const end = async (outcome: Outcome): Promise<Advanced> => {
    const { isFinished } = await readTurnWords(deps.log, stream, firing);
    return { kind: "ended", outcome, stop: isFinished };
  };
  if (firing.outcome !== undefined) return await end(firing.outcome);
  const patience = new AbortController();
  let waiting = new AbortController();
  const onWaiting = (isWaiting: boolean): void => {
    waiting.abort();
    if (!isWaiting) return;
    waiting = new AbortController();
    clock.sleep(PATIENCE_MS, waiting.signal).then(
      () => patience.abort(new SuspendRequest()),
      () => undefined,
    );
  };
  const turn = { stream, turnId: firing.turnId, agentId, sessionKey: `task:${taskId}` };
  try {
    const outcome = await deps.turns.run({ ...turn, onWaiting }, AbortSignal.any([signal, patience.signal]));
    return await end(
      ({ completed: "succeeded", failed: "failed", aborted: "cancelled" } as const)[outcome.kind],
    );
  } catch (error) {
    if (!(error instanceof SuspendRequest) || signal.aborted) throw error;
    const first = (await deps.approvals.pending()).find((request) => request.stream === stream);
    // Answered in the very moment: then there is nothing to wait for.
    if (first === undefined) return { kind: "waiting", approvalId: "none", timeoutMs: 0 };
    const { id: approvalId, expiresAt } = first;
    const leftMs = expiresAt === undefined ? LONGEST_WAIT_MS : Date.parse(expiresAt) - clock.now();
    return { kind: "waiting", approvalId, timeoutMs: Math.min(Math.max(leftMs, 0), LONGEST_WAIT_MS) };
  } finally {
    waiting.abort();
  }
}
