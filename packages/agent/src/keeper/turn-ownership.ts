import type { TurnId } from "@deputy/kit";
import type { CanonicalEvent } from "@deputy/protocol";
import type { TurnOutcome } from "../turn/turn.ts";

/** The owner of a turn, read from the turn's events. */
export interface TurnOwnership {
  readonly isStarted: boolean;
  /** Grows with every owner; 0 before the first. Whoever has a smaller one has lost the turn. */
  readonly epoch: number;
  /** Undefined before the first owner, and after the last one has let go. */
  readonly owner: string | undefined;
  /** How it ended, if it has. */
  readonly outcome: TurnOutcome | undefined;
}

export function readOwnership(events: Iterable<CanonicalEvent>, turnId: TurnId): TurnOwnership {
  let isStarted = false;
  let epoch = 0;
  let owner: string | undefined;
  let outcome: TurnOutcome | undefined;
  for (const event of events) {
    if (event.turnId !== turnId) continue;
    switch (event.type) {
      case "turn.started":
        isStarted = true;
        epoch = Math.max(epoch, event.data.epoch ?? 1);
        owner = event.data.owner ?? UNNAMED_OWNER;
        break;
      case "turn.claimed":
        ({ owner, epoch } = event.data);
        break;
      case "turn.suspended":
        if (event.data.epoch === epoch) owner = undefined;
        break;
      case "turn.completed":
        outcome = { kind: "completed" };
        break;
      case "turn.failed":
        outcome = { kind: "failed", code: event.data.code, message: event.data.message };
        break;
      case "turn.aborted":
        outcome = { kind: "aborted" };
        break;
      default:
    }
  }
  return { isStarted, epoch, owner, outcome };
}

/** Events of earlier versions do not say who wrote them. */
export const UNNAMED_OWNER = "unknown";
