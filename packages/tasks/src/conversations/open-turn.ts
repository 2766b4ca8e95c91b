import type { Turn } from "@deputy/agent";
import type { EventLog, StreamId } from "@deputy/protocol";

/** A turn without an end, and its messages that the model has not got yet. */
export interface OpenTurn {
  readonly turn: Turn;
  /** Resolves once it has ended, or was suspended. */
  readonly over: Promise<void>;
  setOver(): void;
  /** From here on nothing joins: it is being stopped. */
  close(): void;
  isClosed(): boolean;
  /** Counts the append that adds a message, and resolves as it does. */
  join(append: () => Promise<number>): Promise<number>;
  /** The turn begins: it sees what was said so far. */
  begin(): void;
  /** Messages that the model has not been given yet, as far as is known. */
  unread(): number;
  /** Looks up in the log how far the model has read. */
  refresh(log: Pick<EventLog, "read">): Promise<void>;
}

export function createOpenTurn(turn: Turn): OpenTurn {
  const over = Promise.withResolvers<void>();
  let joining = 0;
  let isClosed = false;
  let unreadSeqs: number[] = [];

  return {
    turn,
    over: over.promise,
    setOver: over.resolve,
    close: () => void (isClosed = true),
    isClosed: () => isClosed,
    async join(append) {
      joining += 1;
      try {
        const seq = await append();
        unreadSeqs.push(seq);
        return seq;
      } finally {
        joining -= 1;
      }
    },
    begin() {
      unreadSeqs = [];
    },
    unread: () => unreadSeqs.length + joining,
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
