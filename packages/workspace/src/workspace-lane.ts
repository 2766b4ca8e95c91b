import { createKeyedLane } from "@deputy/kit";

/**
 * Runs jobs one after the other: those that change the workspace's files, and those that were approved for
 * the files as they are. Rejects like the job, with `lane_full`, or with the signal's reason while it waits.
 * Holds within one process only: a user who runs `deputy workspace` in another is responsible for that.
 */
export type WorkspaceLane = <T>(signal: AbortSignal, job: () => Promise<T>) => Promise<T>;

const MOST_WAITING = 1_000;

export function createWorkspaceLane(): WorkspaceLane {
  const lane = createKeyedLane<"files">({ maxWaiting: MOST_WAITING });
  return (signal, job) => lane.run("files", signal, job);
}
