import { createIdSource } from "@deputy/kit";
import type { NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogSessionService } from "../sessions/session-service.ts";
import { readUsage } from "./read-usage.ts";
import { addUsage, NO_USAGE } from "./sum-usage.ts";

function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const turn = async (
    session: ReturnType<typeof begin>,
    model: string,
    end: Pick<NewEvent, "type" | "data">,
  ) => {
    const turnId = ids.next("turn");
    await log.append(session, [
      { type: "turn.started", turnId, data: { agentId: "main", model } },
      { ...end, turnId } as NewEvent,
    ]);
  };
  const begin = () => ids.next("session");
  const read = () => Array.fromAsync(readUsage(log));
  const sum = async () => (await read()).reduce(addUsage, NO_USAGE);
  return { clock, ids, log, begin, turn, read, sum };
}

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, modelCalls: 1 });
const dollars = (amount: number) => ({ amount, currency: "USD" });

test("[A119] every turn that ended counts, however it ended; one without a price is told apart", async () => {
  const { begin, turn, read, sum, clock } = setup();
  const session = begin();
  await turn(session, "a/b", { type: "turn.completed", data: { usage: usage(10, 1), cost: dollars(0.5) } });
  await clock.advance(48 * 3_600_000);
  await turn(session, "c/d", {
    type: "turn.failed",
    data: { code: "x", message: "", usage: { ...usage(20, 2), cacheReadTokens: 5 }, cost: dollars(0.25) },
  });
  await turn(session, "c/d", { type: "turn.aborted", data: { by: "me", usage: usage(40, 4) } });
  await turn(session, "c/d", { type: "turn.aborted", data: { by: "me" } });
  const turns = await read();
  expect(turns.map(({ model, session: where }) => [model, where])).toEqual([
    ["a/b", session],
    ["c/d", session],
    ["c/d", session],
  ]);
  expect(new Set(turns.map(({ day }) => day)).size).toBe(2);
  expect(await sum()).toEqual({
    ...NO_USAGE,
    turns: 3,
    modelCalls: 3,
    inputTokens: 70,
    outputTokens: 7,
    cacheReadTokens: 5,
    cost: { USD: 0.75 },
    unpriced: 1,
  });
});

test("[A119] a fork's copies are not counted again, and what it adds is", async () => {
  const { log, ids, begin, turn, sum } = setup();
  const session = begin();
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "one", channel: "terminal" } },
  ]);
  const data = { usage: usage(10, 1), cost: dollars(0.5) };
  await turn(session, "a/b", { type: "turn.completed", data });
  const forked = await createLogSessionService({ log, ids }).fork(session, {});
  if (forked.kind !== "forked") throw new Error("It should fork");
  expect(await sum()).toMatchObject({ turns: 1, cost: { USD: 0.5 } });
  await turn(forked.session.id, "a/b", { type: "turn.completed", data });
  expect(await sum()).toMatchObject({ turns: 2, inputTokens: 20, cost: { USD: 1 } });
});
