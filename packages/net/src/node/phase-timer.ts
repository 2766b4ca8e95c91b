import type { Clock } from "@deputy/kit";

/** One deadline at a time: of the phase that something is in. */
export interface PhaseTimer {
  /** Ends the phase before it. */
  begin(ms: number, onLate: () => void): void;
  end(): void;
}

export function createPhaseTimer(clock: Pick<Clock, "sleep">): PhaseTimer {
  let running: AbortController | undefined;
  const end = (): void => running?.abort();
  return {
    begin(ms, onLate) {
      end();
      const phase = new AbortController();
      running = phase;
      clock.sleep(ms, phase.signal).then(onLate, () => undefined);
    },
    end,
  };
}
