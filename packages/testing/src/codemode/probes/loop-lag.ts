/** Measures how long this thread's event loop was held up. */
export interface LoopLag {
  /** The longest time since the last `take`. */
  takeWorstMs(): number;
  stop(): void;
}

const TICK_MS = 10;

export function watchLoopLag(): LoopLag {
  let worstMs = 0;
  let lastMs = performance.now();
  const tick = (): void => {
    const nowMs = performance.now();
    worstMs = Math.max(worstMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  };
  const timer = setInterval(tick, TICK_MS);
  return {
    takeWorstMs() {
      tick();
      const worst = worstMs;
      worstMs = 0;
      return worst;
    },
    stop: () => clearInterval(timer),
  };
}
