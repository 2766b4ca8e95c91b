import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { openSqliteReader } from "./open-sqlite-reader.ts";
import { all, copyHome, message, messages, setUpHome } from "./store.fixture.ts";

test("[S3] reads what a writer has committed, while it goes on writing", async () => {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  await store.log.append(session, messages(3));
  await using reader = openSqliteReader(home);
  expect(await all(reader.read(session))).toEqual(await all(store.log.read(session)));
  await store.log.append(session, messages(300));
  expect(await all(reader.read(session))).toHaveLength(303);
  expect(await all(reader.readAll({ after: 300 }))).toHaveLength(3);
  expect(await reader.head(session)).toEqual(await store.log.head(session));
  expect(await all(reader.streams())).toEqual(await all(store.log.streams()));
  expect(await reader.verify()).toEqual({ events: 303, streams: 1, erased: 0, damage: [] });
});

test("[S3] a page shows one state of the log, even if more is committed meanwhile", async () => {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  await using reader = (await store.log.append(session, messages(1)), openSqliteReader(home));
  const reading = new AbortController();
  const writing = (async () => {
    while (!reading.signal.aborted) await store.log.append(session, messages(3));
  })();
  for (let round = 0; round < 50; round++) {
    const events = await all(reader.read(session));
    expect(events.at(-1)?.seq).toBe(events.length);
    expect((await reader.verify()).damage).toEqual([]);
    await new Promise(setImmediate);
  }
  reading.abort();
  await writing;
});

test("[S3] changes nothing, even if the last writer was killed", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(3));
  const killed = copyHome(home);
  const before = [killed.bytes("deputy.db"), killed.bytes("deputy.db-wal")];
  const reader = openSqliteReader(killed);
  expect(await all(reader.read("system"))).toHaveLength(3);
  await reader.close();
  await reader.close();
  expect([killed.bytes("deputy.db"), killed.bytes("deputy.db-wal")]).toEqual(before);
  await expect(all(reader.read("system"))).rejects.toMatchObject({ code: "log_closed" });
});

test("[S3] reports `no_database` if there is none, and creates nothing", () => {
  const home = setUpHome();
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining({ code: "no_database" }));
  mkdirSync(home.path("empty"));
  expect(() => openSqliteReader({ directory: home.path("empty") })).toThrow(/There is no log/);
  expect(readdirSync(home.path("empty"))).toEqual([]);
});

test("[S3] a file that is not a database is damage", () => {
  const home = setUpHome();
  writeFileSync(home.path("deputy.db"), "nonsense ".repeat(1000));
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining({ code: "log_damaged" }));
});

test("[S3] an older reader refuses a newer database", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", [message("x")]);
  await store.close();
  home.tamper("PRAGMA user_version = 99");
  expect(() => openSqliteReader(home)).toThrow(expect.objectContaining({ code: "database_too_new" }));
});

test("[S40] on a read-only disk, reads the log with its write-ahead log and leaves nothing behind", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", [message("in the database")]);
  await store.close();
  const { log } = await home.open();
  await log.append("system", [message("in the write-ahead log")]);
  const unwritable = copyHome(home);
  // Root can write to any folder, so a folder takes the place of the index instead.
  mkdirSync(unwritable.path("deputy.db-shm"));
  const before = readdirSync(unwritable.directory);
  const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("deputy-read-"));
  const others = left();
  {
    await using reader = openSqliteReader(unwritable);
    expect((await all(reader.read("system"))).map(({ data }) => data)).toMatchObject([
      { text: "in the database" },
      { text: "in the write-ahead log" },
    ]);
    expect((await reader.verify()).damage).toEqual([]);
  }
  expect(readdirSync(unwritable.directory)).toEqual(before);
  expect(left()).toEqual(others);
});
