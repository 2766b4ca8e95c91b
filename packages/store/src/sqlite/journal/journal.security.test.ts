import { createSecretKey, randomBytes } from "node:crypto";
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openEntry, sealEntry } from "./journal-table.ts";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { all, copyHome, message, setUpHome } from "../store.fixture.ts";

const PLAIN = "the raw value that only the journal may hold";

async function setup() {
  const home = setUpHome();
  const store = await home.open();
  const [cell, other] = [home.ids.next("cell"), home.ids.next("cell")];
  const entry = (cellId: typeof cell, kind: string) => ({ cellId, kind, bytes: Buffer.from(PLAIN) });
  const journal = [entry(cell, "call"), entry(cell, "call"), entry(cell, "snapshot"), entry(other, "call")];
  await store.log.append("system", [message("a")], { journal });
  return { home, store, cell, other };
}

test("[S20] journal entries are encrypted on disk and come back unchanged", async () => {
  const { home, store, cell } = await setup();
  for (const name of readdirSync(home.directory)) expect(home.bytes(name).includes(PLAIN), name).toBe(false);
  const found = await all(store.log.journal.read(cell));
  expect(found.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([PLAIN, PLAIN, PLAIN]);
});

test("[S20] a changed, moved, swapped, renamed or truncated entry does not decrypt", async () => {
  const { home, store, cell, other } = await setup();
  await store.close();
  const changes = [
    `UPDATE journal SET sealed = zeroblob(60) WHERE entry = 2`,
    `UPDATE journal SET sealed = x'00' WHERE entry = 2`,
    `UPDATE journal SET nonce = zeroblob(12) WHERE entry = 2`,
    `UPDATE journal SET kind = 'snapshot' WHERE entry = 2`,
    `DELETE FROM journal WHERE entry = 1`,
    `DELETE FROM journal WHERE entry = 2`,
    `UPDATE journal SET (nonce, sealed) = (SELECT nonce, sealed FROM journal j WHERE j.entry = 1) WHERE entry = 2`,
    `UPDATE journal SET (nonce, sealed) = (SELECT nonce, sealed FROM journal j WHERE j.entry = 4) WHERE entry = 1`,
  ];
  for (const change of changes) {
    const copy = copyHome(home);
    copy.tamper(change);
    const { log } = await copy.open();
    await expect(all(log.journal.read(cell)), change).rejects.toMatchObject({ code: "log_damaged" });
    expect(await all(log.journal.read(other))).toHaveLength(1);
  }
});

test("[S20] flipping any bit of nonce, text or tag is noticed", () => {
  const key = createSecretKey(randomBytes(32));
  const slot = { cellId: "cel_1", ordinal: 0, kind: "call" };
  const entry = sealEntry(key, slot, Buffer.from("x"));
  for (const part of ["nonce", "sealed"] as const) {
    for (let bit = 0; bit < entry[part].length * 8; bit++) {
      const bytes = Buffer.from(entry[part]);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => openEntry(key, slot, { ...entry, [part]: bytes })).toThrow();
    }
  }
  expect(openEntry(key, slot, entry)).toEqual(Buffer.from("x"));
});

test("[S21] without its key a journal does not open, but the log can still be read", async () => {
  const { home, store } = await setup();
  await store.close();
  rmSync(home.path("key"));
  await expect(home.open()).rejects.toMatchObject({ code: "key_missing" });
  expect(readdirSync(home.directory)).not.toContain("key");
  writeFileSync(home.path("key"), randomBytes(32));
  await expect(home.open()).rejects.toMatchObject({ code: "key_invalid" });
  writeFileSync(home.path("key"), "short");
  await expect(home.open()).rejects.toMatchObject({ code: "key_invalid" });
});

test("[S21] makes a new key if the journal is empty", async () => {
  const { home, store, cell, other } = await setup();
  await store.log.journal.erase(cell);
  await store.log.journal.erase(other);
  await store.close();
  rmSync(home.path("key"));
  await expect(home.open()).resolves.toBeDefined();
  expect(home.bytes("key")).toHaveLength(32);
});

test("[S27] a reader beside the writer gets journal entries, including later ones", async () => {
  const { home, store, cell } = await setup();
  await using reader = openSqliteReader(home);
  const texts = async (): Promise<string[]> =>
    (await all(reader.journal.read(cell))).map(({ bytes }) => Buffer.from(bytes).toString());
  expect(await texts()).toEqual([PLAIN, PLAIN, PLAIN]);
  await store.log.append("system", [message("b")], {
    journal: Array.from({ length: 20 }, (_, n) => ({
      cellId: cell,
      kind: "call",
      bytes: Buffer.from(`${n}`),
    })),
  });
  expect(await texts()).toHaveLength(23);
  await store.log.journal.erase(cell);
  expect(await texts()).toEqual([]);
  await reader.close();
  await expect(texts()).rejects.toMatchObject({ code: "log_closed" });
});

test("[S27] a reader without the right key reads events but not the journal, and makes no key", async () => {
  const { home, store, cell } = await setup();
  await store.close();
  const key = home.bytes("key");
  const read = async (): Promise<unknown> => {
    await using reader = openSqliteReader(home);
    expect(await all(reader.read("system"))).toHaveLength(1);
    return await all(reader.journal.read(cell));
  };
  rmSync(home.path("key"));
  await expect(read()).rejects.toMatchObject({ code: "key_missing" });
  expect(readdirSync(home.directory)).not.toContain("key");
  writeFileSync(home.path("key"), randomBytes(32));
  await expect(read()).rejects.toMatchObject({ code: "key_invalid" });
  writeFileSync(home.path("key"), key);
  chmodSync(home.path("key"), 0o644);
  expect(await read()).toHaveLength(3);
  expect(statSync(home.path("key")).mode & 0o777).toBe(0o644);
  await (await home.open()).close();
  expect(statSync(home.path("key")).mode & 0o777).toBe(0o600);
});
