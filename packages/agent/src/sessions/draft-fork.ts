import { type CanonicalEvent, type EventData, isTurnEndType, type NewEvent } from "@deputy/protocol";
import { copyEvent } from "./event-copy.ts";

export interface Fork {
  /** To stand right behind the new session's first event. */
  readonly copies: readonly NewEvent[];
  /** The last event that could be copied: not beyond a turn that was still going on. */
  readonly throughSeq: number;
}

/**
 * The conversation up to a point, as copies; pure. What belongs to the first session alone stays behind:
 * its approvals and grants, its task, what was erased. Undefined when no turn had ended by then.
 */
export function draftFork(events: readonly CanonicalEvent[], throughSeq: number): Fork | undefined {
  const restSeq = lastRest(events, throughSeq);
  if (restSeq === undefined) return undefined;
  const ended = new Set<string>();
  const taken = events.filter(({ seq, type, turnId }) => {
    if (seq > restSeq || !isConversation(type)) return false;
    if (turnId === undefined) return true;
    // Earlier versions wrote events after the end of a turn. Logs no longer accept them.
    if (ended.has(turnId)) return false;
    if (isTurnEndType(type)) ended.add(turnId);
    return true;
  });
  const seqs = taken.map(({ seq }) => seq);
  return { copies: taken.map((event) => copyEvent(moved(event, seqs))), throughSeq: restSeq };
}

/** The last event up to there after which no turn was going on. */
function lastRest(events: readonly CanonicalEvent[], throughSeq: number): number | undefined {
  const open = new Set<string>();
  let rest: number | undefined;
  for (const { type, turnId, seq } of events) {
    if (seq > throughSeq) break;
    if (turnId === undefined) continue;
    if (type === "turn.started") open.add(turnId);
    if (!isTurnEndType(type)) continue;
    open.delete(turnId);
    if (open.size === 0) rest = seq;
  }
  return rest;
}

const CONVERSATION =
  /^(?:user|assistant|turn|cell|call)\.|^session\.(?:compacted|imported)$|^memory\.recalled$/;
/** The owners of the original's turns mean nothing in a fork. */
const OWNERSHIP: ReadonlySet<string> = new Set(["turn.claimed", "turn.suspended"]);

function isConversation(type: string): boolean {
  return CONVERSATION.test(type) && !OWNERSHIP.has(type);
}

/** The first copy stands behind the session's first event. */
const FIRST_SEQ = 2;

/** With its references to other events of its stream as they are numbered in the new one. */
function moved(event: CanonicalEvent, seqs: readonly number[]): CanonicalEvent {
  const upTo = (seq: number): number => FIRST_SEQ + countUpTo(seqs, seq) - 1;
  if (event.type === "session.compacted") {
    const { fromSeq, throughSeq, keptSeqs } = event.data;
    const kept = keptSeqs?.filter((seq) => seqs.includes(seq)).map(upTo);
    const data: EventData<"session.compacted"> = {
      ...event.data,
      fromSeq: upTo(fromSeq - 1) + 1,
      throughSeq: upTo(throughSeq),
      ...(kept === undefined ? {} : { keptSeqs: kept }),
    };
    return { ...event, data };
  }
  if (event.type === "memory.recalled")
    return { ...event, data: { ...event.data, forSeq: upTo(event.data.forSeq) } };
  if (event.type !== "assistant.message" && event.type !== "cell.submitted") return event;
  const { answer } = event.data;
  if (answer === undefined) return event;
  const data = { ...event.data, answer: { ...answer, throughSeq: upTo(answer.throughSeq) } };
  return { ...event, data } as CanonicalEvent;
}

/** Expects ascending numbers. */
function countUpTo(seqs: readonly number[], seq: number): number {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
