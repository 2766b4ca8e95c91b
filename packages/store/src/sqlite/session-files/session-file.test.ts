import { readEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { exportStream } from "./export-stream.ts";
import { readSessionFile } from "./read-session-file.ts";
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

function edited(
  lines: readonly string[],
  index: number,
  change: (fields: Record<string, unknown>) => void,
): string[] {
  const fields = JSON.parse(lines.at(index) ?? "") as Record<string, unknown>;
  change(fields);
  return lines.with(index, JSON.stringify(fields));
}

test("[S24] reads a session back from its file as it was exported", async () => {
  const { store, session, lines } = await setup();
  const { stream, events } = await readSessionFile(lines);
  expect(stream).toBe(session);
  expect(events).toEqual(await all(store.log.read(session)));
  expect(events.slice(1, 3).map((event) => readEvent(event))).toMatchObject([
    { kind: "unknown", why: "type" },
    { kind: "unknown", why: "erased" },
  ]);
});

test("[S24] another process can export while the writer keeps writing", async () => {
  const { home, lines, session } = await setup();
  await using reader = openSqliteReader(home);
  expect(await all(exportStream(reader, session))).toEqual(lines);
  await expect(all(exportStream(reader, home.ids.next("session")))).rejects.toMatchObject({
    code: "unknown_stream",
  });
});

test("[S25] finds every kind of change in a file and names its line", async () => {
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
    await expect(readSessionFile(file), name).rejects.toMatchObject({
      code: "import_invalid",
      message: expect.stringMatching(`^Line ${line}: `) as string,
    });
  }
});

test("[S25] notices a truncated file, wherever it was cut", async () => {
  const { lines } = await setup();
  for (let length = 0; length < lines.length; length++) {
    await expect(readSessionFile(lines.slice(0, length)), `${length} lines`).rejects.toMatchObject({
      code: "import_invalid",
    });
  }
});

test("[S25] ignores blank lines; a source that fails makes the import fail", async () => {
  const { lines } = await setup();
  await expect(readSessionFile([...lines, "", " "])).resolves.toBeDefined();
  const failing = async function* (): AsyncGenerator<string> {
    yield* lines.slice(0, 3);
    throw new Error("the pipe broke");
  };
  await expect(readSessionFile(failing())).rejects.toThrow("the pipe broke");
});

test("[S26] does not hold an endless file in memory", async () => {
  const { lines } = await setup();
  const [header = "", ...rest] = lines;
  await expect(readSessionFile(lines, lines.join("").length)).resolves.toBeDefined();
  await expect(readSessionFile([header, ...rest], lines.join("").length - 1)).rejects.toMatchObject({
    code: "import_invalid",
    message: expect.stringContaining("characters") as string,
  });
});

test("[S26] imports only sessions, not deliveries or the stream `system`", async () => {
  const home = setUpHome();
  const store = await home.open();
  const delivery = `delivery:${"0".repeat(64)}` as const;
  for (const stream of ["system", delivery] as const) {
    await store.log.append(stream, [message("hello")]);
    await expect(readSessionFile(await all(exportStream(store, stream))), stream).rejects.toMatchObject({
      code: "import_invalid",
      message: `Line 1: only sessions can be imported, and ${stream} is not a session`,
    });
  }
});
