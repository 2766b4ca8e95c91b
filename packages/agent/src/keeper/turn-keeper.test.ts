import { type CallId, type CellId, createIdSource, type ItemId } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { EventLogError, type NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { SuspendRequest } from "../turn/stop-request.ts";
import { createTurnKeeper, type TurnWork } from "./turn-keeper.ts";

const never = new AbortController().signal;

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const stream = ids.next("session");
  const turn = { stream, turnId: ids.next("turn"), agentId: "main", sessionKey: "test" };
  const open = (owner: string) => createTurnKeeper({ log, owner, clock, redactor: createRedactor([]) });
  const types = async () => (await Array.fromAsync(log.read(stream))).map(({ type }) => type);
  const noted = (code: string): NewEvent => ({
    type: "error",
    turnId: turn.turnId,
    data: { code, message: code },
  });
  /** Work that has begun, and ends when it is told to, or stopped. */
  const pausing = () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let times = 0;
    const work: TurnWork = async ({ begin }, signal) => {
      times += 1;
      await begin("test/told");
      begun.resolve();
      signal.addEventListener("abort", () => finish.reject(signal.reason as Error), { once: true });
      await finish.promise;
      return {};
    };
    return { work, begun: begun.promise, finish: finish.resolve, times: () => times };
  };
  return { clock, log, turn, stream, open, types, noted, pausing };
}

test("[A147] who asks for a turn that runs waits for the same end; its work is done once", async () => {
  const { turn, open, types, pausing } = setup();
  const keeper = open("process 1");
  const { work, begun, finish, times } = pausing();
  const ends = [keeper.run(turn, work, never), keeper.run(turn, work, never)];
  await begun;
  finish();
  expect(await Promise.all(ends)).toEqual([{ kind: "completed" }, { kind: "completed" }]);
  expect(times()).toBe(1);
  expect(await types()).toEqual(["turn.started", "turn.completed"]);
});

test("[A147] of a turn that has ended, its end is told to whoever asks, and nothing is done", async () => {
  const { turn, open, types, pausing } = setup();
  expect(
    await open("process 1").run(turn, async () => ({ failure: { code: "no", message: "No" } }), never),
  ).toEqual({ kind: "failed", code: "no", message: "No" });
  const { work, times } = pausing();
  const later = open("process 2");
  expect(await later.run(turn, work, never)).toMatchObject({ kind: "failed" });
  expect(await later.stop(turn, "me")).toMatchObject({ kind: "failed" });
  expect(await later.giveUp(turn, { code: "x", message: "x" })).toMatchObject({ kind: "failed", code: "no" });
  expect(times()).toBe(0);
  expect(await types()).toHaveLength(2);
});

test("[A148] a stop that finds nobody at work ends the turn; who would begin it at that moment is told its end", async () => {
  const { turn, open, types, pausing } = setup();
  const keeper = open("process 1");
  const { work, times } = pausing();
  const stopped = keeper.stop(turn, "me");
  expect(await keeper.run(turn, work, never)).toEqual({ kind: "aborted" });
  expect(await stopped).toEqual({ kind: "aborted" });
  expect(times()).toBe(0);
  expect(await types()).toEqual(["turn.started", "turn.aborted"]);
});

test("[A148] a turn that is taken over is its old owner's no more: it can add nothing, and its work is stopped", async () => {
  const { turn, stream, open, types, noted, pausing } = setup();
  const [first, second] = [open("process 1"), open("process 2")];
  const { work, begun } = pausing();
  const ended = first.run(turn, work, never).catch((error: unknown) => error);
  await begun;
  await first.log.append(stream, [noted("mine")]);
  const next = pausing();
  const going = second.run(turn, next.work, never);
  await next.begun;
  await expect(first.log.append(stream, [noted("still mine?")])).rejects.toBeInstanceOf(SuspendRequest);
  expect(await ended).toBeInstanceOf(SuspendRequest);
  await second.log.append(stream, [noted("its")]);
  next.finish();
  expect(await going).toEqual({ kind: "completed" });
  expect(await types()).toEqual(["turn.started", "error", "turn.claimed", "error", "turn.completed"]);
});

test("[A148] appends of others to the same stream take nothing from the owner, and side by side its own keep their order", async () => {
  const { log, turn, stream, open, noted, pausing } = setup();
  const keeper = open("process 1");
  const { work, begun, finish } = pausing();
  const ended = keeper.run(turn, work, never);
  await begun;
  await Promise.all([
    keeper.log.append(stream, [noted("1")]),
    log.append(stream, [{ type: "error", data: { code: "other", message: "" } }]),
    keeper.log.append(stream, [noted("2"), noted("3")]),
    keeper.log.append(stream, [noted("4")]),
  ]);
  finish();
  await ended;
  const codes = (await Array.fromAsync(log.read(stream))).flatMap(({ type, data }) =>
    type === "error" ? [(data as { code: string }).code] : [],
  );
  expect(codes.toSorted()).toEqual(["1", "2", "3", "4", "other"]);
});

test("[A148] disposing suspends: the turn says that it was let go of, and whoever comes next has lost nobody", async () => {
  const { log, turn, stream, open, types, pausing } = setup();
  const keeper = open("process 1");
  const { work, begun } = pausing();
  const ended = keeper.run(turn, work, never).catch((error: unknown) => error);
  await begun;
  await keeper[Symbol.asyncDispose]();
  expect(await ended).toBeInstanceOf(SuspendRequest);
  await expect(keeper.run(turn, work, never)).rejects.toBeInstanceOf(SuspendRequest);
  expect(await open("process 2").run(turn, async () => ({}), never)).toEqual({ kind: "completed" });
  expect(await types()).toEqual(["turn.started", "turn.suspended", "turn.claimed", "turn.completed"]);
  const claimed = (await Array.fromAsync(log.read(stream)))[2];
  expect(claimed?.data).toEqual({ owner: "process 2", epoch: 2, lost: false });
});

test("[A148] a log that has failed for good leaves the turn for a later process; it is no bug", async () => {
  const { log, turn, open, types, pausing } = setup();
  const keeper = open("process 1");
  const { work, begun, finish } = pausing();
  const ended = keeper.run(turn, work, never).catch((error: unknown) => error);
  await begun;
  const append = log.append.bind(log);
  log.append = () => Promise.reject(new EventLogError("log_failed", "The disk refused"));
  finish();
  expect(await ended).toBeInstanceOf(SuspendRequest);
  log.append = append;
  expect(await open("process 2").run(turn, async () => ({}), never)).toEqual({ kind: "completed" });
  expect(await types()).toEqual(["turn.started", "turn.claimed", "turn.completed"]);
});

test("[A38] a turn that is given up, or stopped by another process, leaves no question and no call open", async () => {
  for (const how of ["giveUp", "stop"] as const) {
    const { log, turn, stream, open, types, pausing } = setup();
    const { work, begun } = pausing();
    const first = open("process 1");
    void first.run(turn, work, never).catch(() => undefined);
    await begun;
    const { turnId } = turn;
    const callId = "cal_01JGFJJZ00NYCAT4WM5AZFRBN7" as CallId;
    const cellId = "cel_01JGFJJZ00NYCAT4WM5AZFRBN7" as CellId;
    const call = { callId, cellId, index: 0, toolPath: "lamp.on", input: {}, labels: [] };
    const asked = { approvalId: callId, toolPath: "lamp.on", input: {}, preview: { title: "On" } };
    const hash = "0".repeat(64);
    await first.log.append(stream, [
      { type: "call.requested", turnId, data: { ...call, inputHash: hash } },
      { type: "approval.requested", turnId, data: { ...asked, bindingHash: hash } },
    ]);
    const second = open("process 2");
    const failure = { code: "internal", message: "It could not be run" };
    if (how === "giveUp") expect(await second.giveUp(turn, failure)).toEqual({ kind: "failed", ...failure });
    else expect(await second.stop(turn, "me")).toEqual({ kind: "aborted" });
    expect((await types()).slice(-3)).toEqual([
      "approval.resolved",
      "call.settled",
      how === "giveUp" ? "turn.failed" : "turn.aborted",
    ]);
    await log[Symbol.asyncDispose]();
  }
});

test("[A148] a price that cannot be found keeps no turn from its end", async () => {
  const { clock, log, turn, types } = setup();
  const costOf = () => Promise.reject(new Error("no such model"));
  const keeper = createTurnKeeper({ log, owner: "process 1", clock, redactor: createRedactor([]), costOf });
  const usage = { inputTokens: 3, outputTokens: 1, modelCalls: 1 };
  const work: TurnWork = async ({ begin }) => {
    await begin("odd");
    const answer = { usage, stop: "end", throughSeq: 1 };
    const itemId = "itm_01JGFJJZ00NYCAT4WM5AZFRBN7" as ItemId;
    const data = { itemId, text: "Yes.", answer };
    await keeper.log.append(turn.stream, [{ type: "assistant.message", turnId: turn.turnId, data }]);
    return {};
  };
  expect(await keeper.run(turn, work, never)).toEqual({ kind: "completed" });
  expect((await Array.fromAsync(log.read(turn.stream))).at(-1)?.data).toEqual({ usage });
  expect(await types()).toHaveLength(3);
});

test("[A148] a suspension ends a wait for room on the disk; a stop waits, so that its end is in the log", async () => {
  const { clock, log, turn, stream, open, noted, pausing } = setup();
  const keeper = open("process 1");
  const { work, begun } = pausing();
  const stop = new AbortController();
  const ended = keeper.run(turn, work, stop.signal).catch((error: unknown) => error);
  await begun;
  const append = log.append.bind(log);
  log.append = () => Promise.reject(new EventLogError("storage_full", "The disk is full"));
  const waiting = keeper.log.append(stream, [noted("waits")]).catch((error: unknown) => error);
  await clock.advance(1_000);
  stop.abort(new SuspendRequest());
  expect(await waiting).toBeInstanceOf(SuspendRequest);
  expect(await ended).toBeInstanceOf(SuspendRequest);
  const stopping = open("process 2").stop(turn, "me");
  await clock.advance(1_000);
  log.append = append;
  await clock.advance(2_000);
  expect(await stopping).toEqual({ kind: "aborted" });
});
