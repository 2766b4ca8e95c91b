import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, createSystemClock } from "@deputy/kit";
import type { StoredEvent } from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildChild } from "./crash-build.ts";
import { type CrashChild, createRandom, inject, runChild, type RunOptions, type Said } from "./crash-run.ts";
import { SEED } from "./seed.ts";

/** How much of each is tried. */
const TRIED = {
  everyWrite: 4,
  everyOther: 1,
  killed: 150,
  chains: 6,
  rounds: 8,
  moments: 12,
  failures: 24,
  full: 12,
} as const;
const PARALLEL = 2;
const straceWorks = spawnSync("strace", ["-o", "/dev/null", "-e", "trace=write", "true"]).status === 0;
const scratch = mkdtempSync(join(tmpdir(), "crash-"));
let child: CrashChild;

beforeAll(async () => {
  child = await buildChild(scratch);
  process.stdout.write(`crash: DEPUTY_SEED=${SEED}\n`);
});
afterAll(() => rmSync(scratch, { recursive: true }));

test("strace works on every machine where skipping would pass for success", () => {
  expect(straceWorks || process.env["DEPUTY_CI"] !== "1").toBe(true);
});

describe("kill -9", () => {
  test.skipIf(!straceWorks)(
    "[S7] before any write, sync, rename or deletion: nothing acknowledged is lost",
    async () => {
      const calls = await countCalls();
      expect(calls.get("pwrite64")).toBeGreaterThan(100);
      expect(calls.get("fsync")).toBeGreaterThan(30);
      const points = [...calls].flatMap(([name, count]) =>
        Array.from({ length: count }, (_, n) => ({ name, at: n + 1 })).filter(
          ({ at }) =>
            (at + SEED) % (name === "pwrite64" || name === "write" ? TRIED.everyWrite : TRIED.everyOther) ===
            0,
        ),
      );
      const killed = await inParallel(points, async ({ name, at }) => {
        const home = newHome();
        const said = await run(home, SEED, inject(name, `signal=SIGKILL:when=${at}`));
        await assertKept(home, [said], `${name} ${at}`);
        return said.end === "killed";
      });
      expect(killed.filter(Boolean).length).toBeGreaterThan(TRIED.killed);
    },
  );

  test.skipIf(!straceWorks)("[S7] repeatedly on one home: recovery of a recovery", async () => {
    await inParallel([...Array(TRIED.chains).keys()], async (chain) => {
      const random = createRandom(SEED + chain);
      const home = newHome();
      const before: Said[] = [];
      for (let round = 0; round < TRIED.rounds; round++) {
        const [name, most] = (
          [
            ["pwrite64", 400],
            ["fsync", 70],
            ["ftruncate", 20],
          ] as const
        )[random(3)] ?? ["write", 9];
        const when = `signal=SIGKILL:when=${1 + random(most)}`;
        before.push(await run(home, SEED + chain * 100 + round, inject(name, when)));
        await assertKept(home, before, `chain ${chain}, round ${round}: ${name} ${when}`);
      }
    });
  });

  test("[S7] at random moments", async () => {
    const ends = await inParallel([...Array(TRIED.moments).keys()], async (chain) => {
      const random = createRandom(SEED + chain);
      const home = newHome();
      const before: Said[] = [];
      for (let round = 0; round < 5; round++) {
        const kill = round % 2 === 0 ? outputAnd(random(60)) : startAnd(random(200));
        before.push(await run(home, SEED + chain * 100 + round, { kill, steps: 300 }));
        await assertKept(home, before, `chain ${chain}, round ${round}: ${JSON.stringify(kill)}`);
      }
      return before;
    });
    expect(ends.flat().filter(({ events }) => events.length > 0).length).toBeGreaterThan(5);
  });
});

describe("a disk that refuses", () => {
  test.skipIf(!straceWorks)(
    "[S5] [S43] acknowledges nothing after a failed sync or write, and what a failed sync refused is not there",
    async () => {
      const random = createRandom(SEED);
      const points = [
        ...Array.from({ length: TRIED.failures }, (_, n) => ({ name: "fsync", at: 3 * n + 1 + random(3) })),
        // The first sixty create the database; an unfinished draft must never be used as one.
        ...Array.from({ length: TRIED.failures / 2 }, (_, n) => ({
          name: "pwrite64",
          at: (120 / TRIED.failures) * n + 1 + random(5),
        })),
        ...Array.from({ length: TRIED.failures / 2 }, () => ({ name: "pwrite64", at: 60 + random(400) })),
      ];
      const failed = await inParallel(points, async ({ name, at }) => {
        const home = newHome();
        const said = await run(home, SEED, inject(name, `error=EIO:when=${at}`));
        const refusal = said.order.indexOf("log_failed");
        if (refusal >= 0) {
          const after = said.order.slice(refusal).filter((what) => what !== "log_failed");
          expect(after, `${name} ${at}`).toEqual([]);
        }
        const kept = await assertKept(home, [said], `EIO at ${name} ${at}`);
        if (name === "fsync") {
          const acknowledged = new Set(said.events.map(({ id }) => id));
          const others = kept.filter(({ type, id }) => type === "error" && !acknowledged.has(id));
          expect(others, `EIO at ${name} ${at} (DEPUTY_SEED=${SEED})`).toEqual([]);
        }
        return refusal >= 0;
      });
      expect(failed.filter(Boolean).length).toBeGreaterThan(10);
    },
  );

  test.skipIf(!straceWorks)("[S6] a full disk refuses, and once there is room it continues", async () => {
    const resumed = await inParallel([...Array(TRIED.full).keys()], async (n) => {
      const random = createRandom(SEED + n);
      const home = newHome();
      const at = 60 + (300 / TRIED.full) * n + random(25);
      const said = await run(home, SEED, inject("pwrite64", `error=ENOSPC:when=${at}..${at + random(4)}`));
      await assertKept(home, [said], `ENOSPC at ${at}`);
      const refusal = said.order.indexOf("storage_full");
      return refusal >= 0 && said.order.slice(refusal).includes("ack");
    });
    expect(resumed.filter(Boolean).length).toBeGreaterThan(TRIED.full / 6);
  });
});

const startAnd = (ms: number) => ({ after: "start", ms }) as const;
const outputAnd = (ms: number) => ({ after: "output", ms }) as const;

/** Everything acknowledged is there, without gaps, and every hash is right. Returns all events. */
async function assertKept(
  home: string,
  runs: readonly Said[],
  what: string,
): Promise<readonly StoredEvent[]> {
  const context = `${what} (DEPUTY_SEED=${SEED})`;
  const clock = createSystemClock();
  await using store = await openSqliteStore({ directory: home, clock, ids: createIdSource({ clock }) }).catch(
    (cause: unknown) => {
      throw new Error(`${context}: cannot be opened: ${String(cause)}`, { cause });
    },
  );
  const { log } = store;
  expect((await log.verify()).damage, context).toEqual([]);
  const found = new Map<string, StoredEvent>();
  for await (const { event } of log.readAll()) found.set(event.id, event);
  for (const { events, erased, journalled } of runs) {
    for (const event of events) expect(found.get(event.id), context).toMatchObject(event);
    for (const id of erased) expect(found.get(id)?.data, context).toBeNull();
    for (const cell of journalled) {
      const entries = await Array.fromAsync(log.journal.read(cell));
      expect(entries.length, context).toBe(1);
    }
  }
  return [...found.values()];
}

/** How often the script makes each call that changes something on disk. */
async function countCalls(): Promise<ReadonlyMap<string, number>> {
  const names = ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "unlink", "rename", "mkdir"];
  const report = join(scratch, "calls");
  const home = newHome();
  const traced = await run(home, SEED, { strace: ["-c", "-o", report, "-e", `trace=${names.join()}`] });
  expect(traced.end).toBe("closed");
  const table = spawnSync("cat", [report], { encoding: "utf8" }).stdout.split("\n");
  return new Map(
    names.flatMap((name) => {
      const columns = table
        .find((line) => line.endsWith(` ${name}`))
        ?.trim()
        .split(/\s+/);
      return columns === undefined ? [] : [[name, Number(columns[3])] as const];
    }),
  );
}

function run(home: string, seed: number, options: RunOptions): Promise<Said> {
  return runChild(child, home, seed, options);
}

function newHome(): string {
  return mkdtempSync(join(scratch, "home-"));
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
