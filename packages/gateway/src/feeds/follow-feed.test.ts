import { createIdSource, type TurnId } from "@deputy/kit";
import type { EventLog, NewEvent, StreamId } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Frame } from "../event-frame.ts";
import { createFeedTails } from "./feed-tails.ts";
import { followFeed } from "./follow-feed.ts";
import type { FrameFeed } from "./frame-feed.ts";
import { runFeed } from "../routes/runs-routes.ts";
import { taskFeed } from "../routes/tasks-routes.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const failures: unknown[] = [];
  const tails = createFeedTails({ onFailure: (error) => void failures.push(error) });
  const stream: StreamId = ids.next("session");
  const itemId = ids.next("item");
  const turnId = ids.next("turn");
  const taskId = ids.next("task");
  const say = (text: string): NewEvent => ({ type: "error", turnId, data: { code: "x", message: text } });
  const whole = (text: string): NewEvent => ({ type: "assistant.message", turnId, data: { itemId, text } });
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const completed: NewEvent = { type: "task.completed", data: { taskId, outcome: "succeeded" } };
  const done: NewEvent = { type: "turn.completed", turnId, data: { usage } };
  /** Follows with a client that falls behind whenever `pace` says so, and catches up a while later. */
  const follow = (feed: FrameFeed, after: number, pace: () => boolean) => {
    const told: string[] = [];
    const stop = new AbortController();
    const listener = {
      tell({ text }: Frame) {
        told.push(text);
        return pace() ? ("taken" as const) : ("behind" as const);
      },
      caughtUp: () => turns(3),
    };
    const ended = followFeed(tails, { feed, after }, listener, stop.signal);
    return { told, stop, ended };
  };
  return { log, failures, stream, itemId, turnId, taskId, say, whole, completed, done, follow };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What a single follower gets. */
async function toldAlone(feed: FrameFeed, after: number): Promise<string> {
  const steps = await Array.fromAsync(feed.read(after, new AbortController().signal));
  return steps.map(({ text }) => text).join("");
}

const plan = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("events" as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      kind: fc.constant("join" as const),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      slow: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("leave" as const) }),
    fc.record({ kind: fc.constant("wait" as const), turns: fc.integer({ min: 0, max: 3 }) }),
  ),
  { maxLength: 30 },
);

test("[G70] [G11] each of many followers gets exactly what follows its cursor, however they come, stall and leave", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (steps) => {
      const { log, failures, stream, taskId, say, completed, follow } = setup();
      const feed = taskFeed(log, { id: taskId, stream });
      const followers: { after: number; follower: ReturnType<typeof follow> }[] = [];
      let said = 0;
      await log.append(stream, [say("the first")]);
      for (const step of steps) {
        if (step.kind === "events")
          await log.append(
            stream,
            Array.from({ length: step.count }, () => say(`${said++}`)),
          );
        if (step.kind === "join") {
          const after = Math.floor(step.from * (await feed.head()));
          let frames = 0;
          const pace = (): boolean => !step.slow || ++frames % 2 === 0;
          followers.push({ after, follower: follow(feed, after, pace) });
        }
        if (step.kind === "leave") followers.shift()?.follower.stop.abort();
        if (step.kind === "wait") await turns(step.turns);
      }
      await log.append(stream, [completed]);
      for (const { after, follower } of followers) {
        await follower.ended;
        expect(follower.told.join("")).toBe(await toldAlone(feed, after));
      }
      expect(failures).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("[G70] [G41] a follower that joins during a message gets its text without gap or repeat", async () => {
  const { log, stream, itemId, turnId, say, whole, done, follow } = setup();
  const feed = runFeed(log, turnId, { stream, endSeq: undefined });
  const followers: ReturnType<typeof follow>[] = [];
  let text = "";
  const write = (piece: string): void => {
    const place = { stream, turnId, itemId, itemType: "message", offset: text.length } as const;
    log.publish({ type: "assistant.delta", at: "2026-01-01T00:00:00.000Z", ...place, text: piece });
    text += piece;
  };
  await log.append(stream, [say("begun")]);
  for (let piece = 0; piece < 40; piece++) {
    let frames = 0;
    if (piece % 4 === 0) followers.push(follow(feed, 0, () => piece % 8 === 0 || ++frames % 5 > 0));
    await turns(piece % 3);
    write(`${piece} `);
    if (piece % 5 === 0) await log.append(stream, [say(`beside it ${piece}`)]);
  }
  await turns(5);
  await log.append(stream, [whole(text), done]);
  for (const { told, ended } of followers) {
    await ended;
    expect(withCursor(told.join(""))).toEqual(withCursor(await toldAlone(feed, 0)));
    expect(followedText(told)).toBe(text);
  }
});

function withCursor(told: string): readonly string[] {
  return told.split("\n\n").filter((block) => block.startsWith("id: "));
}

/** What a client shows if it adds each delta at its offset. Throws if one leaves a gap. */
function followedText(told: readonly string[]): string {
  let shown = "";
  for (const block of told.join("").split("\n\n")) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    const { payload } = JSON.parse(data ?? "{}") as {
      payload?: { type: string; offset: number; text: string };
    };
    if (payload?.type !== "item_delta") continue;
    if (payload.offset > shown.length) throw new Error(`a gap at ${payload.offset}: ${shown}`);
    shown = shown.slice(0, payload.offset) + payload.text;
  }
  return shown;
}

test("[G70] reads once from the log what all followers get", async () => {
  const { log, stream, taskId, say, completed, follow } = setup();
  const feed = taskFeed(log, { id: taskId, stream });
  const read = countItems(log);
  await log.append(stream, [say("one")]);
  const followers = Array.from({ length: 50 }, () => follow(feed, 0, () => true));
  await turns(3);
  await log.append(stream, [say("two")]);
  await turns(3);
  const before = read.items;
  for (let said = 0; said < 10; said++) await log.append(stream, [say(`more ${said}`)]);
  await turns(30);
  expect(read.items - before).toBe(10);
  await log.append(stream, [completed]);
  await Promise.all(followers.map(({ ended }) => ended));
  expect(new Set(followers.map(({ told }) => told.join(""))).size).toBe(1);
});

function countItems(log: EventLog): { items: number } {
  const count = { items: 0 };
  const subscribe = log.subscribe.bind(log);
  vi.spyOn(log, "subscribe").mockImplementation(async function* (...args) {
    for await (const item of subscribe(...args)) {
      count.items += 1;
      yield item;
    }
  });
  return count;
}

test("[G70] a broken read rejects for each follower, and is reported once for the shared reader", async () => {
  const { log, failures, stream, taskId, say, follow } = setup();
  const feed = taskFeed(log, { id: taskId, stream });
  await log.append(stream, [say("one")]);
  const broken = new Error("disk gone");
  const subscribe = log.subscribe.bind(log);
  let isBroken = false;
  vi.spyOn(log, "subscribe").mockImplementation(async function* (...args) {
    if (isBroken) throw broken;
    for await (const item of subscribe(...args)) {
      if (isBroken) throw broken;
      yield item;
    }
  });
  const followers = Array.from({ length: 3 }, () => follow(feed, 0, () => true));
  await turns(3);
  isBroken = true;
  await log.append(stream, [say("two")]);
  for (const { ended } of followers) await expect(ended).rejects.toBe(broken);
  expect(failures).toEqual([broken]);
});

test("[G70] leaves out a run of another turn in the same session", async () => {
  const { log, stream, turnId, say, done, follow } = setup();
  const other = `${turnId.slice(0, -1)}${turnId.endsWith("0") ? "1" : "0"}` as TurnId;
  const feed = runFeed(log, turnId, { stream, endSeq: undefined });
  const [first, second] = [follow(feed, 0, () => true), follow(feed, 0, () => true)];
  await log.append(stream, [say("mine")]);
  await turns(3);
  await log.append(stream, [{ ...say("theirs"), turnId: other }]);
  await log.append(stream, [done]);
  await Promise.all([first.ended, second.ended]);
  expect(first.told.join("")).not.toContain("theirs");
  expect(second.told).toEqual(first.told);
});
