import { openDatabase } from "@deputy/sqlite";
import { expect, test } from "vitest";
import { setUpHome } from "../store.fixture.ts";
import { createLogTransaction } from "./transaction.ts";

test("[S8] full syncs at each commit, relaxed does not", () => {
  using db = openDatabase(setUpHome().path("x.db"));
  db.exec("PRAGMA journal_mode = WAL");
  const transaction = createLogTransaction(db);
  const syncLevels = (["full", "relaxed", "relaxed", "full"] as const).map((durability) => {
    transaction.begin(durability);
    const level = db.pragma("synchronous");
    transaction.commit();
    return level;
  });
  expect(syncLevels).toEqual([2, 1, 1, 2]);
});
