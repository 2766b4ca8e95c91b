import { type Clock, createIdSource, type TurnId } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import {
  type CanonicalEvent,
  EventLogError,
  type EventLog,
  isTurnEndType,
  readEvent,
  type StoredEvent,
} from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import * as fc from "fast-check";
import { readOpenItems } from "../turn/open-items.ts";
import { SuspendRequest } from "../turn/stop-request.ts";
import type { Turn } from "../turn/turn.ts";
import { readTurnState } from "../turn/turn-state.ts";
import { createTurnKeeper, type TurnWork } from "./turn-keeper.ts";

/** How many processes share the log, and how many turns they meet over. */
const PROCESSES = 3;
const TURNS = 2;
/** How often a model is asked in a turn, and with it a call made, unless more is said. */
const ROUNDS = 2;

const process = fc.nat(PROCESSES - 1);
const turn = fc.nat(TURNS - 1);
/** What happens to the turns, from outside. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("run"), process, turn }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stop"), process, turn }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("say"), turn }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("suspend"), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash"), process }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("fill"), refusals: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait"), ticks: fc.integer({ min: 1, max: 12 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * Whatever processes do with turns over one log, in whatever order their appends come: each turn has one end and nothing
 * after it, no call is made twice, what was said is answered or the turn did not complete, and the end's usage is the
 * sum of its model calls.
 */
export const keeperProperty = fc.asyncProperty(
  fc.array(step, { minLength: 1, maxLength: 14 }),
  fc.scheduler(),
  async (steps, scheduler) => {
    const world = createKeeperWorld(scheduler);
    for (const one of steps) await world.take(one);
    await world.settle();
    for (const [at, turnOf] of world.turns.entries()) {
      const events = (await Array.fromAsync(world.log.read(turnOf.stream))).filter(
        ({ turnId }) => turnId === turnOf.turnId,
      );
      assertTurn(events, world.made, `turn ${at}`);
    }
  },
);

function createKeeperWorld(scheduler: fc.Scheduler) {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const redactor = createRedactor([]);
  const stream = ids.next("session");
  const turns: readonly Turn[] = Array.from({ length: TURNS }, () => ({
    stream,
    turnId: ids.next("turn"),
    agentId: "main",
    sessionKey: "test",
  }));
  /** Calls that took effect, in this order. */
  const made: string[] = [];
  let refusals = 0;
  let opened = 0;
  /** Comes when the scheduler says so. */
  const sometime = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);

  const openProcess = (pace: "scheduled" | "at once") => {
    const life = { isOver: false };
    const name = `process ${++opened}`;
    /** What a dead process waits for never comes. */
    const alive = async (label: string): Promise<void> => {
      if (pace === "scheduled") await sometime(`${name} ${label}`);
      if (life.isOver) await new Promise(() => undefined);
    };
    const its: EventLog = {
      ...log,
      async append(target, events, options) {
        await alive(events.map(({ type }) => type).join());
        if (refusals > 0) {
          refusals -= 1;
          throw new EventLogError("storage_full", "The disk is full");
        }
        const stored = await log.append(target, events, options);
        await alive("is told");
        return stored;
      },
    };
    const own: Clock = { ...clock, sleep: () => alive("wakes up") };
    const keeper = createTurnKeeper({ log: its, owner: name, clock: own, redactor });
    return { life, keeper, work: workOver(keeper.log, alive, made) };
  };
  let processes = Array.from({ length: PROCESSES }, () => openProcess("scheduled"));
  const suspensions = processes.map(() => new AbortController());
  const ignore = (): undefined => undefined;

  const say = async (turnId: TurnId): Promise<void> => {
    const data = { text: "More", attachments: [], channel: "test", sender: "me", trust: "user" as const };
    await log.append(stream, [{ type: "user.message", turnId, data }]).catch((error: unknown) => {
      if (!(error instanceof EventLogError && error.code === "turn_ended")) throw error;
    });
  };

  const take = async (one: Step): Promise<void> => {
    switch (one.kind) {
      case "run":
      case "stop": {
        const target = turns[one.turn]!;
        const { keeper, work } = processes[one.process]!;
        if (one.kind === "stop") void keeper.stop(target, "me").catch(ignore);
        else void keeper.run(target, work(target), suspensions[one.process]!.signal).catch(ignore);
        break;
      }
      case "say":
        await say(turns[one.turn]!.turnId);
        break;
      case "suspend":
        suspensions[one.process]!.abort(new SuspendRequest());
        suspensions[one.process] = new AbortController();
        break;
      case "crash":
        processes[one.process]!.life.isOver = true;
        processes = processes.with(one.process, openProcess("scheduled"));
        break;
      case "fill":
        refusals += one.refusals;
        break;
      case "wait":
        for (let tick = 0; tick < one.ticks && scheduler.count() > 0; tick++) await scheduler.waitOne();
    }
  };

  return {
    log,
    turns,
    made,
    take,
    /** Lets the others come to their ends, then one more process goes on with what is left. */
    async settle() {
      refusals = 0;
      await scheduler.waitIdle();
      const { keeper, work } = openProcess("at once");
      for (const target of turns) await keeper.run(target, work(target), new AbortController().signal);
    },
  };
}

/** Asks a model and makes a call, round by round, as the log says how far it is. A call that was running is not made again. */
function workOver(log: EventLog, alive: (label: string) => Promise<void>, made: string[]) {
  const ids = createIdSource({ clock: createFakeClock() });
  const usage = { inputTokens: 3, outputTokens: 1, modelCalls: 1 };
  return (target: Turn): TurnWork =>
    async ({ view, begin }, signal) => {
      const { stream, turnId } = target;
      await begin("test/told");
      for (;;) {
        signal.throwIfAborted();
        const events = await view.current();
        const throughSeq = view.seq();
        const { requested } = readOpenItems(events, turnId);
        for (const { callId } of requested.values())
          await log.append(stream, [settled(callId, turnId, "unknown")]);
        if (requested.size > 0) continue;
        const state = readTurnState(events, target);
        const isDone = state.usage.modelCalls >= ROUNDS && state.isAnswered;
        if (isDone) return { throughSeq };
        const data = { itemId: ids.next("item"), text: "Well.", answer: { usage, stop: "end", throughSeq } };
        await log.append(stream, [{ type: "assistant.message", turnId, data }]);
        const callId = ids.next("call");
        const call = { callId, cellId: ids.next("cell"), index: 0, toolPath: "world.change", input: {} };
        await log.append(stream, [
          { type: "call.requested", turnId, data: { ...call, inputHash: "0".repeat(64), labels: [] } },
          {
            type: "call.started",
            turnId,
            data: { callId, toolPath: "world.change", idempotencyKey: callId },
          },
        ]);
        await alive("acts");
        made.push(callId);
        await log.append(stream, [settled(callId, turnId, "succeeded")]);
      }
    };
}

function settled(callId: CallIdOf, turnId: TurnId, status: "succeeded" | "unknown") {
  const data = { callId, toolPath: "world.change", status, attachments: [], labels: [], durationMs: 0 };
  return { type: "call.settled" as const, turnId, data };
}
type CallIdOf = Extract<CanonicalEvent, { type: "call.settled" }>["data"]["callId"];

function assertTurn(stored: readonly StoredEvent[], made: readonly string[], name: string): void {
  const events = stored.flatMap((event) => {
    const read = readEvent(event);
    return read.kind === "known" ? [read.event] : [];
  });
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}\n${events.map(({ seq, type }) => `${seq} ${type}`).join("\n")}`);
  };
  const ends = events.filter(({ type }) => isTurnEndType(type));
  if (ends.length !== 1) fail(`it has ${ends.length} ends`);
  const last = events.at(-1);
  if (last === undefined || !isTurnEndType(last.type)) return void fail("something follows its end");
  const epochs = events.flatMap((event) =>
    event.type === "turn.claimed" || event.type === "turn.started" ? [event.data.epoch ?? 1] : [],
  );
  if (epochs.some((epoch, at) => epoch !== at + 1)) fail(`its owners have the epochs ${epochs.join()}`);
  const answers = events.flatMap((event) =>
    event.type === "assistant.message" && event.data.answer !== undefined ? [event.data.answer] : [],
  );
  const { usage } = last.data as { usage: { inputTokens: number; modelCalls: number } };
  if (usage.modelCalls !== answers.length || usage.inputTokens !== answers.length * 3)
    fail(`${answers.length} answers, and its usage is ${JSON.stringify(usage)}`);
  const said = events.findLast(({ type }) => type === "user.message")?.seq ?? 0;
  if (last.type === "turn.completed" && said > (answers.at(-1)?.throughSeq ?? 0)) fail("it did not answer");
  for (const event of events) {
    if (event.type !== "call.started") continue;
    const { callId } = event.data;
    if (made.filter((one) => one === callId).length > 1) fail(`${callId} was made twice`);
    if (!events.some((one) => one.type === "call.settled" && one.data.callId === callId))
      fail(`${callId} has no end`);
  }
}
