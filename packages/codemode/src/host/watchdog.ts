/** How long after its time a worker without an answer is given up: native loops ignore interrupts. */
const GRACE_MS = 250;

/** Watches a computing worker; sleeps while the worker only waits. */
export interface Watchdog {
  /** Call it after sending something that will be answered. */
  /** `allowanceMs`: what it may take beyond the remaining time. */
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
    // If this process itself was held up, the answer may still be unread.
    link.afterMessages(() => {
      if (isSilent()) void link.computingMs().then((ms) => isSilent() && judge(ms));
    });
  };
  /** On a busy machine the time may have passed without the worker running. */
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
