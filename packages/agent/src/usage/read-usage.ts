import { type EventLog, readEvent, type StreamId, type Usage } from "@deputy/protocol";
import { localDay } from "@deputy/protocol/schedule";
import { copyOf } from "../sessions/event-copy.ts";

/** The usage of one turn that has ended. */
export interface TurnUsage {
  /** The user's day on which it ended. */
  readonly day: string;
  readonly at: string;
  readonly model: string;
  readonly session: StreamId;
  readonly usage: Usage;
  /** Absent where the model's price is not known. */
  readonly cost?: { readonly amount: number; readonly currency: string } | undefined;
}

const TYPES = ["turn.started", "turn.completed", "turn.failed", "turn.aborted"] as const;

/**
 * Every turn that used something, in the order they ended; what a fork repeats of another session is passed
 * over. Rejects as the log does.
 */
export async function* readUsage(log: Pick<EventLog, "readAll">): AsyncGenerator<TurnUsage> {
  const models = new Map<string, string>();
  for await (const { event: stored } of log.readAll({ types: TYPES })) {
    const read = readEvent(stored);
    if (read.kind !== "known" || copyOf(read.event) !== undefined) continue;
    const { event } = read;
    const turn = event.turnId ?? "";
    if (event.type === "turn.started") models.set(turn, event.data.model);
    if (event.type !== "turn.completed" && event.type !== "turn.failed" && event.type !== "turn.aborted")
      continue;
    const model = models.get(turn) ?? "unknown";
    models.delete(turn);
    const { usage, cost } = event.data;
    if (usage === undefined || usage.modelCalls === 0) continue;
    yield { day: localDay(event.at), at: event.at, model, session: event.stream, usage, cost };
  }
}
