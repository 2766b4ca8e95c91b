import type { Clock } from "@deputy/kit";
import type { Hook } from "./hook.ts";

/** Counts what was delivered to each hook in fixed minutes. */
export interface DeliveryRate {
  /** Counts one more. 0 if it is allowed, otherwise the milliseconds until the next one is. */
  count(hook: Pick<Hook, "id" | "maxPerMinute">): number;
}

const MINUTE_MS = 60_000;

/** Only hooks that exist are counted, so there are no more counts than these. */
export function createDeliveryRate({ clock }: { readonly clock: Clock }): DeliveryRate {
  const minutes = new Map<string, { readonly endsMs: number; taken: number }>();
  return {
    count({ id, maxPerMinute }) {
      const nowMs = clock.monotonicMs();
      const current = minutes.get(id);
      const minute =
        current === undefined || current.endsMs <= nowMs ? { endsMs: nowMs + MINUTE_MS, taken: 0 } : current;
      minutes.set(id, minute);
      minute.taken += 1;
      return minute.taken > maxPerMinute ? minute.endsMs - nowMs : 0;
    },
  };
}
