import { reportLimit, reportPeer } from "../report.ts";
import { cpuPerRunMs, interleave, median } from "./measure.ts";
import type { Runners } from "./runners.ts";
import { sized } from "../sized.ts";

const ROUNDS = sized(9, 1);

/** Runs one program everywhere and prints ours against its limits, and against each peer. */
export async function compareRunners(
  { ours, peers }: Runners,
  measured: {
    readonly what: string;
    readonly code: string;
    readonly unit: string;
    /** Per round. */
    readonly runs: number;
    /** What to print of a run's CPU time. */
    readonly valueOf: (ms: number) => number;
    readonly limits: Partial<Record<Runners["ours"][number][0], number>>;
  },
): Promise<void> {
  const { code, runs, unit, valueOf, limits } = measured;
  const rounds = await interleave(
    ROUNDS,
    [...ours, ...peers].map(
      ([name, run]) => [name, async () => valueOf(await cpuPerRunMs(runs, () => run(code)))] as const,
    ),
  );
  for (const [name] of ours) {
    const own = rounds.get(name) ?? [];
    const what = `  ${measured.what}, ${name}`;
    const limit = limits[name];
    if (limit !== undefined) reportLimit(what, median(own), unit, limit);
    for (const [peer] of peers) reportPeer(what, unit, own, { name: peer, rounds: rounds.get(peer) ?? [] });
  }
}
