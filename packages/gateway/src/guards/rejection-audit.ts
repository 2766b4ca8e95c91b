import { type Clock, CodedError } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";

/** Writes `auth.rejected` to the system stream, so few per minute that a flood cannot fill the disk. */
export interface RejectionAudit {
  /** Resolves also when the log refuses: the request is turned away either way. */
  record(rejection: {
    readonly from: string;
    readonly route: string;
    readonly reason: string;
  }): Promise<void>;
}

const WINDOW_MS = 60_000;

export function createRejectionAudit(deps: {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly perMinute: number;
}): RejectionAudit {
  let windowEndsMs = 0;
  let written = 0;
  let unwritten = 0;

  return {
    async record({ from, route, reason }) {
      const nowMs = deps.clock.monotonicMs();
      if (nowMs >= windowEndsMs) {
        windowEndsMs = nowMs + WINDOW_MS;
        written = 0;
      }
      if (written >= deps.perMinute) {
        unwritten += 1;
        return;
      }
      written += 1;
      const more = unwritten === 0 ? "" : ` (and ${unwritten} more before it)`;
      unwritten = 0;
      const data = { who: "unknown", from, route, reason: `${reason}${more}` };
      try {
        await deps.log.append("system", [{ type: "auth.rejected", data }], { durability: "relaxed" });
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
      }
    },
  };
}
