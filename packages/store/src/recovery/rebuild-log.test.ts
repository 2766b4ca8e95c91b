import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headerHash, isAudited, type NewEvent, type StoredEvent } from "@deputy/protocol";
import { createRandom } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { DAY_MS, setUpDaily } from "../daily/daily.fixture.ts";
import { openDailyWriter } from "../daily/daily-writer.ts";
import { verifyDaily } from "../daily/verify-daily.ts";
import { openSqliteReader } from "../sqlite/open-sqlite-reader.ts";
import { repairSqliteStore, type RepairOutcome } from "../sqlite/soundness/repair-sqlite-store.ts";
import type { RepairReport } from "../sqlite/soundness/repair.ts";
import { sha256 } from "../sqlite/sha256.ts";
import { all, type Home, message, messages, setUpHome } from "../sqlite/store.fixture.ts";

const PAGE = 4096;
const SEED = Number(process.env["DEPUTY_SEED"] ?? 20_250_101);
const SECRET = "what was erased";

const thought = (text: string): NewEvent => ({
  type: "assistant.reasoning",
  data: { itemId: "itm_1" as never, text },
});

/**
 * A home as a killed process left it: two days of daily files, events that they leave out, an erased one,
 * and an end that is only in the write-ahead log.
 */
async function setup() {
  const daily = setUpDaily();
  const { home, clock } = daily;
  const acknowledged: StoredEvent[] = [];
  const sessions = Array.from({ length: 3 }, () => home.ids.next("session"));
  const first = await daily.start();
  const write = async ({ log }: typeof first, rounds: number): Promise<void> => {
    for (let n = 0; n < rounds; n++) {
      const stream = sessions[n % sessions.length] ?? "system";
      const events =
        n % 4 === 0 ? [...messages(2, `${n} `), thought(`${n}`)] : messages(1 + (n % 3), `${n} `);
      acknowledged.push(...(await log.append(stream, events)));
    }
    acknowledged.push(...(await log.append("system", [message("long ".repeat(1_500))])));
  };
  await write(first, 18);
  const [secret] = await first.log.append(sessions[0] ?? "system", [message(SECRET)]);
  if (secret === undefined) throw new Error("nothing was written");
  await first.log.erase(secret.id, "ann");
  const record = (await all(first.log.read(secret.stream))).at(-1);
  acknowledged.push({ ...secret, data: null }, record as StoredEvent);
  await first.close();
  await clock.advance(DAY_MS);
  const second = await daily.start({ syncMs: 0 });
  await write(second, 18);
  const audited = acknowledged.filter(({ type }) => isAudited(type)).length;
  await vi.waitFor(() =>
    expect(daily.names().flatMap((name) => (name.endsWith("l") ? daily.lines(name) : []))).toHaveLength(
      audited,
    ),
  );
  return { killed: copyAll(home), acknowledged, secret, sessions };
}

function copyAll(home: Home): Home {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  for (const name of ["deputy.db", "deputy.db-wal", "deputy.tail", "key", "daily"])
    if (existsSync(home.path(name))) cpSync(home.path(name), join(directory, name), { recursive: true });
  return setUpHome(directory);
}

type Change = readonly [name: string, change: (home: Home) => void];

function edit(home: Home, name: string, change: (bytes: Buffer) => Buffer | void): void {
  const bytes = home.bytes(name);
  writeFileSync(home.path(name), change(bytes) ?? bytes);
}

const dayFiles = (home: Home): string[] =>
  existsSync(home.path("daily"))
    ? readdirSync(home.path("daily"))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => `daily/${name}`)
    : [];

const rewrite = (home: Home, name: string, change: (lines: string[]) => string[]): void =>
  edit(home, name, (bytes) =>
    Buffer.from(
      change(bytes.toString().split("\n").slice(0, -1))
        .map((line) => `${line}\n`)
        .join(""),
    ),
  );

/** The kinds of damage to the database and its files. */
function databaseChanges(home: Home, random: (below: number) => number): readonly Change[] {
  const pages = statSync(home.path("deputy.db")).size / PAGE;
  const flip = (bytes: Buffer): void => {
    const bit = random(bytes.length * 8);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  };
  return [
    ["nothing", () => undefined],
    ["database gone", (one) => rmSync(one.path("deputy.db"))],
    [
      "database and wal gone",
      (one) => ["deputy.db", "deputy.db-wal"].forEach((name) => rmSync(one.path(name))),
    ],
    ["database empty", (one) => truncateSync(one.path("deputy.db"))],
    ["no database at all", (one) => writeFileSync(one.path("deputy.db"), "nothing ".repeat(2_000))],
    ["wal gone", (one) => rmSync(one.path("deputy.db-wal"))],
    [
      "wal cut",
      (one) => truncateSync(one.path("deputy.db-wal"), statSync(one.path("deputy.db-wal")).size >> 1),
    ],
    ...Array.from({ length: pages }, (_, n): Change => [
      `truncated at page ${n}`,
      (one) => truncateSync(one.path("deputy.db"), n * PAGE),
    ]),
    ...Array.from({ length: pages }, (_, n): Change => [
      `page ${n} zeroed`,
      (one) => edit(one, "deputy.db", (bytes) => void bytes.fill(0, n * PAGE, (n + 1) * PAGE)),
    ]),
    ...Array.from({ length: 24 }, (_, n): Change => [
      `flip ${n}`,
      (one) => edit(one, n % 2 === 0 ? "deputy.db" : "deputy.db-wal", flip),
    ]),
    ["events changed", (one) => one.tamper("UPDATE events SET type = 'error' WHERE position % 7 = 3")],
    [
      "payloads changed",
      (one) => one.tamper("UPDATE events SET payload = '{}' WHERE position % 5 = 1 AND payload NOT NULL"),
    ],
    ["rows gone", (one) => one.tamper("DELETE FROM events WHERE position % 3 = 0")],
    ["streams gone", (one) => one.tamper("DELETE FROM streams")],
  ];
}

const witnessChanges: readonly Change[] = [
  ["", () => undefined],
  ["witness gone", (home) => rmSync(home.path("deputy.tail"))],
  ["witness torn", (home) => truncateSync(home.path("deputy.tail"), 40)],
];

const dailyChanges: readonly Change[] = [
  ["", () => undefined],
  ["daily gone", (home) => rmSync(home.path("daily"), { recursive: true })],
  ["a day gone", (home) => rmSync(home.path(dayFiles(home)[0] ?? ""))],
  ["cursor gone", (home) => rmSync(home.path("daily/cursor.json"))],
  [
    "torn",
    (home) =>
      truncateSync(
        home.path(dayFiles(home)[1] ?? ""),
        statSync(home.path(dayFiles(home)[1] ?? "")).size - 90,
      ),
  ],
  ["a line removed", (home) => rewrite(home, dayFiles(home)[0] ?? "", (lines) => lines.toSpliced(5, 1))],
  ["a line twice", (home) => rewrite(home, dayFiles(home)[0] ?? "", (lines) => [...lines, lines[3] ?? ""])],
  [
    "a line edited",
    (home) =>
      rewrite(home, dayFiles(home)[0] ?? "", (lines) =>
        lines.map((line, n) => (n === 4 ? line.replace("user.message", "error") : line)),
      ),
  ],
  [
    "lines unreadable",
    (home) => edit(home, dayFiles(home)[1] ?? "", (bytes) => void bytes.fill(0, 300, 900)),
  ],
  [
    "a forged line",
    (home) => rewrite(home, dayFiles(home)[0] ?? "", (lines) => lines.toSpliced(6, 0, forge(lines[6] ?? ""))),
  ],
];

/** The line with another text, and with hashes that hold. */
function forge(text: string): string {
  const line = JSON.parse(text) as Record<string, unknown>;
  const data = { ...(line["data"] as object), text: "forged" };
  const payloadHash = sha256(`${String(line["salt"])}\n${JSON.stringify(data)}`);
  const hash = headerHash(sha256, { ...line, payloadHash } as never);
  const before = line["before"];
  return JSON.stringify({
    ...line,
    data,
    payloadHash,
    hash,
    line: sha256(JSON.stringify([line["position"], hash, before])),
  });
}

/** Ids of the events that a daily line proves beyond doubt: the line and the one below it are as written. */
function provenByDaily(home: Home, original: Home): Set<string> {
  const proven = new Set<string>();
  for (const name of dayFiles(home)) {
    const before = readFileSync(original.path(name), "utf8").split("\n").slice(0, -1);
    const now = readFileSync(home.path(name), "utf8").split("\n");
    const whole = now.slice(0, -1);
    for (const [index, line] of whole.entries()) {
      const next = before[before.indexOf(line) + 1];
      if (before.includes(line) && (next === undefined || whole[index + 1] === next))
        proven.add((JSON.parse(line) as { id: string }).id);
    }
  }
  return proven;
}

async function repaired(home: Home): Promise<RepairReport | undefined> {
  const outcome: RepairOutcome = await repairSqliteStore(home.deps);
  return outcome.kind === "repaired" ? outcome.report : undefined;
}

const OURS = new Set(["event.lost", "event.erased", "error", "turn.failed"]);

test("[S37] keeps every proven event, and no other, after any damage to database, witness and daily files", async () => {
  const { killed, acknowledged, secret } = await setup();
  const random = createRandom(SEED);
  const original = new Map(acknowledged.map((event) => [event.id as string, event]));
  const inDatabase = databaseChanges(killed, random);
  const cases = inDatabase.flatMap((change, n) => [
    [change, witnessChanges[0], dailyChanges[0]],
    [change, witnessChanges[n % 3], dailyChanges[1 + (n % (dailyChanges.length - 1))]],
  ]);
  const counts = { sound: 0, repaired: 0, whole: 0 };
  for (const changes of cases) {
    const home = copyAll(killed);
    for (const one of changes) one?.[1](home);
    const name = `${changes.map((one) => one?.[0]).join(", ")} (seed ${SEED})`;
    const proven = provenByDaily(home, killed);
    const report = await repaired(home);
    if (report === undefined) counts.sound += 1;
    else counts.repaired += 1;

    const store = await home.open();
    const events = (await all(store.log.readAll())).map(({ event }) => event);
    const found = new Map(events.map((event) => [event.id as string, event]));
    for (const event of events) {
      const real = original.get(event.id);
      if (real === undefined) expect(OURS.has(event.type), `${name}: ${event.type}`).toBe(true);
      else
        expect({ ...event, data: event.data === null ? null : real.data }, name).toEqual({
          ...real,
          data: event.data === null ? null : real.data,
        });
    }
    for (const id of proven)
      expect(found.get(id)?.data ?? null, `${name}: ${id}`).toEqual(original.get(id)?.data);
    expect(JSON.stringify(events), name).not.toContain(SECRET);
    expect(found.get(secret.id)?.data ?? null, name).toBeNull();
    expect(await store.log.verify(), name).toMatchObject({ damage: [] });

    const lost = acknowledged.filter(({ id }) => !found.has(id));
    if (lost.length === 0) counts.whole += 1;
    if (report !== undefined) {
      expect(report.keptEvents, name).toBe(acknowledged.length - lost.length);
      for (const { stream, seq } of lost) {
        const after = events.some(
          (event) => event.stream === stream && event.seq > seq && original.has(event.id),
        );
        const isTold = report.missing.some(
          (one) => one.stream === stream && seq >= one.first && seq <= one.last,
        );
        if (after) expect(isTold, `${name}: ${stream} ${seq}`).toBe(true);
      }
      for (const { stream, first, last } of report.missing)
        for (let seq = first; seq <= last; seq++)
          expect(
            acknowledged
              .filter((event) => event.stream === stream && event.seq === seq)
              .filter(({ id }) => found.has(id)),
            name,
          ).toEqual([]);
    }
    const [next] = await store.log.append("system", [message("and it goes on")]);
    expect(next?.type, name).toBe("user.message");
    // The daily files continue as well, and match the log again.
    const warn = (): void => undefined;
    await openDailyWriter({
      home: home.directory,
      events: store.events,
      clock: home.deps.clock,
      warn,
    }).close();
    await store.close();
    if (report !== undefined) {
      await using reader = openSqliteReader(home);
      expect((await verifyDaily({ home: home.directory, events: reader.unverified })).findings, name).toEqual(
        [],
      );
    }
    rmSync(home.directory, { recursive: true });
  }
  expect(counts.repaired).toBeGreaterThan(100);
});
