import { createIdSource } from "@deputy/kit";
import type { EventData, NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyEvents, said, withoutAfterthoughts } from "../compaction/conversation.fixture.ts";
import { buildHistory } from "./history.fixture.ts";
import { readOpenItems } from "../turn/open-items.ts";
import { createStreamView, createTurnView } from "./turn-view.ts";
import { budgetOfTask } from "../turn/turn-runner.ts";
import { readTurnState } from "../turn/turn-state.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const turn = {
    stream: ids.next("session"),
    turnId: ids.next("turn"),
    agentId: "main",
    sessionKey: "test",
  };
  const compacted = (data: Partial<EventData<"session.compacted">>): NewEvent => ({
    type: "session.compacted",
    data: { fromSeq: 1, throughSeq: 1, summary: "Earlier.", archive: "log", labels: [], ...data },
  });
  const whole = () => createStreamView(log, turn.stream).current();
  const view = (scope: "history" | "turn", pageEvents = 5) =>
    createTurnView(log, turn, scope, pageEvents).current();
  return { clock, ids, log, turn, compacted, whole, view };
}

const anyCompaction = fc.option(
  fc.record({ back: fc.nat(30), keptBack: fc.array(fc.nat(60), { maxLength: 3 }) }),
);

test("[A151] prompt, state and budget are those of the whole session, whatever was said and compacted before", async () => {
  let shorter = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyEvents, anyCompaction), { maxLength: 4 }),
      anyEvents,
      anyCompaction,
      fc.boolean(),
      async (rounds, own, within, hasTask) => {
        const { log, ids, turn, compacted, whole, view } = setup();
        const { turnId } = turn;
        const head = async () => (await log.head(turn.stream))?.seq ?? 0;
        const compact = async (how: typeof within, of: Partial<NewEvent> = {}) => {
          if (how === null) return;
          const seq = await head();
          const throughSeq = Math.max(0, seq - how.back);
          const keptSeqs = how.keptBack.map((back) => Math.max(1, throughSeq - back));
          await log.append(turn.stream, [{ ...compacted({ throughSeq, keptSeqs }), ...of } as NewEvent]);
        };
        if (hasTask) {
          const data = { taskId: ids.next("task"), kind: "one-shot", prompt: "x", agentId: "main" };
          const budget = { tokens: 5 };
          await log.append(turn.stream, [{ type: "task.created", data: { ...data, budget } } as NewEvent]);
        }
        for (const [made, how] of rounds) {
          const events = withoutAfterthoughts(made);
          if (events.length > 0) await log.append(turn.stream, events);
          await compact(how);
        }
        await log.append(turn.stream, [
          { ...said("Now this"), turnId },
          { type: "turn.started", turnId, data: { agentId: "main", model: "none" } },
        ]);
        // What the turn did so far is its own.
        const mine = own.flatMap((event) => (event.type.startsWith("turn.") ? [] : [{ ...event, turnId }]));
        if (mine.length > 0) await log.append(turn.stream, mine);
        await compact(within, { turnId });

        const all = await whole();
        const seen = await view("history");
        if (seen.length < all.length) shorter += 1;
        expect(buildHistory(seen)).toEqual(buildHistory(all));
        expect(readTurnState(seen, turn)).toEqual(readTurnState(all, turn));
        expect(budgetOfTask(seen)).toEqual(budgetOfTask(all));
        const turnOnly = await view("turn");
        expect(readTurnState(turnOnly, turn)).toEqual(readTurnState(all, turn));
        expect(readOpenItems(turnOnly, turnId)).toEqual(readOpenItems(all, turnId));
      },
    ),
    { numRuns: 400 },
  );
  expect(shorter).toBeGreaterThan(100);
});

test("[A151] how much is read depends on what came since the last compaction, not on the session", async () => {
  const { log, ids, turn, compacted, view } = setup();
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 1 };
  for (let n = 1; n <= 600; n++) {
    const turnId = ids.next("turn");
    await log.append(turn.stream, [
      { ...said(`Message ${n}`), turnId },
      { type: "turn.started", turnId, data: { agentId: "main", model: "none" } },
      { type: "turn.completed", turnId, data: { usage } },
    ]);
    if (n % 50 !== 0) continue;
    const { seq } = (await log.head(turn.stream)) ?? { seq: 0 };
    await log.append(turn.stream, [compacted({ throughSeq: seq - 30 })]);
  }
  await log.append(turn.stream, [{ ...said("Now this"), turnId: turn.turnId }]);
  expect((await view("history", 50)).length).toBeLessThan(110);
  expect((await view("turn", 50)).length).toBeLessThan(60);
});

test("[A151] a summary that does not say what it was made of, or came with an import, is not relied on", async () => {
  for (const imported of [false, true]) {
    const { log, turn, compacted, whole, view } = setup();
    await log.append(turn.stream, [said("one"), said("two")]);
    const { labels: _, ...unlabelled } = compacted({}).data as EventData<"session.compacted">;
    const data = imported ? { ...unlabelled, labels: [] } : unlabelled;
    await log.append(turn.stream, [{ type: "session.compacted", data }]);
    if (imported) await log.append(turn.stream, [{ type: "session.imported", data: {} }]);
    await log.append(
      turn.stream,
      Array.from({ length: 20 }, (_unused, n) => said(`more ${n}`)),
    );
    await log.append(turn.stream, [
      { type: "turn.started", turnId: turn.turnId, data: { agentId: "main", model: "none" } },
    ]);
    expect(await view("history")).toEqual(await whole());
  }
});
