import { AsyncLocalStorage } from "node:async_hooks";
import { WorkflowWorldError } from "@workflow/errors";
import type { QueueRows } from "./queue-rows.ts";

/** A message being delivered, as everything that its handler calls sees it. */
export interface Delivery {
  readonly id: number;
  readonly run: string | undefined;
  readonly lease: string;
  /** Aborted when the lease is lost, the run is cancelled or the World is closed; the reason says which. */
  readonly signal: AbortSignal;
  /** Run inside the transaction of the next event that ends this delivery's step. */
  onStepEnd: (() => void) | undefined;
}

export interface DeliveryScope {
  run<T>(delivery: Delivery, work: () => Promise<T>): Promise<T>;
  /** For work that whoever is within a delivery asks for, and that is no part of it: it may last longer. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  readonly current: Delivery | undefined;
  /** Inside a transaction: throws when the delivery at work has lost its lease. Outside of one, all is well. */
  assertLease(): void;
}

export function createDeliveryScope(queue: QueueRows): DeliveryScope {
  const scope = new AsyncLocalStorage<Delivery | undefined>();
  return {
    run: (delivery, work) => scope.run(delivery, work),
    outside: (work) => scope.run(undefined, work),
    get current() {
      return scope.getStore();
    },
    assertLease() {
      const delivery = scope.getStore();
      if (delivery === undefined || queue.isLeased(delivery.id, delivery.lease)) return;
      // A status above 500 is what Workflow DevKit does not take for the step's own failure.
      throw new WorkflowWorldError("The lease of this delivery was taken over", {
        status: 503,
        code: "LEASE_LOST",
      });
    },
  };
}

/** Why a delivery is to stop. */
export type StopReason = "lease_lost" | "cancelled" | "suspended";

export class DeliveryStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`The delivery was stopped: ${reason}`);
    this.name = "DeliveryStopped";
    this.reason = reason;
  }
}
