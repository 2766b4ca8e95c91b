import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.fixture.ts";
import type { Delivery } from "../../inbox/inbox.ts";
import { createInboxReader } from "../../inbox/inbox-reader.ts";
import { createLogInbox } from "../../inbox/log-inbox.ts";
import type { SourceProgress } from "../../sources/event-source.ts";
import { fileChangeKinds } from "./file-change.ts";
import { changesSince } from "./folder-changes.ts";
import { scanFolder } from "./scan-folder.ts";
import { createFolderSource, type FilePayload, type FolderSettings } from "./folder-source.ts";

function setup() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "deputy-files-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, "in");
  const home = join(base, "home");
  mkdirSync(folder);
  mkdirSync(home);
  const clock = createFakeClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock: createSystemClock() }) });
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const inbox = createLogInbox({ log, sha256, redact: (value) => value });
  const reader = createInboxReader(log);
  const snapshotFile = join(home, "events", "in.json");

  const open = (
    over: Partial<FolderSettings> = {},
    accept: (delivery: Delivery) => ReturnType<typeof inbox.accept> = inbox.accept,
  ) => {
    const stop = new AbortController();
    const states: SourceProgress[] = [];
    const settings = { path: folder, on: fileChangeKinds, ...over };
    const source = createFolderSource({ name: "in", settings, snapshotFile, home, clock });
    const onState = (state: SourceProgress): void => void states.push(state);
    const ended = source.open({ accept, onState, signal: stop.signal }).catch((error: unknown) => error);
    const close = async (): Promise<unknown> => {
      stop.abort();
      return await ended;
    };
    onTestFinished(async () => void (await close()));
    return { states, ended, close };
  };
  const received = async () => (await reader.newest({ limit: 1_000 })).toReversed().map(({ data }) => data);
  const told = async () => (await received()).map(({ deliveryId }) => deliveryId);
  /** Advances the clock until it holds. */
  const until = (holds: () => Promise<void> | void, stepMs = 3_000): Promise<void> =>
    eventually(async () => {
      await clock.advance(stepMs);
      await holds();
    });
  /** Lets it scan often enough to have reported every stable change. */
  const looks = async ({ states }: { readonly states: readonly SourceProgress[] }): Promise<void> => {
    const before = states.length;
    await until(() => expect(states.length).toBeGreaterThan(before + 4), 60_000);
  };
  /** Opened, with its first scan done. */
  const opened = async (...args: Parameters<typeof open>) => {
    const life = open(...args);
    await eventually(() => expect(life.states.at(-1)?.kind).toBe("watching"));
    return life;
  };
  const put = (path: string, text = "x"): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return { base, folder, home, snapshotFile, clock, inbox, open, opened, received, told, until, looks, put };
}

test("[J80] the first start reports only later changes; each file is one delivery", async () => {
  const { folder, opened, put, until, told, received, looks } = setup();
  put("old.txt");
  const life = await opened();
  put("sub/new.txt", "hello");
  await until(async () => expect(await told()).toEqual(["created sub/new.txt"]));
  utimesSync(join(folder, "old.txt"), 1_000, 1_000);
  await until(async () => expect(await told()).toEqual(["created sub/new.txt", "changed old.txt"]));
  rmSync(join(folder, "old.txt"));
  await until(async () => expect((await told()).at(-1)).toBe("removed old.txt"));
  await looks(life);
  expect(await told()).toHaveLength(3);
  const [first, second] = await received();
  expect(first).toMatchObject({
    hook: "in",
    scheme: "files",
    event: "file.created",
    label: { trust: "untrusted" },
  });
  expect(second?.payload).toEqual({
    kind: "changed",
    path: join(folder, "old.txt"),
    folder,
    size: 1,
    mtime: "1970-01-01T00:16:40.000Z",
  } satisfies FilePayload);
  expect(JSON.stringify(first)).not.toContain("hello");
});

test("[J80] follows the system's hints without waiting for the next minute", async () => {
  const { opened, put, told, clock } = setup();
  const { states } = await opened();
  await clock.advance(2_000);
  await eventually(() => expect(states).toHaveLength(3));
  await eventually(() => expect(clock.sleepers).toBe(1));
  put("a");
  // Besides the minute, it now sleeps until the hints stop.
  await eventually(() => expect(clock.sleepers).toBe(2));
  await clock.advance(500);
  await eventually(() => expect(states).toHaveLength(4));
  await eventually(() => expect(clock.sleepers).toBe(1));
  await clock.advance(2_000);
  await eventually(async () => expect(await told()).toEqual(["created a"]));
});

test("[J81] finds changes from before the start, once", async () => {
  const { folder, opened, put, until, told, looks } = setup();
  put("a");
  put("b");
  put("c");
  await (await opened()).close();
  put("d");
  put("b", "longer");
  rmSync(join(folder, "c"));
  const second = await opened();
  await until(async () => expect(await told()).toEqual(["changed b", "removed c", "created d"]));
  await second.close();
  const third = await opened();
  await looks(third);
  expect(await told()).toHaveLength(3);
});

test("[J81] a crash between inbox and snapshot loses and repeats nothing, at any point", async () => {
  for (let point = 1; point <= 4; point++) {
    const { opened, open, put, until, told, inbox } = setup();
    await (await opened()).close();
    const names = ["a", "b", "c", "d"];
    for (const name of names) put(name);
    let accepted = 0;
    const dying = open({}, async (delivery) => {
      const answer = await inbox.accept(delivery);
      accepted += 1;
      if (accepted === point) throw new Error("killed after the commit, before the snapshot");
      return answer;
    });
    await until(() => expect(accepted).toBe(point));
    expect(await dying.ended).toMatchObject({ message: expect.stringContaining("killed") });
    expect(await told()).toHaveLength(point);
    await opened();
    await until(async () => expect(await told()).toEqual(names.map((name) => `created ${name}`)));
  }
});

test("[J81] keeps what was reported before a crash, even if the file changed since", async () => {
  const { folder, opened, open, put, until, told, inbox } = setup();
  await (await opened()).close();
  put("a");
  put("b");
  const dying = open({}, async (delivery) => {
    await inbox.accept(delivery);
    throw new Error("killed after the first commit");
  });
  await until(async () => expect(await told()).toEqual(["created a"]));
  await dying.ended;
  rmSync(join(folder, "a"));
  put("b", "changed");
  await opened();
  await until(async () => expect(await told()).toEqual(["created a", "created b", "removed a", "changed b"]));
});

test("[J81] reports a file each time it goes and comes back", async () => {
  const { folder, base, opened, put, until, told } = setup();
  put("a");
  await opened();
  const wanted: string[] = [];
  for (let times = 0; times < 2; times++) {
    renameSync(join(folder, "a"), join(base, "away"));
    wanted.push("removed a");
    await until(async () => expect(await told()).toEqual(wanted));
    renameSync(join(base, "away"), join(folder, "a"));
    wanted.push("created a");
    await until(async () => expect(await told()).toEqual(wanted));
  }
});

test("[J82] reports a growing file only once it is stable", async () => {
  const { folder, opened, put, clock, until, told } = setup();
  const life = await opened();
  put("download", "0");
  for (let n = 0; n < 5; n++) {
    const before = life.states.length;
    appendFileSync(join(folder, "download"), "more");
    utimesSync(join(folder, "download"), 1_000 + n, 1_000 + n);
    // Each scan finds it changed, although time passes.
    await eventually(async () => {
      await clock.advance(500);
      expect(life.states.length).toBeGreaterThan(before);
    });
    expect(await told()).toEqual([]);
  }
  await until(async () => expect(await told()).toEqual(["created download"]));
});

test("[J82] reports only the wanted changes of matching files", async () => {
  const { folder, opened, put, until, told, looks } = setup();
  const life = await opened({ glob: "*.pdf", on: ["created"] });
  put("a.pdf");
  put("deep/b.pdf");
  put("c.txt");
  put(".hidden.txt");
  await until(async () => expect((await told()).toSorted()).toEqual(["created a.pdf", "created deep/b.pdf"]));
  put("a.pdf", "changed");
  rmSync(join(folder, "deep/b.pdf"));
  await looks(life);
  expect(await told()).toHaveLength(2);
});

test("[J82] a glob with a slash matches the path", async () => {
  const { opened, put, until, told, looks } = setup();
  const life = await opened({ glob: "scans/**/*.pdf" });
  put("scans/2026/a.pdf");
  put("other/b.pdf");
  await until(async () => expect(await told()).toEqual(["created scans/2026/a.pdf"]));
  await looks(life);
  expect(await told()).toHaveLength(1);
});

test("[J83] does not follow links or look into hidden directories and Deputy's home", async () => {
  const { base, folder, home, opened, put, until, told, looks } = setup();
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "elsewhere", "secret"), "x");
  const life = await opened({ path: base });
  symlinkSync(join(base, "elsewhere"), join(folder, "link"));
  symlinkSync("/etc/passwd", join(folder, "passwd"));
  symlinkSync(folder, join(folder, "loop"));
  put(".git/config");
  writeFileSync(join(home, "deputy.db"), "x");
  put("seen");
  await until(async () => expect(await told()).toEqual(["created in/seen"]));
  await looks(life);
  expect(await told()).toEqual(["created in/seen"]);
});

test("[J83] refuses to watch Deputy's own home", async () => {
  const { home, open } = setup();
  mkdirSync(join(home, "workspace"));
  for (const path of [home, join(home, "workspace")])
    expect(await open({ path }).ended).toMatchObject({
      code: "source_refused",
      message: expect.stringContaining("Deputy's own"),
    });
});

test("[J83] refuses a folder that is missing or has too much in it, and says what to do", async () => {
  const { base, folder, open, put } = setup();
  expect(await open({ path: join(base, "none") }).ended).toMatchObject({
    code: "source_refused",
    hint: expect.stringContaining("Make it"),
  });
  for (const name of ["a", "b", "c"]) put(`deep/${name}`);
  const options = { root: folder, fits: () => false, except: base };
  const { signal } = new AbortController();
  expect((await scanFolder({ ...options, maxEntries: 4 }, signal)).files.size).toBe(0);
  await expect(scanFolder({ ...options, maxEntries: 3 }, signal)).rejects.toMatchObject({
    code: "source_refused",
    message: `${folder} has more than 3 files and folders in it`,
    hint: expect.stringContaining("further down"),
  });
});

test("[J84] a folder that vanishes, or whose drive does, counts as no removal", async () => {
  const { base, folder, opened, open, put, told, until } = setup();
  put("a");
  const life = await opened();
  let end: unknown;
  const ended = life.ended.then((error) => (end = error));
  renameSync(folder, join(base, "unmounted"));
  await until(() =>
    expect(end).toMatchObject({ code: "source_refused", message: `There is no folder ${folder}` }),
  );
  await ended;
  mkdirSync(folder);
  expect(await open().ended).toMatchObject({
    code: "source_refused",
    message: `${folder} is empty, and another folder than before`,
  });
  expect(await told()).toEqual([]);
  rmSync(folder, { recursive: true });
  renameSync(join(base, "unmounted"), folder);
  put("b");
  await opened();
  await until(async () => expect(await told()).toEqual(["created b"]));
});

test("[J84] what cannot be looked at does not count as removed", () => {
  const facts = { mtimeNs: "1", size: 1, ino: "1" };
  const before = new Map(["locked/a", "locked", "lockedless", "gone"].map((path) => [path, facts]));
  expect(changesSince(before, { files: new Map(), unreadable: ["locked"] })).toEqual([
    { kind: "removed", path: "gone", facts },
    { kind: "removed", path: "lockedless", facts },
  ]);
});

test("[J71] stops at an invalid snapshot instead of guessing", async () => {
  const { opened, open, snapshotFile, put, until, told } = setup();
  put("a");
  await (await opened()).close();
  put("b");
  const good = readFileSync(snapshotFile, "utf8");
  for (const broken of [
    "",
    "[]",
    good.replace('"files":[[', '"files":[[1,'),
    good.replace('"due":[]', '"due":[["x"]]'),
    good.slice(0, -3),
  ]) {
    writeFileSync(snapshotFile, broken);
    expect(await open().ended).toMatchObject({ code: "cursor_unusable" });
  }
  writeFileSync(snapshotFile, good);
  await opened();
  await until(async () => expect(await told()).toEqual(["created b"]));
});
