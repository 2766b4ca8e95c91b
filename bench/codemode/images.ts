import type { BridgeCall, Sandbox } from "@deputy/codemode";
import { createWorkerSandbox } from "@deputy/codemode/node";
import {
  type GuestCell,
  type GuestEngine,
  resumeGuestCell,
  startGuestCell,
} from "../../packages/codemode/src/guest/guest-cell.ts";
import { reportLimit } from "../report.ts";
import { guestSpec, openGuestEngine } from "./guest-engine.ts";
import { issuesJson } from "./issues.ts";
import { interleave, median, processCpuMs } from "./measure.ts";
import { sized } from "../sized.ts";

const ROUNDS = sized(9, 1);
const CHECKPOINT_MS = 1;
const CHECKPOINT_KB = 50;
const RESUME_MS = 5;

/** Cells that wait for their second call, by what they hold. */
const HELD = [
  { what: "a tiny cell", json: '"nothing much"', runs: 40 },
  { what: "a typical cell, holding a page of 25 issues", json: issuesJson(25), runs: 40 },
  { what: "a cell holding 200 issues", json: issuesJson(200), runs: 20 },
  { what: "a cell holding 1 MB of parsed JSON", json: issuesJson(3_200), runs: 4 },
];
const CODE = `const held = await tools.issues.list({}); const one = await tools.issues.get({ id: 1 }); return [held, one]`;

/** Peers have no images, so these are compared with their limits. */
export async function benchImages(): Promise<void> {
  const engine = await openGuestEngine();
  await using sandbox = createWorkerSandbox();
  for (const held of HELD) await benchImage(engine, sandbox, held);
}

async function benchImage(engine: GuestEngine, sandbox: Sandbox, held: (typeof HELD)[number]): Promise<void> {
  const { what, json, runs } = held;
  const image = (await openWaiting(engine, json)).leave();
  const rounds = await interleave(ROUNDS, [
    ["leave", () => leaveMs(engine, json, runs)],
    ["hibernate", () => hibernateMs(sandbox, json, runs)],
    ["resume", () => resumeMs(engine, image, runs)],
  ]);
  const of = (name: "leave" | "hibernate" | "resume"): number => median(rounds.get(name) ?? []);
  console.log(`Image of ${what} (${Math.ceil(kb(json.length))} KB as JSON; limits are for a typical cell):`);
  reportLimit("  checkpoint, size", kb(image.length), "KB", CHECKPOINT_KB);
  reportLimit("  checkpoint, in-process", of("leave"), "ms CPU", CHECKPOINT_MS);
  reportLimit("  checkpoint, through a worker", of("hibernate"), "ms CPU", CHECKPOINT_MS);
  reportLimit("  resume, in-process", of("resume"), "ms CPU", RESUME_MS);
}

/** A cell that has its first result and waits for the second. */
async function openWaiting(engine: GuestEngine, json: string): Promise<GuestCell> {
  const { cell } = await startGuestCell(engine, guestSpec(CODE));
  if (cell === undefined) throw new Error("The cell did not wait");
  cell.settle(1, { kind: "ok", json, atMs: 0 });
  return cell;
}

async function leaveMs(engine: GuestEngine, json: string, runs: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const cell = await openWaiting(engine, json);
    const before = processCpuMs();
    cell.leave();
    times.push(processCpuMs() - before);
  }
  return median(times);
}

async function resumeMs(engine: GuestEngine, image: Uint8Array, runs: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const before = processCpuMs();
    const { cell } = await resumeGuestCell(engine, guestSpec(CODE), image);
    times.push(processCpuMs() - before);
    const { end } = cell?.settle(2, { kind: "ok", json: "2", atMs: 0 }) ?? {};
    if (end?.kind !== "completed") throw new Error("The cell did not go on");
  }
  return median(times);
}

async function hibernateMs(sandbox: Sandbox, json: string, runs: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const stop = new AbortController();
    const onCall = ({ id }: BridgeCall): void => {
      if (id === 1) cell.settle(id, { kind: "ok", json, atMs: 0 });
    };
    const cell = sandbox.start({ ...guestSpec(CODE), onCall }, stop.signal);
    await cell.quiet();
    const before = processCpuMs();
    await cell.hibernate();
    times.push(processCpuMs() - before);
    stop.abort();
    await cell.outcome;
  }
  return median(times);
}

function kb(bytes: number): number {
  return bytes / 1024;
}
