import { importSession } from "@deputy/agent/sessions/import";
import { createIdSource } from "@deputy/kit";
import {
  eventDataSchemas,
  type EventLog,
  indexedEventTypes,
  type NewEvent,
  type StreamId,
} from "@deputy/protocol";
import { readSessionFile } from "@deputy/store/sqlite/upkeep";
import { createNoticesReader } from "@deputy/tasks/readers";
import { createFakeClock } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyEvent, sealFile } from "./any-event.fixture.ts";
import type { Engine } from "./engine.ts";
import { setUp } from "./engine.fixture.ts";

const HOUR_MS = 3_600_000;
const TERMINAL = { key: "terminal--default", agentId: "main", channel: "terminal" };

/** An engine over a log in memory, with its own clock, a conversation and a waiting question. */
async function setUpHome() {
  const clock = createFakeClock();
  const { assemble, ports, bugs } = setUp({ clock });
  const { log } = ports;
  const ids = createIdSource({ clock });
  const engine = await assemble();
  const { id: own } = await engine.sessions.start(TERMINAL);
  const [turnId, callId, grantId] = [ids.next("turn"), ids.next("call"), ids.next("grant")];
  const hash = "0".repeat(64);
  const question = {
    approvalId: callId,
    toolPath: "bank.pay",
    input: {},
    preview: { title: "?" },
    bindingHash: hash,
  };
  const grant = { grantId, scope: "session" as const, bindings: [{ toolPath: "bank.look" }] };
  await log.append(own, [
    { type: "grant.created", data: grant },
    { type: "approval.requested", turnId, data: question },
  ]);
  const reminder = await engine.reminders.add({
    name: "tea",
    text: "Tea",
    schedule: "at 2040-01-01T00:00",
    from: own,
  });
  const take = async (stream: StreamId, events: readonly NewEvent[]) => {
    const at = new Date(clock.now()).toISOString();
    const deps = { log, ids, agentId: "main" };
    return await importSession(deps, await readSessionFile(sealFile(stream, events, { ids, at })));
  };
  return { engine, clock, log, ids, own, taken: [turnId, callId, grantId, reminder.id, own], take, bugs };
}

/** Everything open, allowed or about to happen, according to each view. */
async function live(engine: Engine, log: EventLog) {
  const signal = new AbortController().signal;
  return {
    tasks: await engine.tasks.list(),
    reminders: await engine.reminders.list(),
    approvals: await engine.approvals.pending(),
    grants: await engine.grants.list(),
    notices: await createNoticesReader(log).newest(),
    terminal: (await engine.sessions.open(TERMINAL, signal)).session.id,
    system: await Array.fromAsync(log.read("system")),
  };
}

async function startWork(engine: Engine): Promise<void> {
  await engine.tasks.goOn(() => undefined);
  await engine.conversations.goOn(await engine.tasks.list());
  await engine.outbox.goOn();
  await engine.repeating.keep();
  await engine.reminders.keep();
}

/** Views are built from these. */
const INDEXED = new Set<string>(indexedEventTypes);
const HARMLESS = /^(?:session\.started|turn\.(?:started|completed|failed|aborted))$/;
const typesOf = async (log: EventLog, stream: StreamId) =>
  (await Array.fromAsync(log.read(stream))).map(({ type }) => type);

test("[N11] importing any file starts, asks, allows and schedules nothing, and touches no other session", async () => {
  const { engine, clock, log, ids, taken, take, bugs } = await setUpHome();
  const before = await live(engine, log);
  const anyFile = fc.array(anyEvent(ids, taken, clock.now()), { minLength: 1, maxLength: 60, size: "max" });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyFile, async (events) => {
      for (const { type } of events) seen.add(type);
      const { id, key } = await take(ids.next("session"), events);
      expect(key).toBe(`imported--${id}`);
      for (const type of await typesOf(log, id)) if (INDEXED.has(type)) expect(type).toMatch(HARMLESS);
      expect(await live(engine, log)).toEqual(before);
    }),
    { numRuns: 100 },
  );
  expect([...seen].toSorted()).toEqual(Object.keys(eventDataSchemas).toSorted());
  await startWork(engine);
  const streams = await Array.fromAsync(log.streams());
  await clock.advance(72 * HOUR_MS);
  expect(await Array.fromAsync(log.streams())).toEqual(streams);
  expect(await live(engine, log)).toEqual(before);
  expect(await log.verify()).toMatchObject({ damage: [] });
  expect(bugs).toEqual([]);
});
