import { createKeyedLane } from "@deputy/kit";

/**
 * Runs what changes the workspace's files, and what was cleared for the files as they are, one after the
 * other. Rejects as the job does, with `lane_full`, or with the signal's reason while it waits. Holds within
 * one process: `deputy workspace` in another is the user's own doing.
 */
export type WorkspaceLane = <T>(signal: AbortSignal, job: () => Promise<T>) => Promise<T>;

const MOST_WAITING = 1_000;

export function createWorkspaceLane(): WorkspaceLane {
  const lane = createKeyedLane<"files">({ maxWaiting: MOST_WAITING });
  return (signal, job) => lane.run("files", signal, job);
}
