import { rmSync } from "node:fs";
import type { NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { setUpDaily } from "../daily/daily.fixture.ts";
import { repairSqliteStore } from "../sqlite/soundness/repair-sqlite-store.ts";
import { all, type Home, message } from "../sqlite/store.fixture.ts";

/** Three sessions: one whose turn has ended, and two with one under way, each with its cell's journal. */
async function setup() {
  const daily = setUpDaily();
  const { home } = daily;
  const { ids } = home;
  const store = await daily.start();
  const begin = async () => {
    const [stream, turnId, cellId] = [ids.next("session"), ids.next("turn"), ids.next("cell")];
    const events: NewEvent[] = [
      { ...message("do it"), turnId },
      { type: "turn.started", turnId, data: { agentId: "main", model: "rehearsal/tour" } },
      { type: "error", data: { code: "x", message: "something in between" } },
    ];
    const journal = [{ cellId, kind: "program", bytes: new Uint8Array([1]) }];
    await store.log.append(stream, events, { journal });
    return { stream, turnId, cellId };
  };
  const [ended, first, second] = [await begin(), await begin(), await begin()];
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
  await store.log.append(ended.stream, [{ type: "turn.completed", turnId: ended.turnId, data: { usage } }]);
  await store.close();
  return { home, ended, first, second };
}

async function repair(home: Home) {
  const outcome = await repairSqliteStore(home.deps);
  if (outcome.kind !== "repaired") throw new Error("nothing was repaired");
  return outcome.report;
}

test("[S38] turns that were open when the database was lost end as failed, because daily files have no raw values", async () => {
  const { home, ended, first, second } = await setup();
  rmSync(home.path("deputy.db"));
  const { endedTurns, lostEvents, fromDaily } = await repair(home);
  expect([lostEvents, fromDaily]).toEqual([0, 10]);
  expect(endedTurns).toEqual([first, second].map(({ stream, turnId }) => ({ stream, turnId })));
  const { log } = await home.open();
  for (const { stream, turnId, cellId } of [first, second]) {
    expect((await all(log.read(stream))).at(-1)).toMatchObject({
      type: "turn.failed",
      turnId,
      data: { code: "log_damaged", message: expect.stringContaining("Nothing of it is repeated") as string },
    });
    expect(await all(log.journal.read(cellId))).toEqual([]);
  }
  expect((await all(log.read(ended.stream))).at(-1)).toMatchObject({ type: "turn.completed" });
});

test("[S38] a turn in an undamaged session continues, with its journal", async () => {
  const { home, ended, first, second } = await setup();
  home.tamper(`UPDATE events SET type = 'user.message' WHERE type = 'error' AND stream_id =
    (SELECT id FROM streams WHERE stream = '${first.stream}')`);
  const { endedTurns, lostEvents } = await repair(home);
  // The daily files have the event, so no event is lost; but what its turn told its cell may be lost.
  expect(lostEvents).toBe(0);
  expect(endedTurns).toEqual([{ stream: first.stream, turnId: first.turnId }]);
  const { log } = await home.open();
  for (const { stream } of [ended, second])
    expect((await all(log.read(stream))).map(({ type }) => type)).not.toContain("turn.failed");
  expect(await all(log.journal.read(second.cellId))).toHaveLength(1);
});
