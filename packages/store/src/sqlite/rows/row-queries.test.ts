import { indexedEventTypes } from "@deputy/protocol";
import { openDatabase } from "@deputy/sqlite";
import { expect, test } from "vitest";
import { indexedEventsQuery } from "./event-rows.ts";
import { indexedEventNumber, migrate } from "../database/schema.ts";
import { FOLLOW_QUERY } from "./stream-rows.ts";
import { all, messages, setUpHome } from "../store.fixture.ts";

function planOf(query: string): string {
  using db = openDatabase(":memory:");
  migrate(db);
  const parameters = Array(query.split("?").length - 1).fill(0) as number[];
  const steps = db.sql(`EXPLAIN QUERY PLAN ${query}`).all(...parameters);
  return steps.map((step) => step["detail"]).join("\n");
}

test("[S11] reads indexed events in order from their index, for one type or all", () => {
  for (const types of [["turn.started"] as const, indexedEventTypes]) {
    const plan = planOf(indexedEventsQuery(types));
    expect(plan.match(/SEARCH events USING COVERING INDEX landmarks/g)).toHaveLength(types.length);
    expect(plan).not.toMatch(/SCAN (e|events)\b|USE TEMP B-TREE/);
  }
});

test("[S11] reads a stream's events in order from their index", () => {
  const plan = planOf(FOLLOW_QUERY);
  expect(plan).toMatch(/SEARCH e USING INDEX events_of_stream \(<expr>=\? AND stream_id=\? AND seq>\?\)/);
  expect(plan).not.toMatch(/SCAN|USE TEMP B-TREE/);
});

test("[S11] every indexed event type has its own number", () => {
  expect(new Set(indexedEventTypes.map(indexedEventNumber)).size).toBe(indexedEventTypes.length);
  expect(indexedEventNumber("user.message")).toBeNull();
});

test("[S11] reads a stream across chapters from any place, with other streams in between", async () => {
  const home = setUpHome();
  const { log } = await home.open();
  const [busy, rare] = [home.ids.next("session"), home.ids.next("session")];
  for (let round = 0; round < 5; round++) {
    await log.append(rare, messages(1, `round ${round} `));
    await log.append(busy, messages(1500));
  }
  expect((await all(log.read(rare))).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect((await all(log.read(rare, { after: 1 }))).map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
  expect((await all(log.read(busy, { after: 2_990, limit: 20 }))).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 }, (_, n) => 2_991 + n),
  );
  expect(await all(log.read(busy))).toHaveLength(7_500);
  expect((await log.verify()).damage).toEqual([]);
});
