/** Lets one reader sleep until it is woken. A ring without a waiting reader is kept for the next wait. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or when the signal aborts; never rejects. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;

  return {
    ring() {
      if (wake === undefined) rung = true;
      else wake();
    },
    wait(signal) {
      if (rung || signal.aborted) {
        rung = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        wake = () => {
          wake = undefined;
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const onAbort = wake;
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
