import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createLogInbox } from "@deputy/tasks";
import { createInboxReader } from "@deputy/tasks/readers";
import { expect, onTestFinished, test } from "vitest";
import { watchMailbox } from "./watch-mailbox.ts";

const DAY = 86_400_000;

function setup() {
  const home = mkdtempSync(join(tmpdir(), "demo-mail-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const inbox = createLogInbox({ log, sha256, redact: (value) => value });
  const bugs: unknown[] = [];
  const signal = new AbortController().signal;
  /** What a start of the daemon opens. */
  const open = () =>
    watchMailbox({ home, log, inbox, clock, time: clock, onBug: (bug) => bugs.push(bug), signal });
  const wait = async (hook: string) => {
    const taskId = ids.next("task");
    const data = { taskId, kind: "event" as const, prompt: "x", agentId: "main", trigger: { hook } };
    await log.append(ids.next("session"), [{ type: "task.created", data }]);
  };
  const reported = async () =>
    (await createInboxReader(log).newest({ limit: 100 })).map(({ data }) => data.deliveryId).toReversed();
  /** It has looked, and sleeps until the next mail arrives. */
  const watching = () => expect.poll(() => clock.sleepers).toBe(1);
  return { home, clock, watching, open, wait, reported, bugs };
}

test("reports each new mail once, including mail that came while nothing watched", async () => {
  const { clock, watching, open, wait, reported, bugs } = setup();
  await wait("demo-mailbox");
  const first = open();
  await watching();
  await clock.advance(DAY);
  await expect.poll(reported).toEqual(["m21", "m22"]);
  await first[Symbol.asyncDispose]();
  await clock.advance(DAY);
  expect(await reported()).toEqual(["m21", "m22"]);
  await using _second = open();
  await expect.poll(reported).toEqual(["m21", "m22", "m23", "m24"]);
  await watching();
  await clock.advance(10 * DAY);
  await expect.poll(reported).toEqual(["m21", "m22", "m23", "m24", "m25", "m26", "m27", "m28"]);
  expect(bugs).toEqual([]);
});

test("does not repeat reports after a crash before they were noted", async () => {
  const { home, clock, watching, open, wait, reported } = setup();
  const note = join(home, "demo/mailbox-cursor.json");
  await wait("demo-mailbox");
  const first = open();
  await watching();
  const before = readFileSync(note, "utf8");
  await clock.advance(DAY);
  await expect.poll(reported).toEqual(["m21", "m22"]);
  await first[Symbol.asyncDispose]();
  writeFileSync(note, before);
  await using _second = open();
  await watching();
  await clock.advance(DAY);
  await expect.poll(reported).toEqual(["m21", "m22", "m23", "m24"]);
});

test("creates nothing before a task waits for it, and counts days from then", async () => {
  const { home, clock, watching, open, wait, reported } = setup();
  await using _watching = open();
  await wait("another");
  await clock.advance(DAY);
  expect(existsSync(join(home, "demo"))).toBe(false);
  await wait("demo-mailbox");
  await watching();
  expect(await reported()).toEqual([]);
  await clock.advance(DAY);
  await expect.poll(reported).toEqual(["m21", "m22"]);
});
