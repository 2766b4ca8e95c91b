import { type CanonicalEvent, type EventLog, readEvent, type StreamId } from "@deputy/protocol";

/** The events of one stream as they are known so far; those of newer versions are passed over. */
export interface StreamView {
  /** All events up to now. What was read once is not read again. */
  current(): Promise<readonly CanonicalEvent[]>;
  /** The last event that was read, of any type. */
  seq(): number;
}

export function createStreamView(log: Pick<EventLog, "read">, stream: StreamId): StreamView {
  const events: CanonicalEvent[] = [];
  let after = 0;
  return {
    async current() {
      for await (const stored of log.read(stream, { after })) {
        after = stored.seq;
        const read = readEvent(stored);
        if (read.kind === "known") events.push(read.event);
      }
      return events;
    },
    seq: () => after,
  };
}
