import { EventLogError, type EventLog, isTurnEndType, readEvent } from "@deputy/protocol";
import type { Turn } from "../turn/turn.ts";

/** The appends of one owner of a turn. */
export interface TurnFence {
  /**
   * Appends like the log, as long as this owner has the turn. Once another owner has claimed or ended it, nothing is
   * written: this calls `onLost` and rejects with what that returns.
   */
  readonly append: EventLog["append"];
}

/**
 * Each append says which event it expects to follow. Where another one came in between, the fence reads what that was:
 * if it took the turn away, the append is refused; anything else does not matter, and the append is tried again.
 */
export function createTurnFence(deps: {
  readonly log: Pick<EventLog, "append" | "read">;
  readonly turn: Pick<Turn, "stream" | "turnId">;
  readonly epoch: number;
  /** The turn is this owner's up to this event. */
  readonly seq: number;
  readonly onLost: () => Error;
}): TurnFence {
  const { log, epoch } = deps;
  const { stream, turnId } = deps.turn;
  /** Read up to here. */
  let known = deps.seq;
  /** The sequence number at which the stream ends once all appends under way are written. */
  let head = deps.seq;
  let reading: Promise<void> | undefined;
  let lost: Error | undefined;

  const lose = (): Error => (lost ??= deps.onLost());

  const readOn = async (): Promise<void> => {
    for await (const stored of log.read(stream, { after: known })) {
      known = stored.seq;
      if (stored.turnId !== turnId) continue;
      if (isTurnEndType(stored.type)) lose();
      const read = readEvent(stored);
      if (read.kind === "known" && read.event.type === "turn.claimed" && read.event.data.epoch > epoch)
        lose();
    }
    head = known;
  };
  const catchUp = (): Promise<void> => (reading ??= readOn().finally(() => (reading = undefined)));

  return {
    async append(_stream, events, options) {
      for (;;) {
        if (lost !== undefined) throw lost;
        const expectedSeq = head;
        // Appends that are made side by side follow each other.
        head += events.length;
        try {
          return await log.append(stream, events, { ...options, expectedSeq });
        } catch (error) {
          if (!(error instanceof EventLogError)) throw error;
          if (error.code === "turn_ended") throw lose();
          await catchUp();
          if (error.code !== "conflict") throw error;
        }
      }
    },
  };
}
