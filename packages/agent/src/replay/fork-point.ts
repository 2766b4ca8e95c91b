import type { TurnId } from "@deputy/kit";
import type { CanonicalEvent, EventData } from "@deputy/protocol";

/** The place where a fork leaves its session: after an event, or before the answer of a turn. */
export type ForkAt =
  | { readonly kind: "seq"; readonly seq: number }
  | { readonly kind: "turn"; readonly turnId: TurnId };

export type ForkPoint =
  | {
      readonly kind: "found";
      /** The end of the turn before: what comes until there is copied. */
      readonly throughSeq: number;
      /** The user's messages since then, which the fork answers again. */
      readonly said: readonly EventData<"user.message">[];
    }
  | { readonly kind: "unknown_turn" }
  /** There was no message by then. */
  | { readonly kind: "nothing_said" }
  /** The request was a program of the user, which no model answers. */
  | { readonly kind: "program" };

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

/** Finds the last message up to there, and where the turn before it ended. Pure. */
export function findForkPoint(events: readonly CanonicalEvent[], at: ForkAt): ForkPoint {
  const throughSeq = at.kind === "seq" ? at.seq : beginOf(events, at.turnId);
  if (throughSeq === undefined) return { kind: "unknown_turn" };
  const until = events.filter(({ seq }) => seq <= throughSeq);
  const last = until.findLastIndex(({ type }) => type === "user.message");
  if (last < 0) return { kind: "nothing_said" };
  const restSeq = until.slice(0, last).findLast(({ type }) => TURN_ENDS.has(type))?.seq ?? 0;
  const begun = events.find(({ type, seq }) => type === "turn.started" && seq > restSeq);
  if (begun?.type === "turn.started" && begun.data.model === "none") return { kind: "program" };
  const said = until.flatMap((event) =>
    event.type === "user.message" && event.seq > restSeq ? [withoutCopy(event.data)] : [],
  );
  return { kind: "found", throughSeq: restSeq, said };
}

/** The last event before a turn. */
function beginOf(events: readonly CanonicalEvent[], turnId: TurnId): number | undefined {
  const begun = events.find((event) => event.type === "turn.started" && event.turnId === turnId);
  return begun === undefined ? undefined : begun.seq - 1;
}

/** A message that is sent again is no longer a copy. */
function withoutCopy(data: EventData<"user.message">): EventData<"user.message"> {
  const { text, attachments, channel, sender, trust } = data;
  return { text, attachments, channel, sender, trust };
}
