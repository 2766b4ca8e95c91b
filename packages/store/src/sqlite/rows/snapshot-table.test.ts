import { expect, test } from "vitest";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { repairSqliteStore } from "../soundness/repair-sqlite-store.ts";
import { message, setUpHome } from "../store.fixture.ts";

async function setup() {
  const home = setUpHome();
  const store = await home.open();
  const stream = home.ids.next("session");
  const data = { agentId: "main", key: "web--1", channel: "web" };
  const [started] = await store.log.append(stream, [{ type: "session.started", data }, message("hi")]);
  const delivery = {
    hookId: "1",
    hook: "builds",
    deliveryId: "d1",
    scheme: "none",
    contentType: "text/plain",
    bytes: 1,
    sha256: "ab".repeat(32),
    payload: "x",
    label: { trust: "untrusted", source: "hook:builds" },
  } as const;
  const [received] = await store.log.append(`delivery:${"0".repeat(64)}`, [
    { type: "hook.received", data: delivery },
  ]);
  if (started === undefined || received === undefined) throw new Error("Nothing was written");
  const kept = { position: 1, eventId: started.id, state: { open: ["a", 1, null] } };
  await store.log.snapshots?.save("tasks", kept);
  return { home, store, stream, started, received, kept };
}

test("[S41] the next process and a reader get a view's snapshot back", async () => {
  const { home, store, kept } = await setup();
  expect(await store.log.snapshots?.load("tasks")).toEqual(kept);
  expect(await store.log.snapshots?.load("others")).toBeUndefined();
  await using reader = openSqliteReader(home);
  expect(await reader.snapshots.load("tasks")).toEqual(kept);
  await reader.snapshots.save("tasks", { ...kept, state: "changed" });
  await store.close();
  const again = await home.open();
  expect(await again.log.snapshots?.load("tasks")).toEqual(kept);
});

test("[S41] discards a snapshot whose bytes were changed", async () => {
  const { home, store, kept } = await setup();
  await store.close();
  home.tamper(`UPDATE facts SET value = replace(value, '"a"', '"b"') WHERE name = 'view:tasks'`);
  const again = await home.open();
  expect(await again.log.snapshots?.load("tasks")).toBeUndefined();
  await again.log.snapshots?.save("tasks", kept);
  expect(await again.log.snapshots?.load("tasks")).toEqual(kept);
});

test("[S41] erasing an indexed event drops all snapshots; erasing a message or a delivery does not", async () => {
  const { home, store, stream, started, received, kept } = await setup();
  const [, said] = await Array.fromAsync(store.log.read(stream));
  if (said === undefined) throw new Error("No message");
  await store.log.erase([said.id, received.id], "ann");
  expect(await store.log.snapshots?.load("tasks")).toEqual(kept);
  await store.log.erase(started.id, "ann");
  expect(await store.log.snapshots?.load("tasks")).toBeUndefined();
  // The views of this process still know what is gone: what they are is kept by the next one.
  await store.log.snapshots?.save("tasks", kept);
  expect(await store.log.snapshots?.load("tasks")).toBeUndefined();
  for (const file of ["deputy.db", "deputy.db-wal"]) expect(String(home.bytes(file))).not.toContain('"open"');
  await store.close();
  const again = await home.open();
  await again.log.snapshots?.save("tasks", kept);
  expect(await again.log.snapshots?.load("tasks")).toEqual(kept);
});

test("[S41] a repair drops snapshots, since they may hold lost events", async () => {
  const { home, store } = await setup();
  await store.close();
  home.tamper("UPDATE events SET payload = '{}' WHERE seq = 2");
  await repairSqliteStore(home.deps);
  const again = await home.open();
  expect(await again.log.snapshots?.load("tasks")).toBeUndefined();
});

test("[S41] saving a snapshot never throws; a closed log saves none", async () => {
  const { store, kept } = await setup();
  await store.close();
  await store.log.snapshots?.save("tasks", kept);
  expect(await store.log.snapshots?.load("tasks")).toBeUndefined();
});
