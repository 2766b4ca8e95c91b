import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "../crash-run.ts";
import { runDeputy } from "../run-deputy.ts";
import { addHook, createHonestWork, type HonestWork } from "./honest-work.ts";
import { judgeWorld, openTurns, readLines, readWorld, type WorldRecord } from "./judge-log.ts";
import { judgeWork, unfinished } from "./judge-work.ts";
import { createLives, type Lives } from "./lives.ts";

const EFFECTS_PLUGIN = fileURLToPath(new URL("effects-plugin.ts", import.meta.url));
/** How long anything may take that is to come about by itself. */
const END_MS = 180_000;

/** One home in which honest work goes on, whatever else is done to it. */
export interface Trial extends AsyncDisposable {
  readonly home: string;
  /** Outside of the home: effects, and what plugins wait for. */
  readonly scratch: string;
  readonly lives: Lives;
  readonly work: HonestWork;
  readonly random: (below: number) => number;
  readonly faults: string[];
  /** Waits until a plugin has written that line into that file, so often. */
  untilWritten(file: string, line: string, times?: number): Promise<void>;
  /** Waits until there is that effect; false when it does not come. */
  untilEffect(what: string): Promise<boolean>;
  /** Waits until everything that was acknowledged has come to its end. */
  settle(): Promise<WorldRecord>;
  /** Ends what runs later, waits for everything, and notes what is wrong. */
  finish(): Promise<WorldRecord>;
}

/**
 * `prepare` is given the folder, and returns the home in it, more plugins, and what
 * repeated tasks do first; what it opens is closed after the daemon.
 */
export async function openTrial(
  seed: number,
  prepare: (
    scratch: string,
    opened: AsyncDisposableStack,
  ) => { readonly home: string; readonly plugins: readonly string[]; readonly first?: string },
): Promise<Trial> {
  await using opened = new AsyncDisposableStack();
  const random = createRandom(seed);
  const scratch = mkdtempSync(join(tmpdir(), "deputy-trial-"));
  opened.defer(() => rmSync(scratch, { recursive: true, force: true }));
  const { home, plugins, first = "" } = prepare(scratch, opened);
  const hookPath = await addHook(home);
  const args = [EFFECTS_PLUGIN, ...plugins].flatMap((plugin) => ["--tools", plugin]);
  const lives = createLives({ home, args, env: { EFFECTS: scratch } });
  const { faults } = lives;
  opened.defer(() => {
    if (faults.length > 0) faults.push(`What was there is kept in ${keep(scratch, lives.told())}`);
  });
  opened.use(lives);
  const work = createHonestWork({ lives, home, random, hookPath, faults });
  await lives.start();
  await work.begin(first);

  const untilNone = async (left: (record: WorldRecord) => readonly string[]): Promise<WorldRecord> => {
    const deadline = performance.now() + END_MS;
    for (;;) {
      await work.answerQuestions();
      const record = await readWorld(home, join(scratch, "effects"));
      const found = left(record);
      if (found.length === 0) return record;
      if (performance.now() > deadline || !lives.isUp()) {
        faults.push(...found.map((what) => `after ${END_MS / 1_000} s: ${what}`));
        return record;
      }
      await pause(200);
    }
  };
  const untilLines = async (
    file: string,
    areThere: (lines: readonly string[]) => boolean,
  ): Promise<boolean> => {
    const deadline = performance.now() + END_MS;
    while (!areThere(readLines(join(scratch, file)))) {
      if (performance.now() > deadline) return false;
      await pause(50);
    }
    return true;
  };
  const owned = opened.move();
  return {
    home,
    scratch,
    lives,
    work,
    random,
    faults,
    async untilWritten(file, line, times = 1) {
      const isThere = (lines: readonly string[]) => lines.filter((one) => one === line).length >= times;
      if (!(await untilLines(file, isThere))) faults.push(`${line} was not begun`);
    },
    untilEffect: (what) => untilLines("effects", (lines) => lines.some((line) => line.endsWith(` ${what}`))),
    settle: () => untilNone((record) => unfinished(work.given, record)),
    async finish() {
      await work.end();
      const record = await untilNone((all) => [
        ...unfinished(work.given, all),
        ...openTurns(all).map((turn) => `${turn} has not ended`),
      ]);
      await work.checkBlobs();
      const verified = await runDeputy(["audit", "verify", "--home", home]);
      if (verified.code !== 0) faults.push(`audit verify: ${verified.stdout}${verified.stderr}`);
      const bugs = lives.told().match(/^.*\bbug\b.*$|^\s+at .*$/gim) ?? [];
      if (bugs.length > 0) faults.push(`stderr:\n${bugs.slice(0, 20).join("\n")}`);
      faults.push(...judgeWorld(record, lives.kills()), ...judgeWork(work.given, record, lives.kills()));
      return record;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function keep(scratch: string, told: string): string {
  const kept = `${scratch}-kept`;
  cpSync(scratch, kept, { recursive: true });
  writeFileSync(join(kept, "stderr"), told);
  return kept;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A new home then, so that what lies in it stays small. */
const ROUNDS_PER_HOME = 8;

export interface TrialReport {
  readonly rounds: number;
  readonly kills: number;
  readonly acknowledged: number;
  readonly turns: number;
  readonly effects: number;
  readonly slowestHealthMs: number;
}

/** Runs so many rounds, in one home after the other. `faults`: what is wrong, in words; empty when everything holds. */
export function runTrials<Figures extends { readonly [name in keyof Figures]: number }>(
  runHome: (
    rounds: number,
    seed: number,
  ) => Promise<{ readonly trial: Trial; readonly record: WorldRecord; readonly figures: Figures }>,
) {
  return async (options: {
    readonly rounds: number;
    readonly seed: number;
    readonly onProgress?: (soFar: Readonly<Record<string, number>>) => void;
  }): Promise<{ readonly figures: TrialReport & Figures; readonly faults: readonly string[] }> => {
    const sum: Record<string, number> = {};
    const faults: string[] = [];
    for (let done = 0, home = 0; done < options.rounds; done += ROUNDS_PER_HOME, home++) {
      const rounds = Math.min(ROUNDS_PER_HOME, options.rounds - done);
      const seed = options.seed + home;
      const { trial, record, figures } = await runHome(rounds, seed);
      const all = { rounds, ...countUp(trial, record), ...figures };
      for (const [name, value] of Object.entries(all))
        sum[name] = name.startsWith("slowest") ? Math.max(sum[name] ?? 0, value) : (sum[name] ?? 0) + value;
      faults.push(...trial.faults.map((fault) => `seed ${seed}: ${fault}`));
      options.onProgress?.({ ...sum, faults: faults.length });
    }
    return { figures: sum as unknown as TrialReport & Figures, faults };
  };
}

function countUp({ lives, work }: Trial, record: WorldRecord): Omit<TrialReport, "rounds"> {
  return {
    kills: lives.kills(),
    acknowledged: work.given.filter(({ said }) => said === "yes").length,
    turns: record.turns.size,
    effects: record.effects.length,
    slowestHealthMs: lives.slowestHealthMs(),
  };
}
