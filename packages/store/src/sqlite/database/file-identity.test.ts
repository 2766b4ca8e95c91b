import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { all, message, messages, setUpHome, textsOf } from "../store.fixture.ts";

async function setup() {
  const home = setUpHome();
  const session = home.ids.next("session");
  const store = await home.open();
  await store.log.append(session, messages(3));
  const append = (text: string) => store.log.append(session, [message(text)]);
  return { home, session, store, append };
}

test("[S39] refuses appends while the database is moved away, and continues once it is back", async () => {
  const { home, session, store, append } = await setup();
  renameSync(home.path("deputy.db"), home.path("elsewhere"));
  await expect(append("lost")).rejects.toMatchObject({
    code: "log_missing",
    message: expect.stringContaining("was removed or renamed while Deputy had it open") as string,
    hint: expect.stringMatching(/goes on by itself.*deputy audit repair/) as string,
  });
  expect(store.trouble()).toMatchObject({ code: "log_missing" });
  renameSync(home.path("elsewhere"), home.path("deputy.db"));
  expect(store.trouble()).toBeUndefined();
  await append("kept");
  expect(await textsOf(store, session)).toEqual(["m1", "m2", "m3", "kept"]);
  await store.close();
  expect(await textsOf(await home.open(), session)).toHaveLength(4);
});

test("[S39] refuses a copy of the database or of the write-ahead log in its place", async () => {
  for (const name of ["deputy.db", "deputy.db-wal"]) {
    const { home, append } = await setup();
    copyFileSync(home.path(name), home.path("copy"));
    renameSync(home.path(name), home.path("away"));
    await expect(append("a")).rejects.toMatchObject({ code: "log_missing" });
    renameSync(home.path("copy"), home.path(name));
    await expect(append("b")).rejects.toMatchObject({
      code: "log_missing",
      message: expect.stringContaining(`${name} was replaced by another file`) as string,
    });
  }
});

test("[S39] a truncated file fails the log for good, and the next start reports the damage", async () => {
  for (const name of ["deputy.db", "deputy.db-wal"]) {
    const { home, store, append } = await setup();
    truncateSync(home.path(name), 4096);
    await expect(append("a")).rejects.toMatchObject({
      code: "log_failed",
      message: expect.stringContaining("cut") as string,
    });
    writeFileSync(home.path(name), Buffer.alloc(1_000_000));
    await expect(append("b")).rejects.toMatchObject({ code: "log_failed" });
    expect(store.trouble()).toMatchObject({ code: "log_failed" });
    await store.close();
    await expect(home.open()).rejects.toMatchObject({ code: "log_damaged" });
  }
});

test("[S43] closing a failed log leaves its files as they are", async () => {
  const { home, store, append } = await setup();
  // Another program appended to the file and then cut it: everything committed is still there.
  const wal = home.bytes("deputy.db-wal");
  writeFileSync(home.path("deputy.db-wal"), Buffer.concat([wal, Buffer.alloc(100)]));
  expect(store.trouble()).toBeUndefined();
  truncateSync(home.path("deputy.db-wal"), wal.length);
  await expect(append("refused")).rejects.toMatchObject({ code: "log_failed" });
  const files = ["deputy.db", "deputy.db-wal"].map((name) => home.bytes(name));
  await store.close();
  expect(["deputy.db", "deputy.db-wal"].map((name) => home.bytes(name))).toEqual(files);
  const opened = await home.open();
  expect(opened.report.shutdown).toBe("unclean");
});

test("[S39] emptying the write-ahead log ourselves raises no alarm", async () => {
  const { store, session, append } = await setup();
  const [event] = await append("to be erased");
  await store.log.erase(event?.id ?? ("" as never), "ann");
  await append("after");
  expect((await all(store.log.read(session))).at(-1)).toMatchObject({ data: { text: "after" } });
});

test("[S39] closing while the database is gone counts as an unclean shutdown", async () => {
  const { home, store } = await setup();
  rmSync(home.path("deputy.db"));
  await store.close();
  await expect(home.open()).rejects.toMatchObject({
    code: "log_damaged",
    message: expect.stringContaining("is missing or empty, and 3 events were acknowledged") as string,
  });
});
