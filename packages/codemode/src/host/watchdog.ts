/** How long after its time a worker that does not answer is given up: native loops heed no interrupt. */
const GRACE_MS = 250;

/** Watches over a worker that computes; sleeps while the worker only waits. */
export interface Watchdog {
  /** Something was sent that will be answered. */
  asked(): void;
  answered(usedMs: number): void;
  stop(): void;
}

export function createWatchdog(
  link: { afterMessages(check: () => void): void },
  limitMs: number,
  onSilence: () => void,
): Watchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unanswered = 0;
  let answers = 0;
  let usedMs = 0;

  const arm = (): void => {
    clearTimeout(timer);
    if (unanswered === 0) return;
    timer = setTimeout(bark, Math.max(limitMs - usedMs, 0) + GRACE_MS);
  };
  const bark = (): void => {
    const seen = answers;
    // When this process itself was held up, the answer may be waiting to be read.
    link.afterMessages(() => {
      if (answers === seen && unanswered > 0) onSilence();
    });
  };

  return {
    asked() {
      unanswered += 1;
      if (unanswered === 1) arm();
    },
    answered(used) {
      unanswered -= 1;
      answers += 1;
      usedMs = used;
      arm();
    },
    stop() {
      unanswered = 0;
      clearTimeout(timer);
    },
  };
}
