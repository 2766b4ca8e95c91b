import type { Damage } from "@deputy/protocol";
import { expect, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { messages, only, setUpHome } from "../store.fixture.ts";

async function findings(change: string): Promise<readonly Damage[]> {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  await store.log.append(session, messages(10));
  await store.log.append("system", messages(1));
  const { id } = only(await store.log.append(session, messages(1)));
  await store.log.erase(id, "ann");
  await store.close();
  home.tamper(change);
  await using reader = openSqliteReader(home);
  return (await reader.verify()).damage;
}

const kindsAndSeqs = (damage: readonly Damage[]): unknown[] =>
  damage.map(({ kind, seq }) => (seq === undefined ? kind : `${kind} ${seq}`));

test("[S10] finds nothing wrong with an untouched log", async () => {
  expect(await findings("SELECT 1")).toEqual([]);
});

test("[S10] finds every kind of change, and where it is", async () => {
  const changes: Readonly<Record<string, readonly string[]>> = {
    "UPDATE events SET payload = '{}' WHERE position = 4": ["payload 4"],
    "UPDATE events SET salt = payload_hash WHERE position = 4": ["payload 4"],
    "UPDATE events SET salt = NULL WHERE position = 4": ["payload 4"],
    "UPDATE events SET salt = NULL, payload = NULL WHERE position = 4": ["payload 4"],
    "UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE position = 4": ["link 5"],
    "UPDATE events SET turn_id = 'trn_x' WHERE position = 4": ["link 5"],
    "UPDATE events SET type = 'error' WHERE position = 13": ["tail_lost", "head 12"],
    "DELETE FROM events WHERE position = 4": ["gap", "head", "gap 5"],
    "DELETE FROM events WHERE position = 13": ["tail_lost", "head", "gap 12"],
    "DELETE FROM events WHERE position = 11; DELETE FROM streams WHERE id = 2": ["gap"],
    "DELETE FROM streams WHERE id = 2": ["head"],
    "INSERT INTO events SELECT 5000, stream_id, seq, id, at, type, landmark, turn_id, payload_hash, prev, salt, payload FROM events WHERE position = 4":
      ["gap", "head"],
    "UPDATE streams SET head_hash = substr(head_hash, 2) || 'x' WHERE id = 1": ["head 12"],
    "UPDATE streams SET head_seq = head_seq + 1 WHERE id = 1": ["head", "gap 13"],
    "UPDATE streams SET stream = 'ses_' || substr(stream, 5, 25) || 'U' WHERE id = 1": [
      "tail_lost",
      "link 2",
    ],
  };
  for (const [change, found] of Object.entries(changes)) {
    expect(kindsAndSeqs(await findings(change)).slice(0, found.length), change).toEqual(found);
  }
});

test("[S10] finds an event that is indexed under the wrong type", async () => {
  expect(kindsAndSeqs(await findings("UPDATE events SET landmark = 9 WHERE position = 4"))).toEqual(["head"]);
  const home = setUpHome();
  const store = await home.open();
  await store.log.append(home.ids.next("session"), [
    { type: "session.started", data: { agentId: "main", key: "k", channel: "c" } },
  ]);
  await store.close();
  home.tamper("UPDATE events SET landmark = NULL WHERE position = 1");
  await using reader = openSqliteReader(home);
  expect(kindsAndSeqs((await reader.verify()).damage)).toEqual(["head"]);
});

test("[S10] finds an index that does not match its table", async () => {
  const damage = await findings(`PRAGMA writable_schema = ON;
    CREATE TABLE landmarks_of_nothing (x);
    UPDATE sqlite_schema SET sql = replace(sql, 'landmark IS NOT NULL', 'landmark IS NULL') WHERE name = 'landmarks'`);
  expect(damage.every(({ kind }) => kind === "unreadable")).toBe(true);
  expect(damage).not.toEqual([]);
});
