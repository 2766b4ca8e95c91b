import { createLandmarkView } from "@deputy/agent";
import { copyOf } from "@deputy/agent/sessions";
import type { TurnId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, StreamId } from "@deputy/protocol";
import type { Conversations } from "@deputy/tasks";

/** Where runs are. */
export interface RunIndex {
  /** Undefined for one that never was. Rejects when the log does. */
  find(runId: TurnId): Promise<FoundRun | undefined>;
}

export interface FoundRun {
  readonly stream: StreamId;
  /** The event that ended it; undefined while it waits or goes on. */
  readonly endSeq: number | undefined;
}

const TYPES = ["turn.started", "turn.completed", "turn.failed", "turn.aborted"] as const;

/** Over the log's landmarks, a few words per run, read when first asked; what only waits so far, the queue knows. */
export function createRunIndex(deps: {
  readonly log: Pick<EventLog, "readAll">;
  readonly conversations: Pick<Conversations, "streamOf">;
}): RunIndex {
  const view = createLandmarkView(deps.log, TYPES, new Map<TurnId, FoundRun>(), apply);
  return {
    async find(runId) {
      const waiting = deps.conversations.streamOf(runId);
      const known = (await view.current()).state.get(runId);
      if (known !== undefined || waiting === undefined) return known;
      return { stream: waiting, endSeq: undefined };
    },
  };
}

/** A run is where it happened: forks only have copies of it. */
function apply(runs: Map<TurnId, FoundRun>, event: CanonicalEvent): void {
  const { turnId, stream, seq } = event;
  if (turnId === undefined || copyOf(event) !== undefined) return;
  runs.set(turnId, { stream, endSeq: event.type === "turn.started" ? undefined : seq });
}
