import { type EventLog, readEvent } from "@deputy/protocol";
import type { InboxReader, ReceivedDelivery } from "./inbox.ts";

/** Reads the deliveries from the beginning; skips erased ones. */
export function createInboxReader(log: Pick<EventLog, "readAll">): InboxReader {
  return {
    async newest({ hookId, limit }) {
      const found: ReceivedDelivery[] = [];
      for await (const { event: stored } of log.readAll({ types: ["hook.received"] })) {
        const read = readEvent(stored);
        if (read.kind !== "known" || read.event.type !== "hook.received") continue;
        if (hookId !== undefined && read.event.data.hookId !== hookId) continue;
        found.push(read.event);
        if (found.length > limit) found.shift();
      }
      return found.toReversed();
    },
  };
}
