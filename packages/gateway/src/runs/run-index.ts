import { createLogView } from "@deputy/agent";
import { copyOf } from "@deputy/agent/sessions";
import type { TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import type { Conversations } from "@deputy/tasks";

/** Finds the session of a run. */
export interface RunIndex {
  /** Undefined for an unknown run. Rejects if the log does. */
  find(runId: TurnId): Promise<FoundRun | undefined>;
}

export interface FoundRun {
  readonly stream: StreamId;
  /** The event that ended it; undefined while it waits or runs. */
  readonly endSeq: number | undefined;
}

const TYPES = ["turn.started", "turn.completed", "turn.failed", "turn.aborted"] as const;

/** Older runs are searched in the log: they are rarely read again. */
const REMEMBERED_RUNS = 2_000;

/** Built from the log's indexed events, with a short entry for each of the newest runs. The queue knows the runs that only wait. */
export function createRunIndex(deps: {
  readonly log: Pick<EventLog, "readAll">;
  readonly conversations: Pick<Conversations, "streamOf">;
}): RunIndex {
  const view = createLogView(deps.log, TYPES, createRuns(), apply, { name: "runs 1" });
  return {
    async find(runId) {
      const waiting = deps.conversations.streamOf(runId);
      const { byId, hasForgotten } = (await view.current()).state;
      const known = byId.get(runId);
      if (known !== undefined) return known;
      if (waiting !== undefined) return { stream: waiting, endSeq: undefined };
      return hasForgotten ? await findOld(deps.log, runId) : undefined;
    },
  };
}

interface Runs {
  readonly byId: Map<TurnId, FoundRun>;
  hasForgotten: boolean;
}

function createRuns(): Runs {
  return { byId: new Map(), hasForgotten: false };
}

/** A run belongs to the session where it happened: forks only have copies of it. */
function apply(runs: Runs, event: CanonicalEvent): void {
  const { turnId, stream, seq } = event;
  if (turnId === undefined || copyOf(event) !== undefined) return;
  runs.byId.set(turnId, { stream, endSeq: event.type === "turn.started" ? undefined : seq });
  const [oldest] = runs.byId.keys();
  if (oldest === undefined || runs.byId.size <= REMEMBERED_RUNS) return;
  runs.byId.delete(oldest);
  runs.hasForgotten = true;
}

async function findOld(log: Pick<EventLog, "readAll">, runId: TurnId): Promise<FoundRun | undefined> {
  const found = createRuns();
  for await (const { event } of log.readAll({ types: TYPES })) {
    const read = event.turnId === runId ? readEvent(event) : undefined;
    if (read?.kind === "known") apply(found, read.event);
  }
  return found.byId.get(runId);
}
