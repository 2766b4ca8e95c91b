import { type DeliveryStream, EventLogError, type EventLog, type Sha256 } from "@deputy/protocol";
import type { Accepted, Delivery, Inbox } from "./inbox.ts";

/**
 * The inbox over the event log. Each delivery is the first event of its own stream, named by hook and key:
 * the log itself refuses a second one with one index lookup, and no other table of past deliveries is kept.
 */
export function createLogInbox(deps: {
  readonly log: Pick<EventLog, "append">;
  readonly sha256: Sha256;
  /** A copy without secrets. */
  readonly redact: (payload: unknown) => unknown;
}): Inbox {
  return {
    async accept(delivery): Promise<Accepted> {
      const { key: _key, payload, ...told } = delivery;
      const data = {
        ...told,
        payload: deps.redact(payload),
        label: { trust: "untrusted", source: `hook:${delivery.hook}` },
      } as const;
      try {
        const options = { durability: "full", expectedSeq: 0 } as const;
        await deps.log.append(streamOf(delivery, deps.sha256), [{ type: "hook.received", data }], options);
        return { kind: "accepted" };
      } catch (error) {
        if (error instanceof EventLogError && error.code === "conflict") return { kind: "duplicate" };
        throw error;
      }
    },
  };
}

function streamOf({ hookId, key }: Delivery, sha256: Sha256): DeliveryStream {
  return `delivery:${sha256(JSON.stringify([hookId, key]))}`;
}
