import { existsSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { EventLogError, type StoredEvent } from "@deputy/protocol";
import { createRandom } from "@deputy/testing";
import { expect, test } from "vitest";
import type { SqliteStore } from "../sqlite-store.ts";
import { StoreError } from "../store-error.ts";
import { all, copyHome, type Home, message, messages, setUpHome } from "../store.fixture.ts";

const PAGE = 4096;
const FRAME = PAGE + 24;
const SEED = Number(process.env["DEPUTY_SEED"] ?? 20_250_101);

/** A home as a killed process left it: half of the events in the database, half only in the write-ahead log. */
async function setup() {
  const home = setUpHome();
  const acknowledged: StoredEvent[] = [];
  const streams = Array.from({ length: 5 }, () => home.ids.next("session"));
  const write = async ({ log }: SqliteStore): Promise<void> => {
    for (let n = 0; n < 30; n++) {
      const stream = streams[n % streams.length] ?? "system";
      acknowledged.push(...(await log.append(stream, messages(1 + (n % 5), `${n} `))));
    }
    acknowledged.push(...(await log.append("system", [message("long ".repeat(3_000))])));
  };
  const store = await home.open();
  await write(store);
  await store.close();
  await write(await home.open());
  return { killed: copyHome(home), acknowledged };
}

/** The outcome for a damaged home: either everything is there, or the damage is reported. */
async function outcome(
  home: Home,
  acknowledged: readonly StoredEvent[],
): Promise<"whole" | "reported" | "silent"> {
  try {
    const { log } = await home.open();
    if ((await log.verify()).damage.length > 0) return "reported";
    const found = new Map((await all(log.readAll())).map(({ event }) => [event.id, event]));
    for (const event of acknowledged) {
      try {
        expect(found.get(event.id)).toEqual(event);
        expect(await all(log.read(event.stream, { after: event.seq - 1, limit: 1 }))).toEqual([event]);
      } catch (error) {
        if (error instanceof EventLogError) throw error;
        return "silent";
      }
    }
    await log.append("system", [message("and it goes on")]);
    return "whole";
  } catch (error) {
    if (error instanceof StoreError || error instanceof EventLogError) return "reported";
    throw error;
  }
}

async function outcomes(
  changes: Iterable<readonly [name: string, change: (home: Home) => void]>,
): Promise<Record<string, number>> {
  const { killed, acknowledged } = await setup();
  const counts: Record<string, number> = {};
  for (const [name, change] of changes) {
    const copy = copyHome(killed);
    change(copy);
    const result = await outcome(copy, acknowledged);
    expect(result, `${name} (seed ${SEED})`).not.toBe("silent");
    counts[result] = (counts[result] ?? 0) + 1;
    rmSync(copy.directory, { recursive: true });
  }
  return counts;
}

function edit(home: Home, name: string, change: (bytes: Buffer) => void): void {
  const bytes = home.bytes(name);
  change(bytes);
  writeFileSync(home.path(name), bytes);
}

function flip(bytes: Buffer, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
}

test("[S15] finds nothing wrong with an undamaged home", async () => {
  const counts = await outcomes([
    ["as it is", () => {}],
    ["without -shm", (home) => rmSync(home.path("deputy.db-shm"), { force: true })],
    ["with a nonsensical -shm", (home) => writeFileSync(home.path("deputy.db-shm"), Buffer.alloc(32_768, 7))],
  ]);
  expect(counts).toEqual({ whole: 3 });
});

test("[S15] notices a write-ahead log that was cut anywhere, or is gone", async () => {
  const cuts = [...Array(40).keys(), ...Array.from({ length: 160 }, (_, n) => 40 + n * 907)].map(
    (k) => k + 1,
  );
  const counts = await outcomes([
    ...cuts.map(
      (k) =>
        [
          `cut by ${k}`,
          (home: Home) =>
            truncateSync(home.path("deputy.db-wal"), statSync(home.path("deputy.db-wal")).size - k),
        ] as const,
    ),
    ["emptied", (home) => truncateSync(home.path("deputy.db-wal"), 0)],
    ["deleted", (home) => rmSync(home.path("deputy.db-wal"))],
  ]);
  expect(counts["reported"]).toBeGreaterThan(100);
});

test("[S15] notices a flipped bit in the write-ahead log or the database, unless it is harmless", async () => {
  const random = createRandom(SEED);
  const flips = Array.from({ length: 240 }, (_, n) => {
    const name = n % 2 === 0 ? "deputy.db" : "deputy.db-wal";
    // Two thirds near the end or in the first page, where most of the structure is.
    const reach = [PAGE * 3, 512, Infinity][n % 3] ?? PAGE;
    return [
      `flip ${n} of ${name}`,
      (home: Home) =>
        edit(home, name, (bytes) => {
          const span = Math.min(reach, bytes.length);
          const start = reach === 512 ? 0 : bytes.length - span;
          flip(bytes, start * 8 + random(span * 8));
        }),
    ] as const;
  });
  const counts = await outcomes(flips);
  expect(counts["reported"]).toBeGreaterThan(20);
});

test("[S15] notices a zeroed, swapped or repeated page, unless it is harmless", async () => {
  const { killed } = await setup();
  const pages = statSync(killed.path("deputy.db")).size / PAGE;
  const frames = Math.floor((statSync(killed.path("deputy.db-wal")).size - 32) / FRAME);
  const swap = (bytes: Buffer, a: number, b: number): void => {
    const page = Buffer.from(bytes.subarray(a * PAGE, (a + 1) * PAGE));
    bytes.copyWithin(a * PAGE, b * PAGE, (b + 1) * PAGE);
    page.copy(bytes, b * PAGE);
  };
  const counts = await outcomes([
    ...Array.from(
      { length: pages },
      (_, n) =>
        [
          [
            "zero page " + n,
            (home: Home) => edit(home, "deputy.db", (bytes) => bytes.fill(0, n * PAGE, (n + 1) * PAGE)),
          ],
          [
            "swap page " + n,
            (home: Home) => edit(home, "deputy.db", (bytes) => swap(bytes, n, (n + 3) % pages)),
          ],
        ] as const,
    ).flat(),
    ...Array.from(
      { length: Math.min(frames, 30) },
      (_, n) =>
        [
          `zero frame ${n}`,
          (home: Home) =>
            edit(home, "deputy.db-wal", (bytes) => {
              const end = bytes.length - n * FRAME;
              bytes.fill(0, end - FRAME, end);
            }),
        ] as const,
    ),
  ]);
  expect(counts["reported"]).toBeGreaterThan(20);
});

test("[S15] damage to the witness alone loses nothing", async () => {
  const random = createRandom(SEED);
  const counts = await outcomes([
    ...Array.from(
      { length: 40 },
      (_, n) =>
        [
          `flip ${n} of the witness`,
          (home: Home) => edit(home, "deputy.tail", (bytes) => flip(bytes, random(bytes.length * 8))),
        ] as const,
    ),
    ["deleted", (home) => rmSync(home.path("deputy.tail"))],
    ["all of it", (home) => edit(home, "deputy.tail", (bytes) => bytes.fill(1))],
  ]);
  expect(counts["whole"]).toBeGreaterThanOrEqual(40);
  expect(counts["reported"]).toBe(2);
});

test("[S15] the test setup really has both kinds of files", async () => {
  const { killed, acknowledged } = await setup();
  expect(existsSync(killed.path("deputy.db-wal"))).toBe(true);
  expect(statSync(killed.path("deputy.db")).size).toBeGreaterThan(15 * PAGE);
  expect(statSync(killed.path("deputy.db-wal")).size).toBeGreaterThan(10 * FRAME);
  expect(acknowledged.length).toBeGreaterThan(150);
});
