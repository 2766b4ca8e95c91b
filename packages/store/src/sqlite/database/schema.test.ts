import { openDatabase } from "@deputy/sqlite";
import { expect, test } from "vitest";
import { APPLICATION_ID, DATABASE_VERSION, migrate, schemaHolds } from "./schema.ts";
import { setUpHome } from "../store.fixture.ts";

test("[S22] marks a database as Deputy's, with its version", () => {
  using db = openDatabase(":memory:");
  migrate(db);
  migrate(db);
  expect(db.pragma("application_id")).toBe(APPLICATION_ID);
  expect(db.pragma("user_version")).toBe(DATABASE_VERSION);
  expect(schemaHolds(db)).toBe(true);
});

test("[S22] a migration that fails halfway leaves nothing behind and can be run again", () => {
  const path = setUpHome().path("x.db");
  const db = openDatabase(path);
  db.exec("CREATE TABLE facts (in_the_way)"); // the last table that the first migration makes
  expect(() => migrate(db)).toThrow("already exists");
  db.close();
  using again = openDatabase(path);
  expect(again.pragma("user_version")).toBe(0);
  again.exec("DROP TABLE facts");
  migrate(again);
  expect(schemaHolds(again)).toBe(true);
});

test("[S22] notices tables that differ from the schema", () => {
  const changes = ["DROP INDEX landmarks", "CREATE TABLE more (x)", "PRAGMA user_version = 0"];
  for (const change of changes) {
    using db = openDatabase(":memory:");
    migrate(db);
    db.exec(change);
    expect(schemaHolds(db), change).toBe(false);
  }
});

test("[S22] does not open a store whose tables differ from the schema", async () => {
  const home = setUpHome();
  await (await home.open()).close();
  home.tamper("DROP INDEX landmarks");
  await expect(home.open()).rejects.toMatchObject({ code: "log_damaged" });
});
