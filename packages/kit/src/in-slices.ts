/** How long work may block the thread before other work runs. */
const SLICE_MS = 20;

/** Tells long work on one thread when it is time to let others run. */
export interface Slices {
  /** True once the current slice has been used up. */
  isOver(): boolean;
  /**
   * Lets all other due work run, then begins the next slice. Cannot be aborted, because it takes no time
   * itself.
   */
  next(): Promise<void>;
}

export function createSlices(nowMs: () => number = () => performance.now(), sliceMs = SLICE_MS): Slices {
  let endMs = nowMs() + sliceMs;
  return {
    isOver: () => nowMs() >= endMs,
    async next() {
      // A timer, not a microtask: reads of sockets and files come in between.
      await new Promise<void>((resolve) => void setTimeout(resolve, 0));
      endMs = nowMs() + sliceMs;
    },
  };
}

/** Does all steps of some work and lets other work run in between. Rejects as a step does; not abortable. */
export async function inSlices(steps: Iterable<unknown>, slices: Slices = createSlices()): Promise<void> {
  // The steps themselves do the work; the yielded values are ignored.
  for (const step of steps) {
    void step;
    if (slices.isOver()) await slices.next();
  }
}
