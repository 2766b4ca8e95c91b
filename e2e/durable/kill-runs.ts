import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { summarize } from "@deputy/agent/replay";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { type EventLog, readEvent } from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";
import { createCatalogue } from "@deputy/tools";
import { openReplayer } from "../../apps/deputy/src/open-replayer.ts";
import { createRandom } from "../crash-run.ts";
import { compiled, SHORT_LIVED, testProgram } from "../repository.ts";
import { type Effect, openWorld } from "./world.ts";

/** A program of the user's with tools of either kind, or one that a model asks for. */
export type Mode = "idempotent" | "questioned" | "model";

export interface KillReport {
  readonly runs: number;
  readonly kills: number;
  /** Calls about which the user was asked what became of them. */
  readonly questions: number;
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

const PLUGIN = fileURLToPath(new URL("world-plugin.ts", import.meta.url));
const PARALLEL = 2;
const START_MS = 400;

interface Group {
  /** Tasks that share a process, and so its end. */
  readonly tasks: number;
  /** After so many kills a group is let to its end. */
  readonly mostKills: number;
}
/** Kills are spread over the events of a group, mostly, and sometimes over the start of a process. */
const EVENTS_PER_TASK = 22;
const MANY: Group = { tasks: 5, mostKills: 4 };
/** Fewer at once, so that kills meet every event of a turn: its beginning and its answers, too. */
const FEW: Group = { tasks: 3, mostKills: 6 };
const GROUPS: Readonly<Record<Mode, Group>> = { idempotent: MANY, questioned: MANY, model: FEW };

interface Ended {
  readonly task: string;
  readonly status: string;
  readonly result: { readonly result?: unknown; readonly error?: unknown; readonly record?: unknown };
}

/**
 * Runs groups of tasks in processes that are killed at random moments and started again, until each
 * has ended; compares every task with one that was left alone. The same seed repeats the same moments,
 * as far as a machine does.
 */
export async function killRuns(options: {
  readonly runs: number;
  readonly seed: number;
  readonly mode: Mode;
  readonly onProgress?: (runs: number, kills: number) => void;
}): Promise<KillReport> {
  const faults: string[] = [];
  const { tasks, mostKills } = GROUPS[options.mode];
  const group = { mode: options.mode, tasks };
  const calm = await runGroup(group, options.seed, () => undefined);
  const expected = shown(calm.ended.find(({ task }) => task === "task 0"));
  const expectedEffects = effectsOf(calm.effects, "task 0");
  if (expected === undefined || expectedEffects === "")
    return { runs: 0, kills: 0, questions: 0, faults: ["The calm run failed"] };

  const groups = [...Array(Math.ceil(options.runs / tasks)).keys()];
  const places = createPlaces(groups.length * mostKills, EVENTS_PER_TASK * tasks, createRandom(options.seed));
  const total = { runs: 0, kills: 0, questions: 0 };
  const runOne = async (number: number): Promise<void> => {
    const seed = options.seed + 1_000 * (number + 1);
    const random = createRandom(seed);
    const ran = await runGroup(group, seed, (start) => {
      if (start >= mostKills) return undefined;
      const event = places[number * mostKills + start] ?? 1;
      return random(6) === 0 ? `start:${random(START_MS)}` : `event:${event}`;
    });
    for (const { task, status, result } of ran.ended) {
      const where = `seed ${seed}, ${options.mode}, ${task}`;
      if (status !== "succeeded") faults.push(`${where}: ${status} ${JSON.stringify(result?.error)}`);
      else if (shown({ result }) !== expected)
        faults.push(`${where}: ${shown({ result }) ?? JSON.stringify(result)} instead of ${expected}`);
      const effects = effectsOf(ran.effects, task);
      if (effects !== expectedEffects) faults.push(`${where}: did ${effects} instead of ${expectedEffects}`);
    }
    if (ran.ended.length !== tasks)
      faults.push(`seed ${seed}: ${ran.ended.length} of ${tasks} tasks ended: ${ran.problem}`);
    faults.push(...ran.damage.map((damage) => `seed ${seed}: the log is damaged: ${damage}`));
    faults.push(...ran.divergences.map((divergence) => `seed ${seed}, ${options.mode}: ${divergence}`));
    total.runs += ran.ended.length;
    total.kills += ran.kills;
    total.questions += ran.questions;
    options.onProgress?.(total.runs, total.kills);
  };

  const lane = async (): Promise<void> => {
    for (let next = groups.shift(); next !== undefined; next = groups.shift()) await runOne(next);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return { ...total, faults };
}

/** So many places among the events from 1 on, one in each equal part of them, in no order: few kills meet all parts. */
function createPlaces(count: number, events: number, random: (below: number) => number): readonly number[] {
  const width = events / count;
  const places = Array.from({ length: count }, (_, part) => 1 + Math.floor(part * width + random(width)));
  for (let last = count - 1; last > 0; last--) {
    const other = random(last + 1);
    [places[last], places[other]] = [places[other] ?? 1, places[last] ?? 1];
  }
  return places;
}

/** The result, and how many turns, cells and answers the record has. */
function shown(ended: Pick<Ended, "result"> | undefined): string | undefined {
  if (ended?.result.result === undefined) return undefined;
  return JSON.stringify([ended.result.result, ended.result.record]);
}

/** What was done for a task, once each, in a fixed order. */
function effectsOf(effects: readonly Effect[], task: string): string {
  return effects
    .filter((effect) => effect.task === task)
    .map(({ what }) => what)
    .sort()
    .join(", ");
}

async function runGroup(
  group: { readonly mode: Mode; readonly tasks: number },
  seed: number,
  dieAt: (start: number) => string | undefined,
) {
  const scratch = mkdtempSync(join(tmpdir(), "durable-"));
  const home = join(scratch, "home");
  try {
    let ended: readonly Ended[] = [];
    let kills = 0;
    let problem = "";
    for (let start = 0; start < 30; start++) {
      const child = await runChild({
        home,
        world: scratch,
        ...group,
        seed: seed + start,
        dieAt: dieAt(start),
      });
      if (child.code === "killed") kills += 1;
      else {
        ended = child.ended;
        problem = child.stderr;
        break;
      }
    }
    return { ended, kills, problem, effects: openWorld(scratch).effects(), ...(await inspect(home)) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

interface Inspected {
  readonly damage: readonly string[];
  readonly questions: number;
  /** What did not go as recorded when every session was run again, without its tools. */
  readonly divergences: readonly string[];
}

async function inspect(home: string): Promise<Inspected> {
  const clock = createSystemClock();
  await using store = await openSqliteStore({ directory: home, clock, ids: createIdSource({ clock }) });
  const { damage } = await store.log.verify();
  let questions = 0;
  for await (const { event } of store.log.readAll({ types: ["approval.requested"] })) {
    const read = readEvent(event);
    if (read.kind !== "known" || read.event.type !== "approval.requested") continue;
    if (read.event.data.unknownCall !== undefined) questions += 1;
  }
  const divergences = await replayAll(store.log);
  return { damage: damage.map(({ message }) => message), questions, divergences };
}

async function replayAll(log: EventLog): Promise<readonly string[]> {
  await using replayer = openReplayer({
    log,
    catalogue: createCatalogue([]),
    redactor: createRedactor([]),
    agentOf: async () => ({ mode: "code", instructions: [] }),
    typecheck: "none",
  });
  const divergences: string[] = [];
  const never = new AbortController().signal;
  for await (const { event } of log.readAll({ types: ["session.started"] })) {
    const turns = await Array.fromAsync(replayer.replay(event.stream, {}, never));
    const { cells, calls, diverged, notReplayable } = summarize(turns);
    if (cells !== 1 || calls === 0) divergences.push(`${event.stream}: ${cells} cells, ${calls} calls`);
    if (diverged + notReplayable > 0) divergences.push(`${event.stream}: ${JSON.stringify(turns)}`);
  }
  return divergences;
}

async function runChild(options: {
  readonly home: string;
  readonly world: string;
  readonly mode: Mode;
  readonly tasks: number;
  readonly seed: number;
  readonly dieAt: string | undefined;
}): Promise<{ readonly code: number | "killed"; readonly ended: readonly Ended[]; readonly stderr: string }> {
  const script = testProgram("durable-child", "e2e/durable/child.ts");
  const { home, world, mode, tasks, seed, dieAt } = options;
  const args = [...SHORT_LIVED, script, home, world, String(seed), String(tasks), dieAt ?? ""];
  // A process that is to get to the end must not be killed by its tools either.
  const toolSeed = dieAt === undefined ? "calm" : String(seed);
  const own = {
    ...compiled(),
    DURABLE_WORLD: world,
    DURABLE_MODE: mode,
    DURABLE_SEED: toolSeed,
    DURABLE_PLUGIN: PLUGIN,
  };
  const env = { ...process.env, ...own };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | "killed">((resolve, reject) => {
    child
      .on("error", reject)
      .on("exit", (_exit, signal) => {
        // One that was killed may leave its checker behind, which would keep the pipes open.
        if (signal !== null) for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
      })
      .on("close", (exit, signal) => resolve(signal === null ? (exit ?? 1) : "killed"));
  });
  const lines = code === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
  return { code, ended: lines.map((line): Ended => JSON.parse(line)), stderr };
}
