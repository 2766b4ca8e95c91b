import { type ApprovalDesk, SuspendRequest, type TurnRunner } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import { type Firing, type Outcome, type TaskEntry, turnOf } from "../tasks-view.ts";
import { readTurnWords } from "./turn-words.ts";

/** What came of bringing a firing on. */
export type Progress =
  | { readonly kind: "ended"; readonly outcome: Outcome; readonly stop: boolean }
  /** So many of the task's questions were answered when it was let go of; the next answer brings it on. */
  | { readonly kind: "waiting"; readonly answers: number; readonly timeoutMs: number };

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
    readonly log: Pick<EventLog, "read">;
    readonly clock: Clock;
    /** Brings the entry up to date. */
    readonly look: () => Promise<unknown>;
  },
  entry: TaskEntry,
  firing: Firing,
  signal: AbortSignal,
): Promise<Progress> {
  const { clock } = deps;
  const { stream } = entry.task;
  const end = async (outcome: Outcome): Promise<Progress> => {
    const { isFinished } = await readTurnWords(deps.log, stream, firing);
    return { kind: "ended", outcome, stop: isFinished };
  };
  if (firing.outcome !== undefined) return await end(firing.outcome);
  const patience = new AbortController();
  let waiting = new AbortController();
  let answers = entry.answers;
  /** What is answered after the count was taken is found out by whoever counts on. */
  const letGo = async (): Promise<void> => {
    await deps.look();
    ({ answers } = entry);
    patience.abort(new SuspendRequest());
  };
  const onWaiting = (isWaiting: boolean): void => {
    waiting.abort();
    if (!isWaiting) return;
    waiting = new AbortController();
    clock.sleep(PATIENCE_MS, waiting.signal).then(letGo, () => undefined);
  };
  try {
    const outcome = await deps.turns.run(
      { ...turnOf(entry, firing), onWaiting },
      AbortSignal.any([signal, patience.signal]),
    );
    return await end(
      ({ completed: "succeeded", failed: "failed", aborted: "cancelled" } as const)[outcome.kind],
    );
  } catch (error) {
    if (!(error instanceof SuspendRequest) || signal.aborted || !patience.signal.aborted) throw error;
    const asked = (await deps.approvals.pending()).filter((request) => request.stream === stream);
    // Answered in the very moment: then there is nothing to wait for.
    const leftMs = asked.map(({ expiresAt }) =>
      expiresAt === undefined ? LONGEST_WAIT_MS : Date.parse(expiresAt) - clock.now(),
    );
    const timeoutMs = leftMs.length === 0 ? 0 : Math.min(...leftMs, LONGEST_WAIT_MS);
    return { kind: "waiting", answers, timeoutMs: Math.max(timeoutMs, 0) };
  } finally {
    waiting.abort();
  }
}
