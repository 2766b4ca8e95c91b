import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { createIdSource, createSystemClock, type SessionId } from "@deputy/kit";
import type { EventLog, NewEvent, StreamId } from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";
import { createFileIdentity } from "../packages/store/src/sqlite/database/file-identity.ts";
import { sized } from "./sized.ts";

const WRITERS = 64;
const ROUNDS = sized(9, 1);
const APPENDS_PER_WRITER = sized(200, 2);
const SINGLE_APPENDS = sized(300, 5);
const TARGET = 0.7;

/** A raw table with the key that finds a stream's events, or one that is only a heap of rows. */
type RawTable = "keyed" | "unkeyed";

/**
 * Appends per second, as a ratio to raw `node:sqlite` writing the same rows: WAL, synchronous=FULL, as many
 * rows per transaction as there are writers, the key (stream, seq). The two take turns within one run, and
 * medians are compared, because machines are noisy. The target is compared with both tables: the keyed one
 * can do what the log does; the unkeyed one is the stricter reading, and is not reached yet.
 */
export async function benchStore(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "bench-store-"));
  try {
    const clock = createSystemClock();
    const ids = createIdSource({ clock });
    await using store = await openSqliteStore({ directory, clock, ids });
    using written = new DatabaseSync(join(directory, "deputy.db"), { readOnly: true });
    using keyed = openRaw(join(directory, "keyed.db"), "keyed");
    using unkeyed = openRaw(join(directory, "unkeyed.db"), "unkeyed");
    const sessions = Array.from({ length: WRITERS }, () => ids.next("session"));
    const common = { log: store.log, sessions, written };
    await compare({ ...common, raw: keyed, label: "raw", writers: 1, appends: SINGLE_APPENDS });
    const many = { ...common, writers: WRITERS, appends: APPENDS_PER_WRITER };
    await compare({ ...many, raw: unkeyed, label: "raw without key", target: TARGET });
    await compare({ ...many, raw: keyed, label: "raw", target: TARGET });
    await costOfIdentity(join(directory, "deputy.db"), store.log, sessions[0] ?? "system");
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const LOOKS = sized(5_000, 50);

/** The cost of checking the files before and after each commit, compared with a commit by one writer. */
async function costOfIdentity(database: string, log: EventLog, stream: StreamId): Promise<void> {
  const identity = createFileIdentity(database);
  const looks = await perSecond(LOOKS, async () => {
    for (let n = 0; n < LOOKS; n++) identity.trouble();
  });
  const commits = await perSecond(SINGLE_APPENDS, async () => {
    for (let n = 0; n < SINGLE_APPENDS; n++) await log.append(stream, [sampleEvent(n)]);
  });
  const [look, commit] = [1e6 / looks, 1e6 / commits];
  const share = ((2 * look) / commit) * 100;
  console.log(
    `store  identity of the files: 2 looks of ${look.toFixed(1)} µs in a commit of ${commit.toFixed(0)} µs, ${share.toFixed(1)} %`,
  );
}

async function compare(run: {
  readonly log: EventLog;
  readonly sessions: readonly SessionId[];
  readonly written: DatabaseSync;
  readonly raw: DatabaseSync;
  readonly label: string;
  readonly writers: number;
  readonly appends: number;
  readonly target?: number;
}): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  // The first two rounds only warm both sides up.
  for (let round = sized(-2, 0); round < ROUNDS; round++) {
    const events = run.writers * run.appends;
    const ourRate = await perSecond(events, () => appendAll(run));
    const rows = lastRows(run.written, events);
    const rawRate = await perSecond(events, async () => insertAll(run.raw, rows, run.writers));
    if (round < 0) continue;
    ours.push(ourRate);
    theirs.push(rawRate);
  }
  const ratio = median(ours.map((rate, round) => rate / (theirs[round] ?? 1)));
  const target = run.target === undefined ? "" : ` (target ≥ ${run.target.toFixed(2)})`;
  const who = run.writers === 1 ? " 1 writer " : `${run.writers} writers`;
  const [our, their] = [ours, theirs].map((rates) => `${Math.round(median(rates))}/s`);
  console.log(`store  ${who}  ${our}  ${run.label} ${their}  ratio ${ratio.toFixed(2)}${target}`);
}

async function appendAll(run: {
  readonly log: EventLog;
  readonly sessions: readonly SessionId[];
  readonly writers: number;
  readonly appends: number;
}): Promise<void> {
  const write = async (session: SessionId): Promise<void> => {
    for (let n = 0; n < run.appends; n++) await run.log.append(session, [sampleEvent(n)]);
  };
  await Promise.all(run.sessions.slice(0, run.writers).map(write));
}

function sampleEvent(n: number): NewEvent {
  const text = `Message ${n}: the assistant answers in a few sentences. `.repeat(6);
  return {
    type: "user.message",
    data: { text, attachments: [], channel: "web", sender: "bench", trust: "user" },
  };
}

function openRaw(path: string, table: RawTable): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (position INTEGER PRIMARY KEY, stream_id INTEGER, seq INTEGER, id TEXT, at TEXT, type TEXT,
      landmark INTEGER, turn_id TEXT, payload_hash TEXT, prev TEXT, salt TEXT, payload TEXT)`);
  if (table === "keyed") db.exec("CREATE UNIQUE INDEX events_of_stream ON events (stream_id, seq)");
  return db;
}

function lastRows(db: DatabaseSync, count: number): readonly SQLInputValue[][] {
  const rows = db.prepare("SELECT * FROM events ORDER BY position DESC LIMIT ?").all(count);
  return rows.map((row) => Object.values(row)).reverse();
}

function insertAll(db: DatabaseSync, rows: readonly SQLInputValue[][], perTransaction: number): void {
  const insert = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  for (let from = 0; from < rows.length; from += perTransaction) {
    begin.run();
    for (const row of rows.slice(from, from + perTransaction)) insert.run(...row);
    commit.run();
  }
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count / (performance.now() - start)) * 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await benchStore();
