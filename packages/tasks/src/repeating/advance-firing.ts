import { type ApprovalDesk, SuspendRequest, type TurnRunner } from "@deputy/agent";
import type { Clock, TaskId, TurnId } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Advance, Advanced } from "@deputy/world";
import type { Outbox } from "../outbox/outbox.ts";
import { type Firing, type Outcome, type TaskEntry, type TasksView, turnOf } from "../tasks-view.ts";
import { beginFiring } from "./firing-events.ts";
import { reportFiring } from "./report-firing.ts";
import { waitName } from "./task-workflows.ts";
import { readTurnWords } from "./turn-words.ts";

export interface FiringSteps {
  /**
   * The step of every workflow: runs the turn of a firing to its end, and reports its outcome. When the turn can only
   * wait for the user for a while, the step lets go of it. Rejects as `TurnRunner.run` does; safe to repeat.
   */
  readonly advance: Advance;
  /** Tells what came of a firing that has ended, and ends its task if that is over. Safe to repeat. */
  settle(entry: TaskEntry, firing: Firing): Promise<Advanced & { readonly kind: "ended" }>;
}

/** How long a turn that can only wait for the user is kept in memory for a quick answer. */
const PATIENCE_MS = 60_000;
/** Looked after at least so often, in case an answer was missed. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000;
/** A turn that could not be had so often has failed; that does not end the task. */
const MOST_TRIES = 3;
const BROKEN = { code: "internal", message: "Something went wrong inside Deputy; its log says what." };

export function createFiringSteps(deps: {
  readonly log: Pick<EventLog, "read" | "append">;
  readonly turns: TurnRunner;
  readonly approvals: Pick<ApprovalDesk, "pending">;
  readonly outbox: Pick<Outbox, "tell">;
  readonly clock: Clock;
  /** Brings entries up to date. */
  readonly look: () => Promise<TasksView>;
  readonly endTask: (entry: TaskEntry, outcome: Outcome) => Promise<void>;
  /** Called when a firing has ended and its task goes on. */
  readonly onSettled: (entry: TaskEntry) => void;
}): FiringSteps {
  const { log, turns, clock, look } = deps;

  const settle: FiringSteps["settle"] = async (entry, firing) => {
    // From here on the turn does not run, and other callers see that.
    await look();
    const words = await readTurnWords(log, entry.task.stream, firing);
    await reportFiring(deps.outbox, entry, firing, words);
    const stop = words.isFinished || entry.task.kind === "one-shot" || entry.outcome !== undefined;
    const outcome = entry.outcome ?? (words.isFinished ? "succeeded" : (firing.outcome ?? "failed"));
    if (stop) await deps.endTask(entry, outcome);
    else deps.onSettled(entry);
    return { kind: "ended", outcome, stop };
  };

  /** Until the first question is answered or runs out, from when so many were answered. */
  const waitFor = async ({ stream }: TaskEntry["task"], name: string): Promise<Advanced> => {
    const asked = (await deps.approvals.pending()).filter((request) => request.stream === stream);
    // Answered in the very moment: then there is nothing to wait for.
    const leftMs = asked.map(({ expiresAt }) =>
      expiresAt === undefined ? LONGEST_WAIT_MS : Date.parse(expiresAt) - clock.now(),
    );
    const timeoutMs = leftMs.length === 0 ? 0 : Math.min(...leftMs, LONGEST_WAIT_MS);
    return { kind: "waiting", approvalId: name, timeoutMs: Math.max(timeoutMs, 0) };
  };

  /** Undefined once the turn has ended. */
  const runTurn = async (
    entry: TaskEntry,
    firing: Firing,
    signal: AbortSignal,
  ): Promise<Advanced | undefined> => {
    const suspend = new AbortController();
    const onStop = (): void => suspend.abort(new SuspendRequest());
    let waiting = new AbortController();
    let answers: number | undefined;
    /** If an answer comes after the count was taken, the next one who counts finds it. */
    const letGo = async (): Promise<void> => {
      await look();
      ({ answers } = entry);
      onStop();
    };
    const onWaiting = (isWaiting: boolean): void => {
      waiting.abort();
      if (!isWaiting) return;
      waiting = new AbortController();
      clock.sleep(PATIENCE_MS, waiting.signal).then(letGo, () => undefined);
    };
    signal.addEventListener("abort", onStop, { once: true });
    try {
      signal.throwIfAborted();
      await beginFiring(log, entry, firing);
      await turns.run({ ...turnOf(entry, firing), onWaiting }, suspend.signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof SuspendRequest) || signal.aborted || answers === undefined) throw error;
      return await waitFor(entry.task, waitName(firing.turnId, answers));
    } finally {
      waiting.abort();
      signal.removeEventListener("abort", onStop);
    }
  };

  return {
    settle,
    async advance({ taskId, firingId }, signal, failures) {
      const entry = (await look()).byId.get(taskId as TaskId);
      const firing =
        entry?.task.kind === "one-shot"
          ? [...entry.firings.values()].at(-1)
          : entry?.firings.get(firingId as TurnId);
      // Forgotten is what ended long ago.
      if (entry === undefined || firing === undefined || entry.closed)
        return { kind: "ended", outcome: "cancelled", stop: entry?.closed !== false };
      if (firing.outcome === undefined) {
        const turn = turnOf(entry, firing);
        if (entry.outcome !== undefined) await turns.stop(turn, "owner");
        else if (failures >= MOST_TRIES) await turns.giveUp(turn, BROKEN);
        else {
          const waits = await runTurn(entry, firing, signal);
          if (waits !== undefined) return waits;
        }
      }
      return await settle(entry, firing);
    },
  };
}
