import { createIdSource } from "@deputy/kit";
import type { CanonicalEvent, NewEvent } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { asStored, said } from "../compaction/conversation.fixture.ts";
import { findForkPoint } from "./fork-point.ts";

const ids = createIdSource({ clock: createFakeClock() });
const [first, second] = [ids.next("turn"), ids.next("turn")];
const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
const answered = (turnId: typeof first, model = "test/script"): NewEvent[] => [
  { type: "turn.started", turnId, data: { agentId: "main", model } },
  { type: "assistant.message", turnId, data: { itemId: ids.next("item"), text: "Yes." } },
];
const end = (turnId: typeof first): NewEvent => ({ type: "turn.completed", turnId, data: { usage } });

/** 1 started, 2 "one", 3–5 its turn, 6 "two", 7 "more", 8–9 its turn, 10 "and this", 11 its end. */
const events: readonly CanonicalEvent[] = asStored([
  { type: "session.started", data: { agentId: "main", key: "k", channel: "test" } },
  said("one"),
  ...answered(first),
  end(first),
  said("two"),
  said("more"),
  ...answered(second),
  said("and this"),
  end(second),
]);
const texts = (point: ReturnType<typeof findForkPoint>): unknown =>
  point.kind === "found" ? [point.throughSeq, point.said.map(({ text }) => text)] : point.kind;

test.each([
  [1, "nothing_said"],
  [2, [0, ["one"]]],
  [5, [0, ["one"]]],
  [6, [5, ["two"]]],
  [9, [5, ["two", "more"]]],
  [11, [5, ["two", "more", "and this"]]],
  [99, [5, ["two", "more", "and this"]]],
])("[A87] at event %i it goes on from the last message, after the turn before it", (seq, expected) => {
  expect(texts(findForkPoint(events, { kind: "seq", seq }))).toEqual(expected);
});

test("[A87] at a turn it goes on from what that turn answered", () => {
  expect(texts(findForkPoint(events, { kind: "turn", turnId: first }))).toEqual([0, ["one"]]);
  expect(texts(findForkPoint(events, { kind: "turn", turnId: second }))).toEqual([5, ["two", "more"]]);
  expect(texts(findForkPoint(events, { kind: "turn", turnId: ids.next("turn") }))).toBe("unknown_turn");
});

test("[A87] a program of the user's own is no model's to answer", () => {
  const own = asStored([said("Run a program"), ...answered(first, "none"), end(first)]);
  expect(texts(findForkPoint(own, { kind: "seq", seq: 9 }))).toBe("program");
});
