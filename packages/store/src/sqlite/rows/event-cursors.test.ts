import { expect, onTestFinished, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { all, messages, setUpHome } from "../store.fixture.ts";

/** A log of 600 events in two streams, changed behind its back. */
async function setup(change: string) {
  const home = setUpHome();
  const [first, second] = [home.ids.next("session"), home.ids.next("session")];
  await using before = await home.open();
  await before.log.append(first, messages(300));
  await before.log.append(second, messages(300));
  await before.close();
  home.tamper(change);
  const log = openSqliteReader(home);
  onTestFinished(() => log.close());
  return { home, log, first, second };
}

const damaged = { code: "log_damaged" };

test("[S9] a changed payload rejects only the reads that reach it", async () => {
  const { log, first, second } = await setup("UPDATE events SET payload = replace(payload, 'm280', 'M280')");
  await expect(all(log.read(first))).rejects.toMatchObject(damaged);
  await expect(all(log.read(first, { after: 200 }))).rejects.toMatchObject(damaged);
  expect(await all(log.read(first, { after: 280 }))).toHaveLength(20);
  expect(await all(log.read(first, { limit: 100 }))).toHaveLength(100);
  await expect(all(log.read(second))).rejects.toMatchObject(damaged);
  await expect(all(log.readAll())).rejects.toMatchObject(damaged);
});

test("[S9] a changed header breaks the link to the next event, even across pages", async () => {
  for (const seq of [1, 100, 256]) {
    const { log, first } = await setup(`UPDATE events SET type = 'error' WHERE position = ${seq}`);
    await expect(all(log.read(first))).rejects.toThrow(`event ${seq + 1} does not follow event ${seq}`);
    await expect(all(log.read(first, { after: seq }))).rejects.toMatchObject(damaged);
    await expect(all(log.readAll())).rejects.toMatchObject(damaged);
    expect(await all(log.read(first, { after: seq + 1 }))).toHaveLength(299 - seq);
  }
});

test("[S9] reports a missing event as a gap anywhere in the stream", async () => {
  for (const seq of [1, 150, 300]) {
    const { log, first } = await setup(`DELETE FROM events WHERE position = ${seq}`);
    await expect(all(log.read(first))).rejects.toMatchObject(damaged);
  }
  const { log, first } = await setup("DELETE FROM events WHERE position = 150");
  await expect(all(log.read(first, { after: 150 }))).rejects.toMatchObject(damaged);
});

test("[S9] does not hand out a last event that the head does not name", async () => {
  const { log, first } = await setup(
    "UPDATE events SET id = substr(id, 1, 29) || iif(id LIKE '%Z', 'Y', 'Z') WHERE position = 300",
  );
  await expect(all(log.read(first))).rejects.toThrow("event 300 is not the one the head names");
});

test("[S9] reports damage to a subscriber too", async () => {
  const { home, first } = await setup("UPDATE events SET payload = '{}' WHERE position = 10");
  const { log } = await home.open();
  const { signal } = new AbortController();
  await expect(all(log.subscribe(first, {}, signal))).rejects.toMatchObject(damaged);
  await expect(all(log.subscribeAll({}, signal))).rejects.toMatchObject(damaged);
});

test("[S9] reports nonsensical columns as damage instead of crashing", async () => {
  const { log, first } = await setup(
    "DELETE FROM streams WHERE id = 2; UPDATE streams SET head_position = 1 << 60",
  );
  await expect(all(log.readAll())).rejects.toMatchObject(damaged);
  await expect(all(log.read(first))).rejects.toMatchObject(damaged);
});
