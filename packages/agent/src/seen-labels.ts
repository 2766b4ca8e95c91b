import { type EventLog, type Label, readEvent, type StreamId } from "@deputy/protocol";

/** Where everything came from that a session's programs, and so its model, have seen up to now. */
export async function seenLabels(log: EventLog, stream: StreamId): Promise<Map<string, Label>> {
  const seen = new Map<string, Label>();
  for await (const stored of log.read(stream)) {
    if (stored.type !== "call.settled") continue;
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "call.settled") continue;
    for (const label of read.event.data.labels) seen.set(`${label.trust} ${label.source}`, label);
  }
  return seen;
}
