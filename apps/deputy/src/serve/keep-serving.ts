import { type Clock, CodedError } from "@deputy/kit";
import { describeCondition } from "../process/report-failure.ts";

/** How one round of serving ended: it was stopped, its open files can no longer be relied on, or it was asked to begin anew. */
export interface Served {
  readonly kind: "stopped" | "failed" | "renewed";
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A round that lasted this long has recovered from earlier failures. */
const STEADY_MS = 60_000;

/**
 * Serves until it is stopped. After the disk refused a sync, only data that is read again from the files can be
 * trusted: so everything is closed and opened again, as a restart would do. While that fails it waits, longer each
 * time. Rejects with the error of the first round before it is ready, and with any later error that the disk did not
 * cause.
 */
export async function keepServing(deps: {
  /** One round. When it settles, nothing is left open; calls `onReady` once it can be reached. */
  readonly serveOnce: (onReady: () => void) => Promise<Served>;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { clock, warn, onBug, signal } = deps;
  let wasReady = false;
  /** The last round has ended because somebody wanted it, not because something failed. */
  let wasRenewed = false;
  let waitMs = FIRST_WAIT_MS;
  /** The last reason that was reported for not opening. */
  let told: string | undefined;

  const round = async (): Promise<Served | { readonly kind: "not_opened"; readonly error: unknown }> => {
    let readyAtMs: number | undefined;
    try {
      const served = await deps.serveOnce(() => {
        readyAtMs = clock.monotonicMs();
        if (wasReady && !wasRenewed)
          warn(
            "The log is open again, and has everything that was acknowledged; interrupted work continues.",
          );
        wasReady = true;
        told = undefined;
      });
      if (readyAtMs !== undefined && clock.monotonicMs() - readyAtMs >= STEADY_MS) waitMs = FIRST_WAIT_MS;
      return served;
    } catch (error) {
      if (!wasReady || readyAtMs !== undefined) throw error;
      return { kind: "not_opened", error };
    }
  };

  const tellNotOpened = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason === told) return;
    told = reason;
    if (!(error instanceof CodedError)) onBug(error);
    const what = describeCondition(error) ?? "Something went wrong inside Deputy.";
    warn(`The log cannot be opened again yet: ${what} Deputy tries again by itself, at least once a minute.`);
  };

  for (;;) {
    const end = await round();
    if (end.kind === "stopped" || signal.aborted) return;
    wasRenewed = end.kind === "renewed";
    if (wasRenewed) continue;
    if (end.kind === "not_opened") tellNotOpened(end.error);
    await clock.sleep(waitMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}
