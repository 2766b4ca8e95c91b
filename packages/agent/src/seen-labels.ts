import { type EventLog, type Label, readEvent, type StreamId } from "@deputy/protocol";

/** Where everything came from that a session's programs, and so its model, have seen up to now. */
export async function seenLabels(log: EventLog, stream: StreamId): Promise<Map<string, Label>> {
  const seen = new Map<string, Label>();
  for await (const stored of log.read(stream)) {
    if (stored.type !== "call.settled" && stored.type !== "session.compacted") continue;
    const read = readEvent(stored);
    if (read.kind !== "known") continue;
    const { event } = read;
    // A summary keeps the labels of what it was made of, should that be erased.
    if (event.type !== "call.settled" && event.type !== "session.compacted") continue;
    for (const label of event.data.labels ?? []) seen.set(`${label.trust} ${label.source}`, label);
  }
  return seen;
}
