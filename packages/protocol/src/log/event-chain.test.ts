import { expect, test } from "vitest";
import type { StoredEvent } from "../canonical-event.ts";
import { FIRST_PREV, headerHash, payloadHash } from "./event-chain.ts";
import { openSampleStream } from "../test/sample-stream.ts";

/** Not a hash: shows what would be hashed. */
const visible = (text: string): string => text;

function setup() {
  const stream = openSampleStream();
  return { stream, event: stream.event("turn.started") };
}

test("[P7] every header field changes the header hash", () => {
  const { stream, event } = setup();
  const others = [
    { id: stream.ids.next("event") },
    { stream: stream.ids.next("session") },
    { seq: event.seq + 1 },
    { at: "2020-01-01T00:00:00.000Z" },
    { type: "turn.completed" },
    { turnId: stream.ids.next("turn") },
    { payloadHash: "00".repeat(32) },
    { prev: "11".repeat(32) },
  ];
  const hashes = others.map((other) => headerHash(visible, { ...event, ...other }));
  expect(new Set([headerHash(visible, event), ...hashes]).size).toBe(others.length + 1);
});

test("[P7] the payload counts through its hash alone, so that it can be erased", () => {
  const { event } = setup();
  const erased: StoredEvent = { ...event, data: null };
  expect(headerHash(visible, erased)).toBe(headerHash(visible, event));
});

test("[P7] no turn is not a turn of another name", () => {
  const { stream } = setup();
  const event = stream.raw("error", {});
  const { turnId: _, ...without } = { ...event, turnId: stream.turnId };
  expect(headerHash(visible, { ...without, turnId: stream.turnId })).not.toBe(headerHash(visible, without));
});

test("[P7] different salts or payloads are hashed as different texts", () => {
  expect(payloadHash(visible, "ab", "{}")).not.toBe(payloadHash(visible, "a", "b{}"));
  expect(payloadHash(visible, "ab", "{}")).not.toBe(payloadHash(visible, "cd", "{}"));
  expect(FIRST_PREV).toMatch(/^0{64}$/);
});
