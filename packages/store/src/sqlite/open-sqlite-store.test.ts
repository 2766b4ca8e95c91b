import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "@deputy/sqlite";
import { expect, test } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { defaultStoreLimits } from "./store-limits.ts";
import { all, copyHome, message, messages, setUpHome, textsOf } from "./store.fixture.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("[S1] only the owner can read the directory and its files", async () => {
  const home = setUpHome();
  const directory = home.path("new/home");
  await using store = await openSqliteStore({ ...home.deps, directory });
  await store.log.append("system", [message("hello")]);
  expect(modeOf(directory)).toBe("700");
  const names = readdirSync(directory).toSorted();
  expect(names).toEqual(["deputy.db", "deputy.db-shm", "deputy.db-wal", "deputy.lock", "deputy.tail", "key"]);
  expect(names.map((name) => modeOf(join(directory, name)))).toEqual(names.map(() => "600"));
});

test("[S1] reports a directory that cannot be created with its error code", async () => {
  const home = setUpHome();
  writeFileSync(home.path("file"), "");
  await expect(openSqliteStore({ ...home.deps, directory: home.path("file/home") })).rejects.toMatchObject({
    code: "home_unusable",
  });
});

test("[S44] moves what an unclean shutdown left in the write-ahead log into the database before acknowledging anything", async () => {
  const home = setUpHome();
  const session = home.ids.next("session");
  await using store = await home.open();
  await store.log.append(session, messages(3));
  const killed = copyHome(home);
  const inDatabase = (): number => {
    const db = openDatabase(killed.path("deputy.db"), { mode: "immutable" });
    const count = Number(db.sql("SELECT count(*) AS n FROM events").get()?.["n"]);
    db.close();
    return count;
  };
  expect(inDatabase()).toBe(0);
  const opened = await killed.open();
  expect(inDatabase()).toBe(3);
  expect(await textsOf(opened, session)).toEqual(["m1", "m2", "m3"]);
});

test("[S7] everything acknowledged survives a process that died without closing", async () => {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  await store.log.append(session, messages(300));
  await store.log.append(session, [message("relaxed")], { durability: "relaxed" });
  const copy = copyHome(home);
  const again = await copy.open();
  expect(again.report).toMatchObject({ shutdown: "unclean", quickCheck: "ok", checkedEvents: 200 });
  expect((await textsOf(again, session)).at(-1)).toBe("relaxed");
  await again.log.append(session, [message("next")]);
  expect(await again.log.verify()).toMatchObject({ events: 302, damage: [] });
});

test("[S7] positions and numbers continue where they stopped", async () => {
  const home = setUpHome();
  const session = home.ids.next("session");
  for (let round = 0; round < 3; round++) {
    await using store = await home.open();
    await store.log.append(session, messages(2));
    expect(store.report.shutdown).toBe(round === 0 ? "new" : "clean");
    expect((await all(store.log.readAll())).map(({ position }) => position).at(-1)).toBe((round + 1) * 2);
  }
});

test("[S12] opening finds a change to the last events or to the head of their stream", async () => {
  const changes = [
    "UPDATE events SET payload = '{}' WHERE position = 90",
    "UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE position = 80",
    "UPDATE streams SET head_seq = 99",
    "UPDATE streams SET head_hash = payload_hash FROM events WHERE position = 1",
    "DELETE FROM events WHERE position = 95",
  ];
  for (const change of changes) {
    const home = setUpHome();
    const store = await home.open();
    await store.log.append(home.ids.next("session"), messages(100));
    await store.close();
    home.tamper(change);
    await expect(home.open(), change).rejects.toMatchObject({ code: "log_damaged" });
    await expect(home.open({ limits: { tailEvents: 0 } }), change).resolves.toBeDefined();
  }
});

test("[S13] checks the database after an unclean shutdown, unless it is too large", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(3));
  const large = await copyHome(home).open({ limits: { quickCheckBytes: 1 } });
  expect(large.report.quickCheck).toBe("skipped_for_size");
  await store.close();
  expect((await home.open()).report).toMatchObject({ shutdown: "clean", quickCheck: "not_needed" });
});

test("[S13] reports what quick_check finds as damage", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(400));
  const copy = copyHome(home);
  copy.tamper(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'journal')
    WHERE name = 'facts'`);
  await expect(copy.open()).rejects.toMatchObject({ code: "log_damaged" });
});

test("[S14] refuses to open if acknowledged events are missing at the end", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(5));
  const older = copyHome(home);
  const last = (await store.log.append("system", messages(5))).at(-1);
  const copy = copyHome(home);
  writeFileSync(copy.path("deputy.db-wal"), older.bytes("deputy.db-wal"));
  await expect(copy.open()).rejects.toMatchObject({
    code: "log_damaged",
    message: expect.stringMatching(`events 6 to 10 .*the last one: ${last?.id}`) as string,
  });
});

test("[S14] refuses another log in place of the acknowledged one", async () => {
  const [home, other] = [setUpHome(), setUpHome()];
  for (const one of [home, other]) {
    await using store = await one.open();
    await store.log.append("system", messages(5));
  }
  writeFileSync(home.path("deputy.db"), other.bytes("deputy.db"));
  await expect(home.open()).rejects.toThrow(/position 5 .* does not hold/);
});

test("[S14] does not treat a missing or emptied database, or one without its witness, as new", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(5));
  await store.close();
  const emptied = copyHome(home);
  truncateSync(emptied.path("deputy.db"), 0);
  await expect(emptied.open()).rejects.toThrow("5 events were acknowledged");
  const unwitnessed = copyHome(home);
  truncateSync(unwitnessed.path("deputy.tail"), 0);
  await expect(unwitnessed.open()).rejects.toThrow("deputy.tail cannot be read");
});

test("[S16] a refusal says what was lost, what is safe and what to do, and changes nothing", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(300));
  const copy = copyHome(home);
  truncateSync(copy.path("deputy.db-wal"), 30_000);
  const before = ["deputy.db", "deputy.db-wal", "deputy.tail"].map((name) => copy.bytes(name));
  await expect(copy.open()).rejects.toMatchObject({
    message: expect.stringMatching(
      /were acknowledged .* missing\. Nothing was changed, and every event/,
    ) as string,
    hint: expect.stringMatching(/deputy audit verify.*deputy audit repair/) as string,
  });
  expect(["deputy.db", "deputy.db-wal", "deputy.tail"].map((name) => copy.bytes(name))).toEqual(before);
});

test("[S17] repairs while opening if asked to", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(300));
  const copy = copyHome(home);
  truncateSync(copy.path("deputy.db-wal"), 30_000);
  const repaired = await copy.open({ onDamage: (damage) => (damage.length > 0 ? "repair" : "refuse") });
  expect(repaired.report.repaired).toMatchObject({ lostEvents: 300, keptEvents: 0 });
  expect((await all(repaired.log.read("system"))).at(-1)).toMatchObject({ type: "error" });
});

test("[S23] refuses a newer database without changing a byte", async () => {
  const home = setUpHome();
  const store = await home.open();
  await store.log.append("system", messages(3));
  const live = copyHome(home);
  await store.close();
  home.tamper("PRAGMA user_version = 99");
  const before = home.bytes("deputy.db");
  const files = readdirSync(home.directory);
  await expect(home.open()).rejects.toMatchObject({ code: "database_too_new" });
  expect(home.bytes("deputy.db")).toEqual(before);
  expect(readdirSync(home.directory)).toEqual(files);

  // The newer version may also still be in the write-ahead log.
  const db = new DatabaseSync(live.path("deputy.db"));
  db.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99");
  const killed = copyHome(live);
  db.close();
  const wal = killed.bytes("deputy.db-wal");
  await expect(killed.open()).rejects.toMatchObject({ code: "database_too_new" });
  expect(killed.bytes("deputy.db-wal")).toEqual(wal);
});

test("[S23] refuses another program's database", async () => {
  const home = setUpHome();
  new DatabaseSync(home.path("deputy.db")).exec("CREATE TABLE theirs (x)");
  const before = home.bytes("deputy.db");
  await expect(home.open()).rejects.toMatchObject({ code: "foreign_database" });
  expect(home.bytes("deputy.db")).toEqual(before);
});

test("every limit can be set", async () => {
  const home = setUpHome();
  const store = await home.open({ limits: { ...defaultStoreLimits, batchAppends: 2, cachedHeads: 1 } });
  await Promise.all(Array.from({ length: 9 }, () => store.log.append(home.ids.next("session"), messages(2))));
  expect(await store.log.verify()).toMatchObject({ events: 18, streams: 9, damage: [] });
});
