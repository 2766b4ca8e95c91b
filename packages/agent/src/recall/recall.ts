import type { SessionId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, isSessionStream, type EventOf } from "@deputy/protocol";
import type { Redactor } from "@deputy/secrets";
import type { TurnLog } from "../keeper/turn-keeper.ts";
import type { Turn } from "../turn/turn.ts";

/** Finds what an agent remembers that fits a message. */
export interface Recall {
  /**
   * What to show the model; undefined: nothing fits. Bounded in time and size. Never rejects but with the signal's
   * reason: why nothing could be looked up is in the `note`.
   */
  recall(request: RecallRequest, signal: AbortSignal): Promise<Recalled | undefined>;
}

export interface RecallRequest {
  readonly agentId: string;
  /** What was said in it is in the prompt already. */
  readonly session: SessionId;
  /** The user's own words. */
  readonly text: string;
  /** What the prompt has of earlier recalls: see `recalledKey`. */
  readonly shown: ReadonlySet<string>;
}

export type Recalled = Omit<EventData<"memory.recalled">, "forSeq">;
type Hit = Recalled["hits"][number];

/** Names a piece of text in the memory. */
export function recalledKey({ path, lines, text }: Pick<Hit, "path" | "lines" | "text">): string {
  return JSON.stringify([path, lines, text]);
}

/**
 * Recalls for the last message of the user's, once in its turn, and writes down what was found. True: the prompt has
 * more now. A message for which nothing was found is looked up again only by another process.
 */
export function createTurnRecall(
  deps: {
    readonly log: Pick<TurnLog, "append">;
    readonly recall: Recall | undefined;
    readonly redactor: Pick<Redactor, "json">;
  },
  turn: Turn,
): (events: readonly CanonicalEvent[], signal: AbortSignal) => Promise<boolean> {
  const tried = new Set<number>();
  const { stream, turnId, agentId } = turn;
  return async (events, signal) => {
    const message = events.findLast(isOfUser);
    if (deps.recall === undefined || message === undefined || !isSessionStream(stream)) return false;
    const recalled = events.filter((event) => event.type === "memory.recalled");
    if (tried.has(message.seq) || recalled.some(({ data }) => data.forSeq === message.seq)) return false;
    tried.add(message.seq);
    const shown = new Set(recalled.flatMap(({ data }) => data.hits.map(recalledKey)));
    const request = { agentId, session: stream, text: saidIn(message.data), shown };
    const found = await deps.recall.recall(request, signal);
    if (found === undefined) return false;
    const data = { forSeq: message.seq, ...deps.redactor.json(found) };
    await deps.log.append(stream, [{ type: "memory.recalled", turnId, data }]);
    return found.hits.length > 0;
  };
}

function isOfUser(event: CanonicalEvent): event is EventOf<"user.message"> {
  return event.type === "user.message" && event.data.trust === "user";
}

function saidIn({ text, said = { start: 0, end: text.length } }: EventData<"user.message">): string {
  return text.slice(said.start, said.end);
}
