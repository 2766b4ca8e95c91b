import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { repairSqliteStore } from "./repair-sqlite-store.ts";
import { storeFiles } from "../database/store-files.ts";
import { all, copyHome, type Home, message, messages, only, setUpHome, textsOf } from "../store.fixture.ts";

/** Two sessions of 300 events each, closed properly. */
async function setup() {
  const home = setUpHome();
  const [first, second] = [home.ids.next("session"), home.ids.next("session")];
  await using store = await home.open();
  for (let n = 0; n < 3; n++) {
    await store.log.append(first, messages(100, `${n} `));
    await store.log.append(second, messages(100, `${n} `));
  }
  return { home, first, second };
}

async function repair(home: Home) {
  const outcome = await repairSqliteStore(home.deps);
  if (outcome.kind !== "repaired") throw new Error("nothing was repaired");
  return outcome.report;
}

test("[S17] leaves a sound log alone", async () => {
  const { home } = await setup();
  const before = home.bytes("deputy.db");
  expect(await repairSqliteStore(home.deps)).toEqual({ kind: "sound" });
  expect(home.bytes("deputy.db")).toEqual(before);
  expect(readdirSync(home.directory).filter((name) => name.startsWith("damaged"))).toEqual([]);
});

test("[S17] accepts a lost end: copies the files aside, records the loss as an event, and the log continues", async () => {
  const home = setUpHome();
  const session = home.ids.next("session");
  const store = await home.open();
  await store.log.append(session, messages(10));
  await store.close();
  const again = await home.open();
  await again.log.append(session, messages(5, "lost "));
  const killed = copyHome(home);
  truncateSync(killed.path("deputy.db-wal"), 5_000);
  const damaged = killed.bytes("deputy.db");

  const report = await repair(killed);
  expect(report).toMatchObject({ keptEvents: 10, lostEvents: 5, lostPayloads: 0 });
  expect(report.aside).toMatch(/damaged-\d{4}-\d\d-\d\dT[\d.-]+Z$/);
  expect(readdirSync(report.aside).toSorted()).toEqual(["deputy.db", "deputy.db-wal", "deputy.tail"]);
  expect(setUpHome(report.aside).bytes("deputy.db")).toEqual(damaged);

  const { log } = await killed.open();
  expect(await textsOf({ log }, session)).toHaveLength(10);
  expect(only(await all(log.read("system")))).toMatchObject({
    type: "error",
    data: {
      code: "log_damaged",
      message: expect.stringMatching(/10 events were kept, 5 were lost/) as string,
    },
  });
  // Positions are not used twice, so that a follower's cursor stays valid.
  expect((await all(log.readAll({ after: 15 }))).map(({ position }) => position)).toEqual([16]);
  await log.append(session, [message("new")]);
  expect(await log.verify()).toMatchObject({ events: 12, damage: [] });
});

test("[S17] loses a changed event and keeps everything around it that hashes prove", async () => {
  const { home, first, second } = await setup();
  home.tamper("UPDATE events SET type = 'error' WHERE position = 250");
  expect(await repair(home)).toMatchObject({
    lostEvents: 1,
    keptEvents: 599,
    lostPayloads: 0,
    missing: [{ stream: first, first: 150, last: 150 }],
  });
  const store = await home.open();
  const events = await all(store.log.read(first));
  expect(events).toHaveLength(301);
  expect(events[149]).toMatchObject({ seq: 150, type: "event.lost", data: null });
  expect(events[300]).toMatchObject({ type: "event.erased", data: { seq: 150, by: "deputy audit repair" } });
  expect(await textsOf(store, second)).toHaveLength(300);
  expect((await store.log.verify()).damage).toEqual([]);
});

test("[S17] keeps the header of an event whose payload is damaged, with an event.erased that explains it", async () => {
  const { home, first } = await setup();
  home.tamper("UPDATE events SET payload = '{}' WHERE position IN (3, 250)");
  expect(await repair(home)).toMatchObject({ lostEvents: 0, keptEvents: 600, lostPayloads: 2 });
  const { log } = await home.open();
  const events = await all(log.read(first));
  expect(events[2]).toMatchObject({ seq: 3, type: "user.message", data: null });
  expect(events.at(-1)).toMatchObject({
    type: "event.erased",
    data: {
      seq: 3,
      ranges: [
        [3, 3],
        [150, 150],
      ],
      by: "deputy audit repair",
    },
  });
  expect(await log.verify()).toMatchObject({ erased: 2, damage: [] });
});

test("[S17] loses only what SQLite cannot read", async () => {
  const { home } = await setup();
  const bytes = home.bytes("deputy.db");
  const pageSize = 4096;
  for (let page = 20; page < bytes.length / pageSize; page += 30)
    bytes.fill(0, page * pageSize, (page + 1) * pageSize);
  writeFileSync(home.path("deputy.db"), bytes);
  const report = await repair(home);
  expect(report.lostEvents).toBeGreaterThan(0);
  expect(report.keptEvents).toBeGreaterThan(0);
  expect(report.keptEvents + report.lostEvents).toBe(600);
  const { log } = await home.open();
  expect((await log.verify()).damage).toEqual([]);
});

test("[S17] replaces an unreadable database with a new one that records the loss", async () => {
  const { home } = await setup();
  writeFileSync(home.path("deputy.db"), "no database at all ".repeat(500));
  expect(await repair(home)).toMatchObject({ keptEvents: 0, lostEvents: 600 });
  const { log } = await home.open();
  expect((await all(log.readAll())).map(({ position }) => position)).toEqual([601]);
  expect((await log.verify()).damage).toEqual([]);
  await expect(repairSqliteStore(home.deps)).rejects.toMatchObject({ code: "home_in_use" });
});

test("[S17] a second repair counts only new losses", async () => {
  const { home } = await setup();
  home.tamper("UPDATE events SET type = 'error' WHERE position = 550");
  expect(await repair(home)).toMatchObject({ lostEvents: 1 });
  home.tamper("UPDATE events SET type = 'error' WHERE position = 540");
  expect(await repair(home)).toMatchObject({ lostEvents: 1 });
  const { log } = await home.open();
  expect((await log.verify()).damage).toEqual([]);
});

test("[S17] keeps a cell's journal whole or not at all", async () => {
  const home = setUpHome();
  const store = await home.open();
  const [whole, torn] = [home.ids.next("cell"), home.ids.next("cell")];
  const entry = (cellId: typeof whole, n: number) => ({ cellId, kind: "call", bytes: new Uint8Array([n]) });
  const journal = [entry(whole, 1), entry(torn, 1), entry(whole, 2), entry(torn, 2)];
  await store.log.append("system", [message("a"), message("b")], { journal });
  await store.close();
  home.tamper("DELETE FROM journal WHERE entry = 2; UPDATE events SET payload = '{}' WHERE position = 1");
  await repair(home);
  const { log } = await home.open();
  expect(await all(log.journal.read(whole))).toHaveLength(2);
  expect(await all(log.journal.read(torn))).toEqual([]);
});

test("[S18] the next opening finishes a repair that was interrupted before the files were swapped", async () => {
  const { home } = await setup();
  const files = storeFiles(home.directory);
  home.tamper("UPDATE events SET type = 'error' WHERE position = 550");
  const damaged = { database: home.bytes("deputy.db"), tail: home.bytes("deputy.tail") };
  await repair(home);
  // As if the process had died right before the last rename, then at earlier points.
  renameSync(files.database, files.repaired);
  writeFileSync(files.database, damaged.database);
  writeFileSync(files.tail, damaged.tail);
  const { log } = await home.open();
  expect(existsSync(files.repaired)).toBe(false);
  expect((await log.verify()).damage).toEqual([]);
  expect(only(await all(log.read("system")))).toMatchObject({ type: "error" });
});

test("[S18] never uses an unfinished draft", async () => {
  const { home } = await setup();
  const files = storeFiles(home.directory);
  new DatabaseSync(files.draft).exec("CREATE TABLE half (done)");
  home.tamper("UPDATE events SET type = 'error' WHERE position = 550");
  await expect(home.open()).rejects.toMatchObject({ code: "log_damaged" });
  expect(await repair(home)).toMatchObject({ lostEvents: 1 });
  await expect(home.open()).resolves.toBeDefined();
});

test("[S17] a home without a log has nothing to repair", async () => {
  const home = setUpHome();
  await expect(repairSqliteStore(home.deps)).rejects.toMatchObject({ code: "no_database" });
  rmSync(home.directory, { recursive: true });
  await expect(repairSqliteStore(home.deps)).rejects.toMatchObject({ code: "no_database" });
});

test("[S21] can give up a journal without its key and keep everything else", async () => {
  const { home, first } = await setup();
  const store = await home.open();
  const cellId = home.ids.next("cell");
  const turnId = home.ids.next("turn");
  await store.log.append(first, [{ ...message("under way"), turnId }], {
    journal: [{ cellId, kind: "call", bytes: new Uint8Array([1]) }],
  });
  await store.close();
  expect(await repairSqliteStore({ ...home.deps, journal: "give_up" })).toEqual({ kind: "sound" });
  writeFileSync(home.path("key"), "");
  await expect(home.open()).rejects.toMatchObject({
    code: "key_invalid",
    hint: expect.stringContaining("deputy audit repair --new-key") as string,
  });
  expect(await repairSqliteStore(home.deps)).toEqual({ kind: "sound" });
  const outcome = await repairSqliteStore({ ...home.deps, journal: "give_up" });
  expect(outcome).toMatchObject({
    report: { keptEvents: 601, lostEvents: 0, endedTurns: [{ stream: first, turnId }] },
  });
  const { log } = await home.open();
  expect(home.bytes("key")).toHaveLength(32);
  expect(await all(log.journal.read(cellId))).toEqual([]);
  expect((await log.verify()).damage).toEqual([]);
});

test("[S16] tells a lost database from one that never existed, by the witness or the daily files", async () => {
  const { home } = await setup();
  rmSync(home.path("deputy.db"));
  const refusal = {
    code: "log_damaged",
    message: expect.stringContaining("what the daily files hold is safe") as string,
    hint: expect.stringContaining("`deputy audit repair` rebuilds the log from the daily files") as string,
  };
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining(refusal) as Error);
  await expect(home.open()).rejects.toMatchObject(refusal);
  rmSync(home.path("deputy.tail"));
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining({ code: "no_database" }) as Error);
  mkdirSync(home.path("daily"));
  writeFileSync(home.path("daily/2026-03-01.jsonl"), "{}\n");
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining(refusal) as Error);
  await expect(home.open()).rejects.toMatchObject(refusal);
});
