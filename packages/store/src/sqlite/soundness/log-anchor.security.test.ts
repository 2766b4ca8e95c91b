import { cpSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { copyHome, type Home, messages, only, setUpHome } from "../store.fixture.ts";

async function anchorOf(home: Home, position?: number): Promise<string> {
  await using reader = openSqliteReader(home);
  return reader.anchor(position).hash;
}

async function setup() {
  const home = setUpHome();
  const store = await home.open();
  const sessions = [home.ids.next("session"), home.ids.next("session")];
  for (let n = 0; n < 4; n++)
    for (const session of sessions) await store.log.append(session, messages(700, `${n}`));
  const { id } = only(await store.log.append("system", messages(1)));
  return { home, store, id, sessions };
}

test("[S36] later events and erasures do not change an anchor", async () => {
  const { home, store, id, sessions } = await setup();
  const positions = [1, 700, 701, 2048, 2049, 5600, 5601];
  const then = await Promise.all(positions.map((position) => anchorOf(home, position)));
  expect(new Set(then).size).toBe(positions.length);
  expect(await anchorOf(home)).toBe(then.at(-1));
  for (const session of sessions) await store.log.append(session, messages(500, "later"));
  await store.log.append(home.ids.next("session"), messages(1));
  await store.log.erase(id, "ann");
  expect(await Promise.all(positions.map((position) => anchorOf(home, position)))).toEqual(then);
});

test("[S36] a log that was rewritten event by event has a different anchor", async () => {
  const { home, store } = await setup();
  const then = await anchorOf(home);
  await store.close();
  home.tamper(`UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE position = 5601;
    UPDATE streams SET head_hash = '${"a".repeat(64)}' WHERE stream = 'system'`);
  expect(await anchorOf(home, 5601)).not.toBe(then);
});

test("[S36] [S14] the witness notices a restored older database; if both are restored, the anchor does", async () => {
  const { home, store, sessions } = await setup();
  const old = copyHome(home);
  await store.log.append(sessions[0] ?? "system", messages(3, "after the copy"));
  await using before = openSqliteReader(home);
  const { position } = before.anchor();
  await before.close();
  await store.close();
  const setBack = (name: string): void => cpSync(old.path(name), home.path(name));
  for (const name of ["deputy.db-wal", "deputy.db-shm"]) rmSync(home.path(name), { force: true });
  setBack("deputy.db");
  setBack("deputy.db-wal");
  {
    await using reader = openSqliteReader(home);
    expect((await reader.verify()).damage).toMatchObject([
      { kind: "tail_lost", message: expect.stringContaining("events 5602 to 5604") },
    ]);
  }
  setBack("deputy.tail");
  await using reader = openSqliteReader(home);
  expect((await reader.verify()).damage).toEqual([]);
  expect(reader.anchor().position).toBeLessThan(position);
});
