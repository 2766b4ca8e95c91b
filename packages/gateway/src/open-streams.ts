import { once } from "node:events";
import { GatewayError } from "./gateway-error.ts";

/** The event streams that are being sent. */
export interface OpenStreams {
  /** Counts `send` as open until it settles. Rejects with `too_many_streams`, without calling it. */
  hold(send: () => Promise<void>): Promise<void>;
  /** Resolves once none is open, or when the signal aborts. */
  idle(signal: AbortSignal): Promise<void>;
}

export function createOpenStreams(limits: { readonly openStreams: number }): OpenStreams {
  const open = new Set<Promise<void>>();
  return {
    async hold(send) {
      if (open.size >= limits.openStreams)
        throw new GatewayError("too_many_streams", "Close another client and try again");
      const sending = send().finally(() => open.delete(sending));
      open.add(sending);
      await sending;
    },
    async idle(signal) {
      while (open.size > 0 && !signal.aborted)
        await Promise.race([Promise.allSettled(open), once(signal, "abort")]);
    },
  };
}
