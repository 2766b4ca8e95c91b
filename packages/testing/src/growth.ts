/** Below it work grows as its input does, which gives 4; work that grows with the square of it gives 16. */
export const LINEAR = 9;

const RUNS = 3;
/** A busy machine can make one measurement too long, but not each of them; work that grows faster always is. */
const TRIES = 5;
/** What takes less cannot be told from the clock's own steps, and is quick enough. */
const LEAST_MICROS = 1_000;
const ENOUGH_MICROS = 24_000;
const MOST_RUNS = 50;

/**
 * How many times as long `work` takes for four times the size. Counts the processor's time of this thread, so that the
 * answer depends on the work alone, and not on the machine or what else it does. Measures again until it is linear.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  microsOf(work, size);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= LINEAR; tries++)
    least = Math.min(least, microsOf(work, 4 * size) / Math.max(leastMicros(work, size), LEAST_MICROS));
  return least;
}

function leastMicros(work: (size: number) => void, size: number): number {
  return Math.min(...Array.from({ length: RUNS }, () => microsOf(work, size)));
}

/** Some systems count a thread's time in steps of four milliseconds: the work is repeated until one step matters little. */
function microsOf(work: (size: number) => void, size: number): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    work(size);
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ENOUGH_MICROS || runs === MOST_RUNS) return (user + system) / runs;
  }
}
