import { expect, test } from "vitest";
import { aboutEvent, EVENT_KINDS, EVENT_WORDS } from "./event-words.ts";

test("[W1] every type of event has one kind to be found by", () => {
  const types = Object.keys(EVENT_WORDS);
  const kinds = Object.values(EVENT_KINDS).map((kind) => kind.types as readonly string[]);
  const found = (type: string): number =>
    kinds.filter((some) => some.includes(type.split(".", 1)[0] ?? "")).length;
  expect(types.filter((type) => found(type) !== 1)).toEqual([]);
});

test("[W10] a line of the feed has no ids, no instants of another zone, and says nothing twice", () => {
  const now = Date.parse("2026-11-17T12:00:00.000Z");
  const about = (type: string, summary: string): string => aboutEvent({ type, summary }, now);
  expect(about("task.paused", "paused")).toBe("");
  expect(about("call.started", "started")).toBe("");
  expect(about("session.started", "agent main, task:tsk_01, by task")).toBe("agent main, by task");
  expect(about("turn.completed", '{"inputTokens":2400,"outputTokens":68}')).toBe(
    "2,400 tokens read, 68 written",
  );
  expect(about("turn.completed", '{"inputTok')).toBe('{"inputTok');
  const due = about("task.scheduled", "due next at 2026-11-19T09:00:00.000Z");
  expect(due).toMatch(/^due next at \S+ \S+/);
  expect(due).not.toContain("2026");
  expect(about("user.message", "ws: Hello\n  there")).toBe("Hello there");
  expect(about("call.decided", "allow by tool.auto")).toBe("allowed");
  expect(about("call.decided", "ask by tool.approval; it asks before every call")).toBe(
    "asks you; it asks before every call",
  );
});
