import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../crash-run.ts";
import { compiled, SHORT_LIVED, testProgram } from "../repository.ts";
import { inspectWorld } from "./inspect.ts";
import { openOutsideWorld } from "./outside-world.ts";
import type { Results } from "./setting.ts";

/** The test's own workflow, tasks of all templates, or the same workflow in the World that the kit brings. */
export type Mode = "workflows" | "tasks" | "local";

export interface KillReport {
  readonly runs: number;
  readonly kills: number;
  /** Runs that came to the end of an undisturbed one. */
  readonly completed: number;
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

interface Group {
  /** What a process is told to begin; a set of tasks is four of them. */
  readonly count: number;
  readonly runs: number;
}
const GROUPS: Readonly<Record<Mode, Group>> = {
  workflows: { count: 15, runs: 15 },
  tasks: { count: 4, runs: 16 },
  local: { count: 15, runs: 15 },
};
const PARALLEL = 2;
const KILLS = 6;
/** Of a process's life: mostly loading, or mostly work. */
const MS = { least: 250, spread: 700 };
/** Of the failpoints that a group passes if left alone, so many are in reach of one kill. */
const REACH = 1 / 6;

/**
 * Runs groups of workflows in processes that are killed at random moments and at random failpoints, and
 * started again, until everything has ended; compares each with one that was left alone. The same seed
 * repeats the same failpoints, and the moments as far as a machine does.
 */
export async function killRuns(options: {
  readonly runs: number;
  readonly seed: number;
  readonly mode: Mode;
  /** Of the processes of one group, before it is let to its end. */
  readonly kills?: number;
  readonly onProgress?: (runs: number, kills: number) => void;
}): Promise<KillReport> {
  const { mode, seed } = options;
  const faults: string[] = [];
  const calm = await runGroup(mode, () => undefined);
  if (calm.results === undefined)
    return { runs: 0, kills: 0, completed: 0, faults: [`Calm: ${calm.problem}`] };
  faults.push(...calm.faults);
  const total = { runs: 0, kills: 0, completed: 0 };
  const runOne = async (group: number): Promise<void> => {
    const random = createRandom(seed + 1_000 * (group + 1));
    const ran = await runGroup(mode, (start) => {
      if (start >= (options.kills ?? KILLS)) return undefined;
      return random(3) === 0 || mode === "local"
        ? `ms:${MS.least + random(MS.spread)}`
        : `point:${1 + random(Math.ceil(calm.points * REACH))}`;
    });
    const where = `seed ${seed}, ${mode}, group ${group}`;
    for (const [name, expected] of Object.entries(calm.results ?? {})) {
      total.runs += 1;
      const [found, wanted] = [JSON.stringify(ran.results?.[name]), JSON.stringify(expected)];
      if (found === wanted) total.completed += 1;
      else faults.push(`${where}: ${name} is ${found} instead of ${wanted} ${ran.problem}`);
    }
    faults.push(...ran.faults.map((fault) => `${where}: ${fault}`));
    total.kills += ran.kills;
    options.onProgress?.(total.runs, total.kills);
  };
  const groups = [...Array(Math.ceil(options.runs / GROUPS[mode].runs)).keys()];
  const lane = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) await runOne(group);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return { ...total, faults };
}

async function runGroup(mode: Mode, dieAt: (start: number) => string | undefined) {
  const directory = mkdtempSync(join(tmpdir(), "world-"));
  try {
    let kills = 0;
    for (;;) {
      const child = await runChild(directory, mode, dieAt(kills));
      if (child.code === "killed") {
        kills += 1;
        continue;
      }
      const faults = mode === "local" ? [] : await inspectWorld(join(directory, "workflows.db"));
      return { ...child.said, kills, problem: child.stderr, faults: [...faults, ...repeated(directory)] };
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Whatever was done more than once. That a task ended may be said again. */
function repeated(directory: string): readonly string[] {
  const lines = openOutsideWorld(directory)
    .lines()
    .filter((line) => !line.startsWith("ended "));
  return lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `${line} was done twice`);
}

interface Said {
  readonly results: Results | undefined;
  readonly points: number;
}

async function runChild(
  directory: string,
  mode: Mode,
  dieAt: string | undefined,
): Promise<{ readonly code: number | "killed"; readonly said: Said; readonly stderr: string }> {
  const script = testProgram("world-child", "e2e/world/child.ts");
  const args = [...SHORT_LIVED, script, directory, mode, String(GROUPS[mode].count), dieAt ?? ""];
  const env = { ...process.env, ...compiled() };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | "killed">((resolve, reject) => {
    child
      .on("error", reject)
      .on("close", (exit, signal) => resolve(signal === null ? (exit ?? 1) : "killed"));
  });
  const nothing: Said = { results: undefined, points: 0 };
  return {
    code,
    said: code === 0 ? (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Said) : nothing,
    stderr,
  };
}
