/** How long after its time a worker that does not answer is given up: native loops heed no interrupt. */
const GRACE_MS = 250;

/** Watches over a worker that computes; sleeps while the worker only waits. */
export interface Watchdog {
  /** Something was sent that will be answered. */
  /** `allowanceMs`: what it may take beyond the time that is left. */
  asked(allowanceMs?: number): void;
  answered(usedMs: number): void;
  stop(): void;
}

export function createWatchdog(
  link: { afterMessages(check: () => void): void; computingMs(): Promise<number> },
  limitMs: number,
  alreadyUsedMs: number,
  onSilence: () => void,
): Watchdog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unanswered = 0;
  let answers = 0;
  let usedMs = alreadyUsedMs;
  let allowedMs = 0;

  const leftMs = (): number => Math.max(limitMs - usedMs, 0) + allowedMs + GRACE_MS;
  const arm = (waitMs: number): void => {
    clearTimeout(timer);
    if (unanswered > 0) timer = setTimeout(bark, waitMs);
  };
  const bark = (): void => {
    const seen = answers;
    const isSilent = (): boolean => answers === seen && unanswered > 0;
    // When this process itself was held up, the answer may be waiting to be read.
    link.afterMessages(() => {
      if (isSilent()) void link.computingMs().then((ms) => isSilent() && judge(ms));
    });
  };
  /** On a busy machine the time may have passed without the worker having had it. */
  const judge = (computingMs: number): void => {
    if (computingMs >= leftMs() - GRACE_MS) onSilence();
    else arm(leftMs() - computingMs);
  };

  return {
    asked(allowanceMs = 0) {
      unanswered += 1;
      allowedMs += allowanceMs;
      if (unanswered === 1 || allowanceMs > 0) arm(leftMs());
    },
    answered(used) {
      unanswered -= 1;
      answers += 1;
      usedMs = used;
      if (unanswered === 0) allowedMs = 0;
      arm(leftMs());
    },
    stop() {
      unanswered = 0;
      clearTimeout(timer);
    },
  };
}
