import { cellFailureCodes, type CellOutcome, type Sandbox } from "@deputy/codemode";
import { type RanCell, runCell } from "../sandbox-harness.ts";
import { startBystander } from "./bystander.ts";
import { rememberHostObjects } from "./host-objects.ts";
import type { Ending, Probe } from "./probe.ts";

/** Runs probes in a sandbox, beside a bystander. Works wherever the sandbox does. */
export interface ProbeRange {
  /** Resolves to all problems: with the ending, or with the host afterwards. */
  fire(probe: Probe): Promise<readonly string[]>;
  close(): Promise<readonly string[]>;
}

/** The host's event loop may be held up this long on a busy machine, but no probe may stop it. */
const MAX_LAG_MS = 10_000;

/** More than the longest message a cell may fail with. */
const MAX_MESSAGE_CHARS = 8_200;

/** Words that could only come from the host's side. */
const HOST_TRACE =
  /node_modules|file:\/\/|https?:\/\/|packages\/|\.wasm\b|hostCall|hostDone|node:|worker_threads/;

export async function openProbeRange(sandbox: Sandbox): Promise<ProbeRange> {
  const hostChanges = rememberHostObjects();
  const lag = watchLoopLag();
  const bystander = await startBystander(sandbox);
  return {
    async fire(probe) {
      lag.takeWorstMs();
      const [ran, beside] = await Promise.all([runCell(sandbox, probe), bystander.step()]);
      const lagMs = lag.takeWorstMs();
      return [
        ...judgeEnding(probe, ran.outcome),
        ...judgeCalls(probe, ran),
        ...findHostTraces(probe, ran),
        ...(lagMs > MAX_LAG_MS ? [`the host was held up for ${Math.round(lagMs)} ms`] : []),
        ...beside,
        ...(await bystander.step()),
        ...(await tryFreshCell(sandbox)),
        ...hostChanges(),
      ];
    },
    async close() {
      lag.stop();
      return bystander.end();
    },
  };
}

function judgeEnding(probe: Probe, outcome: CellOutcome): readonly string[] {
  const problems: string[] = [];
  if (!probe.ends.some((ending) => isEnding(ending, outcome))) {
    problems.push(`it ended with ${JSON.stringify(outcome).slice(0, 500)}`);
  }
  if (outcome.kind === "failed") {
    const { code, message } = outcome.failure;
    if (!cellFailureCodes.includes(code)) problems.push(`${code} is not a code`);
    if (message.length > MAX_MESSAGE_CHARS) problems.push(`the message has ${message.length} characters`);
  }
  if (probe.logs !== undefined && JSON.stringify(outcome.logs) !== JSON.stringify(probe.logs)) {
    problems.push(`it logged ${JSON.stringify(outcome.logs).slice(0, 500)}`);
  }
  return problems;
}

function isEnding(ending: Ending, outcome: CellOutcome): boolean {
  if (typeof ending === "string") return outcome.kind === "failed" && outcome.failure.code === ending;
  return outcome.kind === "completed" && outcome.resultJson === JSON.stringify(ending.returns);
}

function judgeCalls(probe: Probe, { calls }: RanCell): readonly string[] {
  const made = calls.map((call) => `${call.path} ${call.inputJson}`);
  const expected = probe.calls ?? [];
  return JSON.stringify(made) === JSON.stringify(expected)
    ? []
    : [`it called ${JSON.stringify(made).slice(0, 500)}`];
}

/** The program's own output does not count. */
function findHostTraces(probe: Probe, { outcome, calls }: RanCell): readonly string[] {
  const texts = [
    outcome.kind === "completed" ? (outcome.resultJson ?? "") : outcome.failure.message,
    ...outcome.logs,
    ...calls.map((call) => call.inputJson),
  ];
  return texts
    .map((text) => HOST_TRACE.exec(text)?.[0])
    .filter((found) => found !== undefined && !probe.code.includes(found))
    .map((found) => `it shows ${found}`);
}

/** In any case, the next cell finds a working sandbox without traces. */
async function tryFreshCell(sandbox: Sandbox): Promise<readonly string[]> {
  const code = `const strays = Object.keys(Object.prototype).concat(Object.keys(globalThis), Object.keys(Array.prototype));
    return [(await tools.a(42)).echo, strays, Date.now(), [3, 1, 2].sort().join()]`;
  const { outcome, calls } = await runCell(sandbox, { code });
  const isRight =
    outcome.kind === "completed" &&
    outcome.resultJson === '[42,[],1700000000000,"1,2,3"]' &&
    calls.length === 1;
  return isRight ? [] : [`the next cell ended with ${JSON.stringify(outcome)}`];
}

/** Measures how long this thread's event loop was held up. */
interface LoopLag {
  /** The longest time since the last `take`. */
  takeWorstMs(): number;
  stop(): void;
}

const TICK_MS = 10;

function watchLoopLag(): LoopLag {
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
