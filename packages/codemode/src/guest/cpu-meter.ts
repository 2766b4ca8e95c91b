/** Adds up the time between `resume` and `pause`, and says when it is used up. */
export interface CpuMeter {
  resume(): void;
  pause(): void;
  /** Stays true once it is. */
  isSpent(): boolean;
  usedMs(): number;
}

export function createCpuMeter(nowMs: () => number, limitMs: number, alreadyUsedMs = 0): CpuMeter {
  let usedMs = alreadyUsedMs;
  let runningSince: number | undefined;
  let spent = false;
  const total = (): number => usedMs + (runningSince === undefined ? 0 : nowMs() - runningSince);
  return {
    resume() {
      runningSince = nowMs();
    },
    pause() {
      usedMs = total();
      runningSince = undefined;
    },
    isSpent() {
      spent ||= total() > limitMs;
      return spent;
    },
    usedMs: total,
  };
}
