import { createLogView, type LogView } from "@deputy/agent";
import type { EventLog } from "@deputy/protocol";

/** The last deliveries of each hook, by its name, the newest last: when, how they are called, how long they were. */
export type LastDeliveries = Map<string, readonly LastDelivery[]>;

export interface LastDelivery {
  readonly at: string;
  readonly deliveryId: string;
  readonly event?: string;
  readonly bytes: number;
}

/** How many are remembered for each hook. */
const REMEMBERED = 5;

export function openLastDeliveries(log: Pick<EventLog, "readAll" | "snapshots">): LogView<LastDeliveries> {
  return createLogView<LastDeliveries>(
    log,
    ["hook.received"],
    new Map(),
    (byHook, stored) => {
      if (stored.type !== "hook.received") return;
      const { hook, deliveryId, event, bytes } = stored.data;
      const one = { at: stored.at, deliveryId, bytes, ...(event === undefined ? {} : { event }) };
      byHook.set(hook, [...(byHook.get(hook) ?? []), one].slice(-REMEMBERED));
    },
    { name: "last deliveries 1" },
  );
}
