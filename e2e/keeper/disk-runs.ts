import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { openTrial, pause, runTrials, type Trial } from "./trial.ts";

const DISK_MB = 48;
/** How much room a full disk has: a page is enough for some appends, and not for others. */
const PAGES_LEFT = [0, 0, 0, 1, 2, 3, 5, 8, 13, 40];

export interface DiskFigures {
  readonly fills: number;
  /** How often what runs had to wait for room. */
  readonly waits: number;
  readonly refused: number;
}

/**
 * A daemon whose disk is full again and again, for a while, in the middle of all kinds of work; some are ended while it
 * is, and started again. Afterwards everything that was acknowledged has come to its end, by itself and once; what was
 * refused has not happened; nothing was called a bug.
 */
export const diskRuns = runTrials<DiskFigures>(async (rounds, seed) => {
  const disks: SmallDisk[] = [];
  await using trial = await openTrial(seed, (scratch, opened) => {
    const home = join(scratch, "home");
    disks.push(opened.use(mountSmallDisk(home, DISK_MB)));
    return { home, plugins: [] };
  });
  const [disk] = disks;
  if (disk === undefined) throw new Error("There is no disk");
  const { faults, lives, work } = trial;
  let fills = 0;
  for (let round = 0; round < rounds && faults.length === 0; round++)
    fills += await runRound(trial, disk, `go-${round}`);
  const record = await trial.finish();
  const waits = lives.told().split("Running work waits").length - 1;
  const refused = work.given.filter(({ said }) => said === "no").length;
  return { trial, record, figures: { fills, waits, refused } };
});

async function runRound(trial: Trial, disk: SmallDisk, until: string): Promise<number> {
  const { lives, work, random, scratch } = trial;
  const giveSome = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => work.give(until)));
  const before = giveSome(2 + random(4));
  // In the middle of a burst, or once some of it is under way: then its results come while the disk is full.
  if (random(3) === 0) await pause(random(500));
  else await trial.untilWritten("held", await work.hold(until));
  const fills = 1 + random(3);
  for (let fill = 1; fill <= fills; fill++) {
    disk.fill(PAGES_LEFT[random(PAGES_LEFT.length)] ?? 0);
    const meanwhile = giveSome(1 + random(3));
    if (fill === fills) writeFileSync(join(scratch, until), "");
    if (random(2) === 0) await work.answerQuestions();
    await pause(random(1_500));
    const end = random(6);
    if (end < 2) await lives.end(end === 0 ? "SIGKILL" : "SIGTERM");
    await meanwhile;
    if (!lives.isUp() && random(2) === 0) await tryToStart(trial);
    disk.free();
    if (!lives.isUp()) await lives.start();
    if (fill < fills) await pause(random(800));
  }
  await before;
  await trial.settle();
  return fills;
}

/** On a full disk it may start, or say what is in its way. */
async function tryToStart({ lives, faults }: Trial): Promise<void> {
  try {
    await lives.start();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (!/full|no space/i.test(said) || /\bbug\b/i.test(said)) faults.push(`On a full disk: ${said}`);
  }
}
