import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "../crash-run.ts";
import { runDeputy, TOKEN } from "../run-deputy.ts";
import { addHook, createHonestWork, type HonestWork } from "./honest-work.ts";
import { judgeWorld, openTurns, readLines, readWorld, type WorldRecord } from "./judge-log.ts";
import { judgeWork, unfinished } from "./judge-work.ts";
import { createLives, type Lives } from "./lives.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const PLUGIN = fileURLToPath(new URL("effects-plugin.ts", import.meta.url));
/** A new home then: the disk is small, and nothing in it is ever removed. */
const ROUNDS_PER_HOME = 8;
const DISK_MB = 48;
const END_MS = 60_000;
/** How much room a full disk has: a page is enough for some appends, and not for others. */
const PAGES_LEFT = [0, 0, 0, 1, 2, 3, 5, 8, 13, 40];

export interface DiskReport {
  readonly rounds: number;
  readonly fills: number;
  readonly kills: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** How often what runs had to wait for room. */
  readonly waits: number;
  readonly turns: number;
  readonly effects: number;
  readonly slowestHealthMs: number;
  /** What is wrong, in words; empty when everything holds. */
  readonly faults: readonly string[];
}

/**
 * A daemon whose disk is full again and again, for a while, in the middle of all kinds of work; some are ended while it
 * is, and started again. Afterwards everything that was acknowledged has come to its end, by itself and once; what was
 * refused has not happened; nothing was called a bug.
 */
export async function diskRuns(options: {
  readonly rounds: number;
  readonly seed: number;
  readonly onProgress?: (report: DiskReport) => void;
}): Promise<DiskReport> {
  let report: DiskReport = { ...NOTHING };
  for (let home = 0; report.rounds < options.rounds; home++) {
    const rounds = Math.min(ROUNDS_PER_HOME, options.rounds - report.rounds);
    report = add(report, await runHome(rounds, options.seed + home));
    options.onProgress?.(report);
  }
  return report;
}

async function runHome(rounds: number, seed: number): Promise<DiskReport> {
  const random = createRandom(seed);
  const scratch = mkdtempSync(join(tmpdir(), "deputy-disk-"));
  const home = join(scratch, "home");
  try {
    using disk = mountSmallDisk(home, DISK_MB);
    const hookPath = await addHook(home);
    await using lives = createLives({ home, args: ["--tools", PLUGIN], env: { EFFECTS: scratch } });
    const { faults } = lives;
    const work = createHonestWork({ lives, home, random, hookPath, faults });
    const world: World = { home, scratch, disk, lives, work, random, fills: 0 };
    await lives.start();
    await work.begin();
    for (let round = 0; round < rounds && faults.length === 0; round++) await runRound(world, round);
    await work.end();
    const record = await settle(world, (all) => openTurns(all).map((turn) => `${turn} has not ended`));
    await work.checkBlobs();
    const verified = await runDeputy(["audit", "verify", "--home", home]);
    if (verified.code !== 0) faults.push(`audit verify: ${verified.stdout}${verified.stderr}`);
    const told = lives.told();
    if (/\bbug\b|\n\s+at /i.test(told)) faults.push(`stderr:\n${told}`);
    faults.push(...judgeWorld(record, lives.kills()), ...judgeWork(work.given, record, lives.kills()));
    return {
      rounds,
      fills: world.fills,
      kills: lives.kills(),
      acknowledged: work.given.filter(({ said }) => said === "yes").length,
      refused: work.given.filter(({ said }) => said === "no").length,
      waits: told.split("What runs waits").length - 1,
      turns: record.turns.size,
      effects: record.effects.length,
      slowestHealthMs: lives.slowestHealthMs(),
      faults: faults.map((fault) => `seed ${seed}: ${fault}`),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface World {
  readonly home: string;
  readonly scratch: string;
  readonly disk: SmallDisk;
  readonly lives: Lives;
  readonly work: HonestWork;
  readonly random: (below: number) => number;
  fills: number;
}

async function runRound(world: World, round: number): Promise<void> {
  const { disk, lives, work, random, scratch } = world;
  const until = `go-${round}`;
  const giveSome = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => work.give(until)));
  const before = giveSome(2 + random(4));
  // In the middle of a burst, or once some of it is under way.
  if (random(3) === 0) await pause(random(500));
  else await untilHeld(world, await work.hold(until));
  for (let fill = 1 + random(3); fill > 0; fill--) {
    disk.fill(PAGES_LEFT[random(PAGES_LEFT.length)] ?? 0);
    world.fills += 1;
    const meanwhile = giveSome(1 + random(3));
    if (fill === 1) writeFileSync(join(scratch, until), "");
    if (random(2) === 0) await work.answerQuestions();
    await pause(random(1_500));
    const end = random(6);
    if (end < 2) await lives.end(end === 0 ? "SIGKILL" : "SIGTERM");
    await meanwhile;
    if (!lives.isUp() && random(2) === 0) await tryToStart(world);
    disk.free();
    if (!lives.isUp()) await lives.start();
    if (fill > 1) await pause(random(800));
  }
  await before;
  await settle(world, () => []);
}

/** A call waits, so that its result comes while the disk is full. */
async function untilHeld({ scratch, lives }: World, what: string): Promise<void> {
  const deadline = performance.now() + END_MS;
  while (!readLines(join(scratch, "held")).includes(what)) {
    if (performance.now() > deadline) return void lives.faults.push(`${what} was not begun`);
    await pause(50);
  }
}

/** On a full disk it may start, or say what is in its way. */
async function tryToStart({ lives }: World): Promise<void> {
  try {
    await lives.start();
  } catch (error) {
    const said = String(error);
    if (!/full|no space/i.test(said) || /\bbug\b|\n\s+at /i.test(said)) lives.faults.push(`On a full disk: ${said}`);
  }
}

/** Waits until everything that was acknowledged has come to its end, and what `more` finds is over. */
async function settle(
  { home, scratch, work, lives }: World,
  more: (record: WorldRecord) => readonly string[],
): Promise<WorldRecord> {
  const deadline = performance.now() + END_MS;
  for (;;) {
    await work.answerQuestions();
    const record = await readWorld(home, join(scratch, "effects"));
    const left = [...unfinished(work.given, record), ...more(record)];
    if (left.length === 0) return record;
    if (performance.now() > deadline || !lives.isUp()) {
      lives.faults.push(...left.map((what) => `after ${END_MS / 1_000} s: ${what}`));
      return record;
    }
    await pause(200);
  }
}

const NOTHING = {
  rounds: 0,
  fills: 0,
  kills: 0,
  acknowledged: 0,
  refused: 0,
  waits: 0,
  turns: 0,
  effects: 0,
  slowestHealthMs: 0,
  faults: [],
};

function add(a: DiskReport, b: DiskReport): DiskReport {
  return {
    rounds: a.rounds + b.rounds,
    fills: a.fills + b.fills,
    kills: a.kills + b.kills,
    acknowledged: a.acknowledged + b.acknowledged,
    refused: a.refused + b.refused,
    waits: a.waits + b.waits,
    turns: a.turns + b.turns,
    effects: a.effects + b.effects,
    slowestHealthMs: Math.max(a.slowestHealthMs, b.slowestHealthMs),
    faults: [...a.faults, ...b.faults],
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
