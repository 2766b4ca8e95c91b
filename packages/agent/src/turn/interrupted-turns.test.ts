import type { NewEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { readAll, setUpGate } from "../agent.fixture.ts";
import { findOpenTurnIn, readOpenTurns } from "./interrupted-turns.ts";

function setup() {
  const base = setUpGate();
  const { log, ids, stream } = base;
  const said = { text: "Do it", attachments: [], channel: "test", sender: "me", trust: "user" as const };
  const begun = { agentId: "main", model: "test/script" };
  const write = async (turnId: typeof base.turnId, ...types: string[]) =>
    await log.append(
      stream,
      types.map((type): NewEvent => {
        if (type === "user.message") return { type, turnId, data: said };
        if (type === "turn.started") return { type, turnId, data: begun };
        return { type: "turn.failed", turnId, data: { code: "x", message: "y" } };
      }),
    );
  const open = () => findOpenTurnIn(log, stream);
  return { ...base, write, open, next: () => ids.next("turn"), said, begun };
}

test("[A20] a turn without an end is open, also one that was only asked for", async () => {
  const { write, open, next, log, stream } = setup();
  const [first, second] = [next(), next()];
  await write(first, "user.message", "turn.started", "turn.failed");
  expect(await open()).toBeUndefined();
  await write(second, "user.message");
  expect(await open()).toBe(second);
  await write(second, "turn.started");
  expect(await open()).toBe(second);
  expect(await readOpenTurns(log, new Set())).toEqual([
    { turnId: second, stream, agentId: "main", sessionKey: stream },
  ]);
  expect(await readOpenTurns(log, new Set([stream]))).toEqual([]);
});

test("[A20] what a fork has copied is nobody's to go on with", async () => {
  const { log, stream, open, next, said, begun, ids } = setup();
  const turnId = next();
  const copyOf = { stream: ids.next("session"), seq: 1, at: "2026-01-01T00:00:00.000Z" };
  const copied: NewEvent[] = [
    { type: "user.message", turnId, data: Object.assign({ copyOf }, said) },
    { type: "turn.started", turnId, data: Object.assign({ copyOf }, begun) },
  ];
  await log.append(stream, copied);
  expect(await readAll(log, stream)).toHaveLength(2);
  expect(await open()).toBeUndefined();
  expect(await readOpenTurns(log, new Set())).toEqual([]);
});

test("[A20] what was said last in a session and not even begun is open in the whole log, too", async () => {
  const { log, ids, said, write, next } = setup();
  const [ended, asked] = [next(), next()];
  await write(ended, "user.message", "turn.started", "turn.failed");
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "second", key: "ws--1", channel: "ws" } },
    { type: "user.message", turnId: asked, data: said },
    { type: "user.message", turnId: asked, data: said },
  ]);
  expect(await readOpenTurns(log, new Set())).toEqual([
    { turnId: asked, stream: session, agentId: "second", sessionKey: "ws--1" },
  ]);
  expect(await readOpenTurns(log, new Set([session]))).toEqual([]);
});
