import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { constants, DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTransaction, migrateDatabase, openDatabase, sqliteFailureOf } from "./database.ts";
import { withPlannedLimits } from "./database.ts";

function setUpFile(): { readonly directory: string; readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "sqlite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, path: join(directory, "x.db") };
}

function failureOf(work: () => unknown): ReturnType<typeof sqliteFailureOf> {
  try {
    work();
  } catch (error) {
    return sqliteFailureOf(error);
  }
  throw new Error("it did not fail");
}

test("[SQ1] a reader changes nothing, with or without a writer beside it", () => {
  const { directory, path } = setUpFile();
  const writer = openDatabase(path);
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  {
    using reader = openDatabase(path, { mode: "reading" });
    expect(reader.sql("SELECT x FROM t").get()).toEqual({ x: 1 });
    expect(() => reader.exec("DELETE FROM t")).toThrow("readonly");
  }
  writer.close();
  {
    using still = openDatabase(path, { mode: "immutable" });
    expect(still.sql("SELECT x FROM t").all()).toEqual([{ x: 1 }]);
    expect(() => still.exec("DELETE FROM t")).toThrow("readonly");
    expect(readdirSync(directory)).toEqual(["x.db"]);
  }
  expect(() => openDatabase(`${path}-other`, { mode: "reading" })).toThrow("unable to open");
  expect(readdirSync(directory)).toEqual(["x.db"]);
});

test("[SQ2] prepares a statement once; a held statement outlives many others", () => {
  using db = openDatabase(":memory:");
  const held = db.sql("SELECT 'held' AS x");
  expect(db.sql("SELECT 'held' AS x")).toBe(held);
  for (let n = 0; n < 2_000; n++) expect(db.sql(`SELECT ${n} AS x`).get()).toEqual({ x: n });
  expect(held.get()).toEqual({ x: "held" });
  expect(db.sql("SELECT 'held' AS x")).not.toBe(held);
});

test("[SQ2] a statement is not planned anew with other values, also not with another limit", () => {
  using db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)");
  let plans = 0;
  // SQLite asks it for each table and column, whenever it plans.
  db.setAuthorizer(() => ((plans += 1), constants.SQLITE_OK));
  const bare = "SELECT x FROM t WHERE x > ? ORDER BY x LIMIT ? OFFSET ?";
  const plansOf = (text: string): number => {
    const statement = db.prepare(text);
    const before = plans;
    for (const limit of [1, 2, 3]) expect(statement.all(0, limit, 0)).toHaveLength(limit);
    return plans - before;
  };
  expect(plansOf(bare)).toBeGreaterThan(0);
  expect(plansOf(withPlannedLimits(bare))).toBe(0);
});

test("[SQ2] can iterate the same rows in nested loops", () => {
  using db = openDatabase(":memory:");
  db.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)");
  const query = "SELECT x FROM t WHERE x >= ? ORDER BY x";
  const pairs = [...pairsOf(query)];
  expect(pairs).toEqual(["1 1", "1 2", "1 3", "2 2", "2 3", "3 3"]);

  function* pairsOf(text: string): Generator<string> {
    for (const { x = null } of db.iterate(text, 1))
      for (const inner of db.iterate(text, x)) yield `${String(x)} ${String(inner["x"])}`;
  }
});

test("[SQ2] `pragma` returns the current value", () => {
  using db = openDatabase(":memory:");
  expect(db.pragma("synchronous")).toBe(2);
  db.exec("PRAGMA synchronous = OFF");
  expect(db.pragma("synchronous")).toBe(0);
  expect(db.pragma("no_such_setting")).toBe(0);
});

test("[SQ3] classifies errors of SQLite, and no others", () => {
  const { path } = setUpFile();
  using db = openDatabase(path);
  db.exec("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES (zeroblob(1))");
  expect(failureOf(() => db.exec("INSERT INTO t SELECT x FROM t"))).toBe("constraint");
  expect(failureOf(() => db.exec("no SQL"))).toBe("other");
  using other = openDatabase(path);
  other.exec("BEGIN IMMEDIATE");
  expect(failureOf(() => db.exec("BEGIN IMMEDIATE"))).toBe("busy");
  other.exec("ROLLBACK");
  db.sql(`PRAGMA max_page_count = ${db.pragma("page_count")}`).get();
  expect(failureOf(() => db.exec("INSERT INTO t VALUES (zeroblob(100000))"))).toBe("full");
  using text = openDatabase(import.meta.filename, { mode: "reading" });
  expect(failureOf(() => text.sql("SELECT * FROM t"))).toBe("damaged");
  // As node:sqlite reports a sync that the disk refused.
  expect(sqliteFailureOf(Object.assign(new Error("disk I/O error"), { errcode: 1_034 }))).toBe("refused");
  expect(sqliteFailureOf(new Error("ours"))).toBeUndefined();
  expect(sqliteFailureOf("busy")).toBeUndefined();
});

test("[SQ4] each transaction has its own durability", () => {
  using db = openDatabase(setUpFile().path);
  db.exec("PRAGMA journal_mode = WAL");
  const transaction = createTransaction(db);
  const levels = (["full", "relaxed", "relaxed", "none", "full"] as const).map((durability) => {
    transaction.begin(durability);
    const level = db.pragma("synchronous");
    transaction.commit();
    return level;
  });
  expect(levels).toEqual([2, 1, 1, 0, 2]);
});

test("[SQ4] a rollback undoes the transaction and never throws", () => {
  const db = openDatabase(":memory:");
  const transaction = createTransaction(db);
  transaction.rollback();
  transaction.begin("full");
  expect(db.isTransaction).toBe(true);
  db.exec("CREATE TABLE t (x)");
  transaction.rollback();
  expect(db.isTransaction).toBe(false);
  expect(db.sql("SELECT name FROM sqlite_schema").all()).toEqual([]);
  db.close();
  transaction.rollback();
});

test("[SQ5] a migration that fails halfway leaves nothing behind and can be run again", () => {
  const { path } = setUpFile();
  const migrations = ["CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE c (x)"];
  const db = openDatabase(path);
  db.exec("CREATE TABLE c (in_the_way)");
  expect(() => migrateDatabase(db, 7, migrations)).toThrow("already exists");
  db.close();
  using again = openDatabase(path);
  expect([again.pragma("user_version"), again.pragma("application_id")]).toEqual([1, 7]);
  again.exec("DROP TABLE c");
  migrateDatabase(again, 7, migrations);
  migrateDatabase(again, 7, migrations);
  migrateDatabase(again, 7, []);
  expect(again.pragma("user_version")).toBe(2);
});

test("[SQ5] a closed database throws, and can be closed again", () => {
  const db = openDatabase(":memory:");
  const kept = db.sql("SELECT 1");
  expect(db.isOpen).toBe(true);
  db.close();
  db.close();
  expect(db.isOpen).toBe(false);
  expect(() => db.sql("SELECT 1")).toThrow("not open");
  expect(() => kept.get()).toThrow("finalized");
});
