import { readEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { exportStream } from "./export-stream.ts";
import { importStream } from "./import-stream.ts";
import { openSqliteReader } from "../open-sqlite-reader.ts";
import { all, message, only, setUpHome } from "../store.fixture.ts";

/** A session with an erased payload and a type that only a newer Deputy knows, and its export. */
async function setup() {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  const newer = {
    type: "hologram.projected",
    data: { beams: [1, 2, -0.5, 1e300], "10": 1, "9": 2 },
  } as never;
  const turnId = home.ids.next("turn");
  await store.log.append(session, [{ ...message("hello"), turnId }, newer]);
  const { id } = only(await store.log.append(session, [message("secret")]));
  await store.log.erase(id, "ann");
  const lines = await all(exportStream(store, session));
  return { home, store, session, lines };
}

/** Imports into a home of its own. */
async function importing(lines: readonly string[]) {
  const home = setUpHome();
  const store = await home.open();
  return { store, done: importStream(store, lines) };
}

function edited(
  lines: readonly string[],
  index: number,
  change: (fields: Record<string, unknown>) => void,
): string[] {
  const fields = JSON.parse(lines.at(index) ?? "") as Record<string, unknown>;
  change(fields);
  return lines.with(index, JSON.stringify(fields));
}

test("[S24] a session that was exported and imported is the same session", async () => {
  const { store, session, lines } = await setup();
  const { store: elsewhere, done } = await importing(lines);
  await expect(done).resolves.toEqual({ stream: session, events: 4 });
  expect(await all(elsewhere.log.read(session))).toEqual(await all(store.log.read(session)));
  expect(await all(elsewhere.readSealed(session))).toEqual(await all(store.readSealed(session)));
  expect(await elsewhere.log.head(session)).toEqual(await store.log.head(session));
  expect(await all(exportStream(elsewhere, session))).toEqual(lines);
  const [, newer, erased] = await all(elsewhere.log.read(session));
  expect([newer, erased].map((event) => event !== undefined && readEvent(event))).toMatchObject([
    { kind: "unknown", why: "type" },
    { kind: "unknown", why: "erased" },
  ]);
});

test("[S24] an imported session takes new events, and others see it come", async () => {
  const { session, lines } = await setup();
  const store = await setUpHome().open();
  const stop = new AbortController();
  const followed = store.log.subscribe(session, {}, stop.signal)[Symbol.asyncIterator]();
  const all4 = followed.next();
  await store.log.append("system", [message("before")]);
  await importStream(store, lines);
  await store.log.append(session, [message("after")]);
  expect((await all4).value).toMatchObject({ event: { seq: 1 } });
  expect((await all(store.log.readAll())).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await store.log.verify()).toMatchObject({ events: 6, damage: [] });
  stop.abort();
});

test("[S24] a landmark is found after an import", async () => {
  const home = setUpHome();
  const store = await home.open();
  const session = home.ids.next("session");
  await store.log.append(session, [
    { type: "session.started", data: { agentId: "a", key: "k", channel: "web" } },
  ]);
  const { store: elsewhere, done } = await importing(await all(exportStream(store, session)));
  await done;
  expect(await all(elsewhere.log.readAll({ types: ["session.started"] }))).toHaveLength(1);
});

test("[S24] another process can export while the writer goes on", async () => {
  const { home, lines, session } = await setup();
  await using reader = openSqliteReader(home);
  expect(await all(exportStream(reader, session))).toEqual(lines);
  await expect(all(exportStream(reader, home.ids.next("session")))).rejects.toMatchObject({
    code: "unknown_stream",
  });
});

test("[S25] whatever was changed in a file is found, with its line, and nothing is imported", async () => {
  const { lines } = await setup();
  const changed: Readonly<Record<string, readonly [lines: readonly string[], line: number]>> = {
    "another format": [edited(lines, 0, (f) => (f["format"] = "theirs")), 1],
    "a newer format": [edited(lines, 0, (f) => (f["version"] = 2)), 1],
    "newer events": [edited(lines, 0, (f) => (f["schemaVersion"] = 99)), 1],
    "no stream": [edited(lines, 0, (f) => delete f["stream"]), 1],
    "not JSON": [lines.with(2, "{"), 3],
    "not an object": [lines.with(2, "7"), 3],
    "not an event": [edited(lines, 2, (f) => delete f["payloadHash"]), 3],
    "a changed payload": [edited(lines, 1, (f) => (f["data"] = { text: "bye" })), 2],
    "a changed salt": [edited(lines, 1, (f) => (f["salt"] = "00")), 2],
    "a payload erased in secret": [edited(lines, 1, (f) => Object.assign(f, { salt: null })), 2],
    "a changed header": [edited(lines, 1, (f) => (f["type"] = "error")), 3],
    "another stream": [edited(lines, 1, (f) => (f["stream"] = "system")), 2],
    "a line that is gone": [lines.toSpliced(2, 1), 3],
    "lines in another order": [[...lines.slice(0, 2), lines[3] ?? "", lines[2] ?? "", ...lines.slice(4)], 3],
    "a wrong count": [edited(lines, -1, (f) => (f["count"] = 5)), 6],
    "a wrong head": [edited(lines, -1, (f) => (f["headHash"] = "0".repeat(64))), 6],
    "something after the end": [[...lines, lines[1] ?? ""], 7],
    "an end without events": [[lines[0] ?? "", lines.at(-1) ?? ""], 2],
  };
  for (const [name, [file, line]] of Object.entries(changed)) {
    const { store, done } = await importing(file);
    await expect(done, name).rejects.toMatchObject({
      code: "import_invalid",
      message: expect.stringMatching(`^Line ${line}: `) as string,
    });
    expect(await store.log.verify(), name).toMatchObject({ events: 0, streams: 0, damage: [] });
  }
});

test("[S25] a file cut short is noticed, wherever it was cut", async () => {
  const { lines } = await setup();
  for (let length = 0; length < lines.length; length++) {
    const { done } = await importing(lines.slice(0, length));
    await expect(done, `${length} lines`).rejects.toMatchObject({ code: "import_invalid" });
  }
});

test("[S25] blank lines do not matter, and a source that fails fails the import", async () => {
  const { lines } = await setup();
  await expect((await importing([...lines, "", " "])).done).resolves.toBeDefined();
  const store = await setUpHome().open();
  const failing = async function* (): AsyncGenerator<string> {
    yield* lines.slice(0, 3);
    throw new Error("the pipe broke");
  };
  await expect(importStream(store, failing())).rejects.toThrow("the pipe broke");
  await expect(importStream(store, lines)).resolves.toBeDefined();
});

test("[S26] a stream that is there is not imported again, also when two imports race", async () => {
  const { store, lines, session } = await setup();
  await expect(importStream(store, lines)).rejects.toMatchObject({ code: "stream_exists" });
  const { store: elsewhere, done } = await importing(lines);
  const outcomes = await Promise.allSettled([done, importStream(elsewhere, lines)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect((await elsewhere.log.head(session))?.seq).toBe(4);
});
