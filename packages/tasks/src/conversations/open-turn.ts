import type { Turn, TurnInbox } from "@deputy/agent";
import type { EventLog, StreamId } from "@deputy/protocol";

/** A turn without an end, and the messages that join it. */
export interface OpenTurn {
  readonly turn: Turn;
  readonly inbox: TurnInbox;
  /** Stops it, or suspends it. */
  readonly stop: AbortController;
  /** Resolves once it has ended, or was suspended. */
  readonly ended: Promise<void>;
  end(): void;
  /** False once its end is being written: then nothing may join. */
  isOpen(): boolean;
  /** Counts the append that adds a message; the turn does not end before it settles. */
  join(append: () => Promise<number>): Promise<number>;
  /** The turn begins: it sees what was said so far. */
  begin(): void;
  /** Messages that the model has not been given yet, as far as is known. */
  unread(): number;
  /** Looks up in the log how far the model has read. */
  refresh(log: Pick<EventLog, "read">): Promise<void>;
}

export function createOpenTurn(turn: Turn): OpenTurn {
  const ended = Promise.withResolvers<void>();
  const joining = new Set<Promise<unknown>>();
  let unreadSeqs: number[] = [];
  let lastSeq = 0;
  let sealed = false;

  return {
    turn,
    stop: new AbortController(),
    ended: ended.promise,
    end: ended.resolve,
    isOpen: () => !sealed,
    inbox: {
      async closeIfRead(throughSeq) {
        // No step between the last look and the verdict: a message could join in it.
        while (joining.size > 0) await Promise.allSettled(joining);
        if (lastSeq > throughSeq) return false;
        sealed = true;
        return true;
      },
      async close() {
        sealed = true;
        while (joining.size > 0) await Promise.allSettled(joining);
      },
    },
    async join(append) {
      const work = append();
      joining.add(work);
      try {
        const seq = await work;
        unreadSeqs.push(seq);
        lastSeq = Math.max(lastSeq, seq);
        return seq;
      } finally {
        joining.delete(work);
      }
    },
    begin() {
      unreadSeqs = [];
    },
    unread: () => unreadSeqs.length + joining.size,
    async refresh(log) {
      const [first] = unreadSeqs;
      if (first === undefined) return;
      const through = await readThrough(log, turn.stream, first);
      unreadSeqs = unreadSeqs.filter((seq) => seq > through);
    },
  };
}

/** How far the model had read when it last answered; 0 when it has not since `after`. */
export async function readThrough(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  after: number,
): Promise<number> {
  let through = 0;
  for await (const { data } of log.read(stream, { after }))
    through = Math.max(through, answeredThrough(data));
  return through;
}

function answeredThrough(data: unknown): number {
  if (typeof data !== "object" || data === null || !("answer" in data)) return 0;
  const { answer } = data;
  if (typeof answer !== "object" || answer === null || !("throughSeq" in answer)) return 0;
  return typeof answer.throughSeq === "number" ? answer.throughSeq : 0;
}
