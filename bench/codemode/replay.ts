import type { BridgeCall, CellRecord, Sandbox } from "@deputy/codemode";
import { resumeCell } from "@deputy/codemode/resume-cell";
import { createWorkerSandbox } from "@deputy/codemode/node";
import { reportPeer } from "../report.ts";
import { guestSpec } from "./guest-engine.ts";
import { issuesJson } from "./issues.ts";
import { cpuPerRunMs, interleave } from "./measure.ts";
import { sized } from "../sized.ts";

const ROUNDS = sized(9, 1);
const REPLAYED_CALLS = sized(50, 5);

/** The same cell brought back to its wait: from its image, and by replaying 50 results. */
export async function benchReplay(): Promise<void> {
  await using sandbox = createWorkerSandbox();
  const { record, image } = await playRecord(sandbox);
  const resume = async (from: CellRecord): Promise<void> => {
    const stop = new AbortController();
    const spec = { ...guestSpec(REPLAYED), onCall: () => {} };
    const cell = resumeCell(sandbox, spec, from, fingerprint, stop.signal);
    if ((await cell.quiet()) !== "waiting") throw new Error("The cell did not go on");
    await cell.hibernate();
    stop.abort();
    await cell.outcome;
  };
  const rounds = await interleave(ROUNDS, [
    ["image", () => cpuPerRunMs(10, () => resume({ ...record, image }))],
    ["replay", () => cpuPerRunMs(10, () => resume(record))],
  ]);
  console.log(`A cell after ${REPLAYED_CALLS} calls, through a worker, until it waits again and sleeps:`);
  const own = rounds.get("image") ?? [];
  reportPeer("  from its image", "ms CPU", own, {
    name: `replay of ${REPLAYED_CALLS} calls`,
    rounds: rounds.get("replay") ?? [],
  });
}

const REPLAYED = `for (let id = 0; id < ${REPLAYED_CALLS}; id++) await tools.issues.get({ id }); return await tools.issues.list({})`;
const fingerprint = (call: BridgeCall): string => `${call.path} ${call.inputJson}`;

async function playRecord(sandbox: Sandbox) {
  const calls = new Map<number, string>();
  const settled: CellRecord["settled"][number][] = [];
  const stop = new AbortController();
  const onCall = (call: BridgeCall): void => {
    calls.set(call.id, fingerprint(call));
    if (call.id > REPLAYED_CALLS) return;
    const settlement = { kind: "ok", json: issuesJson(1), atMs: call.id } as const;
    settled.push({ id: call.id, settlement });
    cell.settle(call.id, settlement);
  };
  const cell = sandbox.start({ ...guestSpec(REPLAYED), onCall }, stop.signal);
  await cell.quiet();
  const bytes = await cell.hibernate();
  stop.abort();
  if (bytes === undefined) throw new Error("The cell did not sleep");
  return { record: { calls, settled }, image: { after: settled.length, bytes } };
}
