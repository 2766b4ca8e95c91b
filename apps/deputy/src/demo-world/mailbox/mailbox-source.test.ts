import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { createInboxReader, createLogInbox } from "@deputy/tasks";
import { createHash } from "node:crypto";
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
  return { home, clock, open, wait, reported, bugs };
}

test("each mail that comes is reported once, whoever was watching when", async () => {
  const { clock, open, wait, reported, bugs } = setup();
  await wait("demo-mailbox");
  const first = open();
  await clock.advance(DAY);
  expect(await reported()).toEqual(["m21", "m22"]);
  await first[Symbol.asyncDispose]();
  await clock.advance(DAY);
  expect(await reported()).toEqual(["m21", "m22"]);
  await using _second = open();
  await clock.advance(1);
  expect(await reported()).toEqual(["m21", "m22", "m23", "m24"]);
  await clock.advance(10 * DAY);
  expect(await reported()).toEqual(["m21", "m22", "m23", "m24", "m25", "m26", "m27", "m28"]);
  expect(bugs).toEqual([]);
});

test("after a crash between the report and its note, it is not reported again", async () => {
  const { home, clock, open, wait, reported } = setup();
  await wait("demo-mailbox");
  const first = open();
  await clock.advance(DAY);
  await first[Symbol.asyncDispose]();
  rmSync(join(home, "demo/mailbox-cursor.json"));
  // Written anew, it is about what comes from then on.
  await using _second = open();
  await clock.advance(DAY);
  expect(await reported()).toEqual(["m21", "m22", "m23", "m24"]);
});

test("nothing is made before a task waits for it", async () => {
  const { clock, open, wait, reported } = setup();
  await using _watching = open();
  await wait("another");
  await clock.advance(DAY);
  expect(await reported()).toEqual([]);
  await wait("demo-mailbox");
  // Its days are counted from here.
  await clock.advance(DAY);
  expect(await reported()).toEqual(["m21", "m22"]);
});
