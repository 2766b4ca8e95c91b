import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { setUpHome } from "../store.fixture.ts";
import { createTransaction } from "./transaction.ts";

test("[S8] full syncs at each commit, relaxed does not", () => {
  using db = new DatabaseSync(setUpHome().path("x.db"));
  db.exec("PRAGMA journal_mode = WAL");
  const transaction = createTransaction(db);
  const syncLevels = (["full", "relaxed", "relaxed", "full"] as const).map((durability) => {
    transaction.begin(durability);
    const level = db.prepare("PRAGMA synchronous").get()?.["synchronous"];
    transaction.commit();
    return level;
  });
  expect(syncLevels).toEqual([2, 1, 1, 2]);
});
