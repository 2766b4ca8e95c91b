import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sized } from "../sized.ts";

/** CPU time of this process in all threads, including workers and garbage collection. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The CPU time of `count` runs, per run. Starts with an empty heap, so that nobody pays for another's garbage. */
export async function cpuPerRunMs(count: number, run: () => unknown): Promise<number> {
  collectGarbage();
  const before = processCpuMs();
  const runs = sized(count, 1);
  for (let n = 0; n < runs; n++) await run();
  return (processCpuMs() - before) / runs;
}

/** Each contender measures itself once per round, in turn. The first two rounds only warm up. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: readonly (readonly [Name, () => Promise<number>])[],
): Promise<ReadonlyMap<Name, readonly number[]>> {
  const measured = new Map(contenders.map(([name]) => [name, [] as number[]]));
  for (let round = sized(-2, 0); round < rounds; round++) {
    for (const [name, measure] of contenders) {
      const value = await measure();
      if (round >= 0) measured.get(name)?.push(value);
    }
  }
  return measured;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
