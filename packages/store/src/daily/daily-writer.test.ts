import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { createSystemClock } from "@deputy/kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyHome, message, messages, only, setUpHome } from "../sqlite/store.fixture.ts";
import { DAY_MS, FIRST_DAY, setUpDaily } from "./daily.fixture.ts";
import { decodeLine, lineHolds } from "./daily-line.ts";
import { openDailyWriter, rebuildDaily } from "./daily-writer.ts";

const FILE = `${FIRST_DAY}.jsonl`;
const positionsOf = (lines: readonly string[]): (number | undefined)[] =>
  lines.map((line) => decodeLine(line)?.position);

test("[S28] writes each audited event as one line of its day's file, with its proof", async () => {
  const { home, clock, start, names, lines, verify } = setUpDaily();
  const store = await start();
  const session = home.ids.next("session");
  const callId = home.ids.next("call");
  const [first] = await store.log.append(session, [
    message("Grüße, \u2028 and “quotes”"),
    { type: "call.progress", data: { callId, toolPath: "a.b", message: "half" } },
    message("second"),
  ]);
  await clock.advance(DAY_MS);
  await store.log.append("system", [message("the next day")]);
  await store.close();

  expect(names()).toEqual([FILE, "2026-03-02.jsonl", "cursor.json"]);
  const read = lines(FILE).map((line) => decodeLine(line));
  expect(read[0]?.event).toEqual(first);
  expect(read.map((line) => [line?.event.seq, line !== undefined && lineHolds(line)])).toEqual([
    [1, true],
    [3, true],
  ]);
  expect(read[1]?.before).toBe(read[0]?.line);
  expect(lines("2026-03-02.jsonl")).toHaveLength(1);
  expect(await verify()).toMatchObject({ files: 2, lines: 3, pending: 0, findings: [] });
});

test("[S28] makes the directory and the files private to their owner, even if they were not", async () => {
  const { home, start } = setUpDaily();
  mkdirSync(home.path("daily"), { mode: 0o755 });
  chmodSync(home.path("daily"), 0o755);
  let store = await start();
  await store.log.append("system", messages(1));
  await store.close();
  chmodSync(home.path(`daily/${FILE}`), 0o644);
  store = await start();
  await store.log.append("system", messages(1));
  await store.close();
  const modeOf = (name: string): number => statSync(home.path(name)).mode & 0o777;
  expect([modeOf("daily"), modeOf(`daily/${FILE}`), modeOf("daily/cursor.json")]).toEqual([
    0o700, 0o600, 0o600,
  ]);
});

test("[S29] continues without gap or repeat after a kill at any byte since the last sync", async () => {
  const running = setUpDaily();
  const store = await running.start({ syncLines: 3 });
  for (let n = 1; n <= 8; n++) {
    await store.log.append("system", [message(`m${n}`)]);
    await vi.waitFor(() => expect(running.lines(FILE)).toHaveLength(n));
  }
  await vi.waitFor(() => expect(running.text("cursor.json")).toContain('"position":6'));
  const { bytes } = JSON.parse(running.text("cursor.json")) as { bytes: number };
  const whole = running.home.bytes(`daily/${FILE}`);
  expect(bytes).toBeLessThan(whole.length);

  for (let size = bytes; size <= whole.length; size += 397) {
    const killed = setUpDaily(copyHome(running.home));
    cpSync(running.home.path("daily"), killed.home.path("daily"), { recursive: true });
    truncateSync(killed.home.path(`daily/${FILE}`), size);
    appendFileSync(killed.home.path(`daily/${FILE}`), size % 2 === 0 ? "" : "\0\0\0");
    const again = await killed.start();
    await again.log.append("system", [message("m9")]);
    await again.close();
    expect(positionsOf(killed.lines(FILE)), String(size)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(killed.warnings).toEqual([]);
    expect(await killed.verify()).toMatchObject({ lines: 9, findings: [] });
  }
});

test("[S29] does not repeat a new day's first line after a kill before its sync", async () => {
  const running = setUpDaily();
  const store = await running.start();
  await store.log.append("system", [message("old")]);
  await vi.waitFor(() => expect(running.lines(FILE)).toHaveLength(1));
  await running.clock.advance(DAY_MS);
  await store.log.append("system", [message("new")]);
  await vi.waitFor(() => expect(running.lines("2026-03-02.jsonl")).toHaveLength(1));
  const killed = setUpDaily(copyHome(running.home));
  cpSync(running.home.path("daily"), killed.home.path("daily"), { recursive: true });
  expect(killed.text("cursor.json")).toContain('"position":1');
  await (await killed.start()).close();
  expect(positionsOf(killed.lines("2026-03-02.jsonl"))).toEqual([2]);
  expect(await killed.verify()).toMatchObject({ lines: 2, findings: [] });
});

test("[S29] continues existing files after a kill before the first sync", async () => {
  const running = setUpDaily();
  const store = await running.start();
  await store.log.append("system", messages(2));
  await vi.waitFor(() => expect(running.names()).toContain(FILE));
  const killed = setUpDaily(copyHome(running.home));
  await (await killed.start()).close();
  expect(killed.warnings).toEqual([]);
  expect(positionsOf(killed.lines(FILE))).toEqual([1, 2]);
  expect(await killed.verify()).toMatchObject({ lines: 2, aside: [], findings: [] });
});

test("[S29] syncs the files and saves the cursor a second after the last line", async () => {
  const { clock, start, names, text } = setUpDaily();
  const store = await start();
  await store.log.append("system", messages(1));
  await vi.waitFor(() => expect(names()).toContain(FILE));
  expect(text("cursor.json")).toContain('"position":0');
  await vi.waitFor(async () => {
    await clock.advance(1_000);
    expect(text("cursor.json")).toContain('"position":1');
  });
});

test("[S30] warns once when the disk refuses, and retries; appends are not affected", async () => {
  const { home, clock, start, warnings, lines, verify } = setUpDaily();
  const tomorrow = "2026-03-02.jsonl";
  const store = await start();
  await store.log.append("system", messages(1));
  await vi.waitFor(() => expect(lines(FILE)).toHaveLength(1));
  mkdirSync(home.path(`daily/${tomorrow}`));
  await clock.advance(DAY_MS);
  await store.log.append("system", messages(3));
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  expect(warnings[0]).toMatch(/^The daily files cannot be written: EISDIR/);
  for (let n = 0; n < 3; n++) {
    await clock.advance(30_000);
    await store.log.append("system", messages(1));
  }
  expect(warnings).toHaveLength(1);
  rmSync(home.path(`daily/${tomorrow}`), { recursive: true });
  await vi.waitFor(async () => {
    await clock.advance(30_000);
    expect(lines(tomorrow)).toHaveLength(6);
  });
  await store.close();
  expect(await verify()).toMatchObject({ lines: 7, findings: [] });
});

test("[S30] closing does not wait for a long backlog; the next start continues", async () => {
  const home = setUpHome();
  const clock = createSystemClock();
  const store = await home.open();
  await store.log.append("system", messages(3000));
  const writer = openDailyWriter({
    home: home.directory,
    events: store.events,
    clock,
    warn: () => undefined,
    limits: { drainMs: 0, syncLines: 100 },
  });
  await writer.close();
  const daily = setUpDaily(home);
  const { pending, findings } = await daily.verify();
  expect([pending > 0, findings]).toEqual([true, []]);
  await store.close();
  await (await daily.start()).close();
  expect(await daily.verify()).toMatchObject({ lines: 3000, pending: 0, findings: [] });
});

test("[S33] renames files with events that the log does not have, and writes new ones", async () => {
  const { home, start, warnings, lines, verify } = setUpDaily();
  const early = await start();
  await early.log.append("system", messages(5));
  await early.close();
  const backup = copyHome(home);
  const late = await start();
  await late.log.append("system", messages(5, "later"));
  await late.close();
  for (const name of ["deputy.db", "deputy.tail"]) cpSync(backup.path(name), home.path(name));
  for (const name of ["deputy.db-wal", "deputy.db-shm"]) rmSync(home.path(name), { force: true });

  const { findings } = await verify();
  expect(findings[0]?.message).toBe("the files go up to position 10, and the log ends at 5");
  expect(findings[1]).toMatchObject({ kind: "extra", line: 6, stream: "system", seq: 6 });

  const again = await start();
  await again.log.append("system", [message("another sixth")]);
  await again.close();
  expect(warnings).toEqual([expect.stringMatching(/put aside as daily-aside-2026-03-01T.*does not have/)]);
  expect(lines(FILE)).toHaveLength(6);
  const report = await verify();
  expect(report.findings).toEqual([]);
  expect(report.aside).toHaveLength(1);
});

test.each([
  ["is gone", undefined],
  ["cannot be read", "{}"],
])("[S33] does the same with files whose cursor %s", async (_name, content) => {
  const { home, start, warnings, verify } = setUpDaily();
  const store = await start();
  await store.log.append("system", messages(2));
  await store.close();
  rmSync(home.path("daily/cursor.json"));
  if (content !== undefined) appendFileSync(home.path("daily/cursor.json"), content);
  await (await start()).close();
  expect(warnings).toHaveLength(1);
  expect(await verify()).toMatchObject({ lines: 2, findings: [], aside: [expect.any(String)] });
});

test("[S33] rebuilt files are the same byte for byte", async () => {
  const { home, clock, start, text, names } = setUpDaily();
  const store = await start({ syncLines: 7 });
  for (let n = 0; n < 20; n++) {
    await store.log.append(home.ids.next("session"), messages(n % 4));
    if (n % 5 === 4) await clock.advance(DAY_MS / 2);
  }
  await store.close();
  const before = names().map((name) => [name, text(name)]);
  const reopened = await home.open({ clock });
  const deps = { home: home.directory, events: reopened.events, clock, warn: () => undefined };
  expect(await rebuildDaily(deps)).toMatch(/^daily-aside-/);
  expect(names().map((name) => [name, text(name)])).toEqual(before);
});

test("[S34] writes events of an earlier day to that day's file, and later ones to theirs", async () => {
  const { clock, start, lines, verify } = setUpDaily();
  const store = await start();
  const firstMs = clock.now();
  await store.log.append("system", messages(2));
  clock.setWall(firstMs + 3 * DAY_MS);
  await store.log.append("system", messages(1));
  clock.setWall(firstMs);
  await store.log.append("system", messages(3));
  clock.setWall(firstMs + DAY_MS);
  await store.log.append("system", messages(2));
  clock.setWall(firstMs + 3 * DAY_MS);
  await store.log.append("system", messages(1));
  await store.close();
  expect(positionsOf(lines(FILE))).toEqual([1, 2, 4, 5, 6]);
  expect(positionsOf(lines("2026-03-02.jsonl"))).toEqual([7, 8]);
  expect(positionsOf(lines("2026-03-04.jsonl"))).toEqual([3, 9]);
  expect(await verify()).toMatchObject({ lines: 9, findings: [] });
});

test("[S35] reports unwritten events only if they stay unwritten", async () => {
  const home = setUpHome();
  const daily = setUpDaily(home);
  const store = await home.open({ clock: daily.clock });
  await store.log.append("system", messages(3));
  const nowMs = daily.clock.now();
  expect(await daily.verify(nowMs + 5_000)).toMatchObject({ pending: 3, findings: [] });
  const late = await daily.verify(nowMs + 120_000);
  expect(late.findings).toMatchObject([
    { kind: "behind", message: expect.stringContaining("3 events since") },
  ]);
});

test("[S35] accepts that a payload erased just now is still in the files until the next sync, but not for long", async () => {
  const daily = setUpDaily();
  const store = await daily.start();
  const { id } = only(await store.log.append("system", [message("secret")]));
  await vi.waitFor(() => expect(daily.lines(FILE)).toHaveLength(1));
  await daily.clock.advance(2_000);
  await vi.waitFor(() => expect(daily.text("cursor.json")).toContain('"position":1'));
  await store.log.erase(id, "ann");
  expect((await daily.verify(daily.clock.now())).findings).toEqual([]);
  expect((await daily.verify(daily.clock.now() + 120_000)).findings).toMatchObject([{ kind: "unerased" }]);
  expect(daily.text(FILE)).toContain("secret");
  await store.close();
  expect(daily.text(FILE)).not.toContain("secret");
});

test("[S35] verifying beside a working writer finds nothing wrong", async () => {
  const home = setUpHome();
  const clock = createSystemClock();
  const store = await home.open();
  const warn = (): void => undefined;
  const limits = { syncLines: 16 };
  const writer = openDailyWriter({ home: home.directory, events: store.events, clock, warn, limits });
  onTestFinished(() => writer.close());
  const daily = setUpDaily(home);
  const seen = new Set<number>();
  // Until it was looked at while it was written: at different times, it had different lines.
  const appending = (async () => {
    while (seen.size < 4) await store.log.append("system", messages(5));
  })();
  while (seen.size < 4) {
    const { lines, findings } = await daily.verify(clock.now());
    expect(findings).toEqual([]);
    seen.add(lines);
  }
  await appending;
});

test("[S31] no daily file contains an erased payload, and the files still verify", async () => {
  const { home, clock, start, names, text, lines, verify } = setUpDaily();
  const store = await start();
  const old = only(await store.log.append("system", [message("secret-old ü")]));
  await store.log.append("system", [message("between")]);
  await clock.advance(DAY_MS);
  const recent = only(await store.log.append("system", [message("secret-new")]));
  await store.log.append("system", [message("after")]);
  await vi.waitFor(() => expect(text("2026-03-02.jsonl")).toContain("secret-new"));
  const before = lines(FILE).map((line) => Buffer.byteLength(line));
  await store.log.erase(old.id, "ann");
  await store.log.erase(recent.id, "ann");
  await store.close();
  for (const name of names()) expect(text(name)).not.toContain("secret");
  expect(lines(FILE).map((line) => Buffer.byteLength(line))).toEqual(before);
  expect(decodeLine(lines(FILE)[0] ?? "")).toMatchObject({ payload: null, salt: null });
  expect(await verify()).toMatchObject({ lines: 6, findings: [] });

  const reopened = await home.open({ clock });
  await rebuildDaily({ home: home.directory, events: reopened.events, clock, warn: () => undefined });
  expect(await verify()).toMatchObject({ lines: 6, findings: [] });
});

test("[S31] the next start completes an overwrite that was interrupted at any byte", async () => {
  const running = setUpDaily();
  let store = await running.start();
  const { id } = only(await store.log.append("system", [message("secret ".repeat(40))]));
  await store.log.append("system", [message("after")]);
  await store.close();
  const original = running.home.bytes(`daily/${FILE}`);
  const cursor = running.home.bytes("daily/cursor.json");
  store = await running.start();
  await store.log.erase(id, "ann");
  await store.close();
  const erased = running.home.bytes(`daily/${FILE}`);

  for (let cut = 0; cut <= original.indexOf("\n"); cut += 61) {
    const killed = setUpDaily(copyHome(running.home));
    mkdirSync(killed.home.path("daily"));
    const torn = Buffer.concat([erased.subarray(0, cut), original.subarray(cut)]);
    appendFileSync(killed.home.path(`daily/${FILE}`), torn);
    appendFileSync(killed.home.path("daily/cursor.json"), cursor);
    await (await killed.start()).close();
    expect(killed.home.bytes(`daily/${FILE}`).equals(erased), String(cut)).toBe(true);
  }
});
