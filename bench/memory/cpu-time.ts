import { readProcessTree } from "../process-stats.ts";

/** CPU time in milliseconds, of the whole process and of the thread that asks. */
export interface CpuTime {
  readonly all: number;
  readonly own: number;
}

export async function cpuOf(work: () => unknown): Promise<CpuTime> {
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  await work();
  return { all: sum(process.cpuUsage(all)), own: sum(process.threadCpuUsage(own)) };
}

/** In milliseconds, with what the processes that this one has started took; in steps of ten. */
export async function cpuWithChildren(work: () => unknown): Promise<number> {
  const before = readProcessTree(process.pid).cpuSeconds;
  await work();
  return (readProcessTree(process.pid).cpuSeconds - before) * 1_000;
}

export async function eachCpu<T>(
  items: readonly T[],
  work: (item: T) => unknown,
): Promise<readonly CpuTime[]> {
  const times: CpuTime[] = [];
  for (const item of items) times.push(await cpuOf(() => work(item)));
  return times;
}

/** The time that this share of all runs stayed below. */
export function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
