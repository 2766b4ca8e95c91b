import type { SessionId } from "@deputy/kit";
import { type CanonicalEvent, type NewEvent, readEvent, type StoredEvent } from "@deputy/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyEvents, withoutAfterthoughts } from "../compaction/conversation.fixture.ts";
import { createGrantsView } from "../grants/grants-view.ts";
import { buildHistory } from "../history/history.ts";
import { live, setUpSessions, TERMINAL } from "./sessions.fixture.ts";
import { readyOrigins } from "../agent.fixture.ts";

const known = (events: readonly StoredEvent[]): CanonicalEvent[] =>
  events.flatMap((stored) => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });

/** Forks, and expects it to work. */
async function forked(
  { sessions }: ReturnType<typeof setUpSessions>,
  id: SessionId,
  options: { readonly throughSeq?: number; readonly key?: string } = {},
) {
  const outcome = await sessions.fork(id, options);
  if (outcome.kind !== "forked") throw new Error(outcome.kind);
  return outcome;
}

test("[A48] a fork begins as the other session was, says so, and goes its own way", async () => {
  const setup = setUpSessions();
  const { sessions, talk, events, log } = setup;
  const { id } = await sessions.start(TERMINAL);
  const throughSeq = await talk(id, "One", "First.");
  await talk(id, "Two", "Second.");
  const fork = await forked(setup, id, { throughSeq });
  expect(fork).toMatchObject({ throughSeq, copied: 4 });
  expect(fork.session).toMatchObject({
    agentId: "main",
    channel: "terminal",
    forkedFrom: { stream: id, throughSeq },
  });
  expect(fork.session.key).toBe(`terminal--${fork.session.id}`);
  await talk(fork.session.id, "Another two", "Other.");
  const history = buildHistory(known(await events(fork.session.id)));
  expect(history.map((message) => JSON.stringify(message)).join()).toMatch(/One.*First.*Another two.*Other/);
  expect(buildHistory(known(await events(id)))).toHaveLength(4);
  expect(await sessions.open(TERMINAL, live)).toMatchObject({ session: { id } });
  expect(await log.verify()).toMatchObject({ damage: [] });
});

test("[A48] any session, forked anywhere: its turns are whole, it reads as the other did then, and it verifies", async () => {
  let forks = 0;
  await fc.assert(
    fc.asyncProperty(
      anyEvents,
      fc.nat(70),
      fc.array(fc.tuple(fc.nat(70), fc.nat(70))),
      async (made, at, cuts) => {
        const { sessions, log, events } = setUpSessions();
        const { id } = await sessions.start(TERMINAL);
        const all: NewEvent[] = [...made];
        for (const [place, through] of cuts) {
          const data = {
            fromSeq: 1,
            throughSeq: through,
            summary: `S${place}`,
            archive: "log",
            keptSeqs: [through],
          };
          all.splice(place % (all.length + 1), 0, { type: "session.compacted", data });
        }
        await log.append(id, withoutAfterthoughts(all));
        const outcome = await sessions.fork(id, { throughSeq: at });
        if (outcome.kind !== "forked") return;
        forks += 1;
        const before = known(await events(id)).filter(({ seq }) => seq <= outcome.throughSeq);
        const copy = known(await events(outcome.session.id));
        expect(outcome.throughSeq).toBeLessThanOrEqual(at);
        expect(buildHistory(copy)).toEqual(buildHistory(before));
        expect(openTurns(copy)).toEqual([]);
        expect(await log.verify()).toMatchObject({ damage: [] });
      },
    ),
    { numRuns: 300 },
  );
  expect(forks).toBeGreaterThan(30);
});

function openTurns(events: readonly CanonicalEvent[]): string[] {
  const open = new Set<string>();
  for (const { type, turnId } of events) {
    if (turnId === undefined) continue;
    if (type === "turn.started") open.add(turnId);
    else if (type.startsWith("turn.")) open.delete(turnId);
  }
  return [...open];
}

test("[A48] what refers to other events of its session means the same ones in a fork", async () => {
  const setup = setUpSessions();
  const { sessions, talk, log, ids, begun, ended, events } = setup;
  const { id } = await sessions.start(TERMINAL);
  await talk(id, "One", "First.");
  await log.append(id, [
    { type: "error", data: { code: "x", message: "stays behind" } },
    { type: "error", data: { code: "x", message: "stays behind" } },
  ]);
  const throughSeq = await talk(id, "Two", "Second.");
  const turnId = ids.next("turn");
  const summary = { fromSeq: 1, throughSeq, summary: "S", archive: "log", keptSeqs: [8] };
  const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
  const answer = { usage, stop: "end", throughSeq: throughSeq + 2 };
  await log.append(id, [
    ...begun("Three", turnId),
    { type: "session.compacted", turnId, data: summary },
    { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: "Third.", answer } },
    ...ended("", turnId),
  ]);
  const { session } = await forked(setup, id);
  const copies = await events(session.id);
  expect(copies.find(({ type }) => type === "session.compacted")?.data).toMatchObject({
    fromSeq: 2,
    throughSeq: throughSeq - 2,
    keptSeqs: [6],
    archive: "log",
  });
  expect(copies.findLast(({ data }) => JSON.stringify(data).includes("Third."))?.data).toMatchObject({
    answer: { throughSeq: throughSeq },
  });
  expect(buildHistory(known(copies))).toEqual(buildHistory(known(await events(id))));
});

test("[A48] a turn that is going on is left out, with what the user said for it", async () => {
  const setup = setUpSessions();
  const { sessions, talk, begun, ids, log, events } = setup;
  const { id } = await sessions.start(TERMINAL);
  expect(await sessions.fork(id, {})).toEqual({ kind: "nothing_to_copy" });
  const throughSeq = await talk(id, "One", "First.");
  await log.append(id, begun("Two", ids.next("turn")));
  expect(await forked(setup, id)).toMatchObject({ throughSeq, copied: 4 });
  expect(await sessions.fork(ids.next("session"), {})).toEqual({ kind: "unknown_session" });
  expect(await events(id)).toHaveLength(7);
});

test("[A48] labels go with a fork; grants, approvals and the task stay where they were given", async () => {
  const setup = setUpSessions();
  const { sessions, begun, ended, ids, log, events } = setup;
  const { id } = await sessions.start(TERMINAL);
  const [turnId, callId] = [ids.next("turn"), ids.next("call")];
  const label = { trust: "untrusted" as const, source: "mail" };
  const hash = "0".repeat(64);
  const created = { taskId: ids.next("task"), kind: "one-shot" as const, prompt: "x", agentId: "main" };
  const settled = {
    callId,
    toolPath: "mail.read",
    status: "succeeded" as const,
    attachments: [],
    durationMs: 1,
  };
  const asked = {
    approvalId: callId,
    toolPath: "mail.read",
    input: {},
    preview: { title: "x" },
    bindingHash: hash,
  };
  await log.append(id, [
    { type: "task.created", data: { ...created, sessionKey: "x" } },
    ...begun("Read", turnId),
    { type: "approval.requested", turnId, data: asked },
    {
      type: "approval.resolved",
      turnId,
      data: { approvalId: callId, decision: "approved", by: "me", scope: "session" },
    },
    {
      type: "grant.created",
      turnId,
      data: { grantId: ids.next("grant"), scope: "session", bindings: [{ toolPath: "mail.read" }] },
    },
    { type: "call.settled", turnId, data: { ...settled, labels: [label] } },
    ...ended("Read.", turnId),
  ]);
  const { session } = await forked(setup, id);
  expect((await events(session.id)).map(({ type }) => type)).toEqual([
    "session.started",
    "user.message",
    "turn.started",
    "call.settled",
    "assistant.message",
    "turn.completed",
  ]);
  const { origins } = await readyOrigins(log).of(session.id, { get: () => undefined }, "");
  expect(origins.untrusted).toEqual([label.source]);
  const grants = createGrantsView(log);
  expect(await grants.of(session.id)).toEqual([]);
  expect(await grants.of(id)).toHaveLength(1);
  expect(session.isTask).toBe(false);
});

test("[A48] a copy says of what, also in a fork of a fork; it is told at its own time and found once", async () => {
  const setup = setUpSessions();
  const { sessions, talk, clock, events } = setup;
  const { id } = await sessions.start(TERMINAL);
  await talk(id, "Milk?", "Yes.");
  await clock.advance(3_600_000);
  const fork = await forked(setup, id);
  await clock.advance(3_600_000);
  const again = await forked(setup, fork.session.id);
  const [, original] = await events(id);
  const [, copy] = await events(again.session.id);
  expect(copy?.data).toMatchObject({ text: "Milk?", copyOf: { stream: id, seq: 2, at: original?.at } });
  const [, line] = await Array.fromAsync(sessions.transcript(again.session.id, live));
  expect(line).toMatchObject({ content: "Milk?", timestamp: original?.at });
  expect((await sessions.search("milk", {}, live)).hits).toMatchObject([{ session: id }]);
});

test("[A48] what was erased is not copied", async () => {
  const setup = setUpSessions();
  const { sessions, talk, log, events } = setup;
  const { id } = await sessions.start(TERMINAL);
  await talk(id, "my secret wish", "Noted.");
  const said = (await events(id)).find(({ type }) => type === "user.message");
  await log.erase(said!.id, "me");
  const { session } = await forked(setup, id);
  expect(JSON.stringify(await events(session.id))).not.toContain("wish");
});
