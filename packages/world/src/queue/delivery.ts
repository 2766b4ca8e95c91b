import { AsyncLocalStorage } from "node:async_hooks";
import { WorkflowWorldError } from "@workflow/errors";
import type { QueueRows } from "./queue-rows.ts";

/** A message that is being delivered, as its handler's calls see it. */
export interface Delivery {
  readonly id: number;
  readonly run: string | undefined;
  readonly lease: string;
  /** Aborted when the lease is lost, the run is cancelled or the World is closed; the reason says which. */
  readonly signal: AbortSignal;
  /** Runs inside the transaction of the next event that ends this delivery's step. */
  onStepEnd: (() => void) | undefined;
}

export interface DeliveryScope {
  run<T>(delivery: Delivery, work: () => Promise<T>): Promise<T>;
  /** For work that is requested within a delivery but is not part of it: it may last longer. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  readonly current: Delivery | undefined;
  /**
   * Inside a transaction: throws if the current delivery has lost its lease. Does nothing outside of a
   * delivery.
   */
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
      // With a status above 500, Workflow DevKit does not count it as the step's own failure.
      throw new WorkflowWorldError("The lease of this delivery was taken over", {
        status: 503,
        code: "LEASE_LOST",
      });
    },
  };
}

/** Why a delivery must stop. */
export type StopReason = "lease_lost" | "cancelled" | "suspended";

export class DeliveryStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`The delivery was stopped: ${reason}`);
    this.name = "DeliveryStopped";
    this.reason = reason;
  }
}
