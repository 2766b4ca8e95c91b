import { createIdSource } from "@deputy/kit";
import type { AssistantDelta } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createOpenItems } from "./open-items.ts";

const ids = createIdSource({ clock: createFakeClock() });
const [stream, turnId] = [ids.next("session"), ids.next("turn")];

function delta(itemId: AssistantDelta["itemId"], offset: number, text: string): AssistantDelta {
  return { type: "assistant.delta", stream, turnId, at: "", itemId, itemType: "message", offset, text };
}

test("[L20] forgets the oldest item beyond the limit, and an item that grew too long", () => {
  const items = createOpenItems({ items: 2, textLength: 5 });
  const [a, b, c] = [ids.next("item"), ids.next("item"), ids.next("item")];
  for (const itemId of [a, b, c]) items.add(delta(itemId, 0, "four"));
  expect(items.wholes().map(({ itemId }) => itemId)).toEqual([b, c]);
  items.add(delta(b, 4, "ty"));
  expect(items.wholes().map(({ itemId }) => itemId)).toEqual([c]);
  items.add(delta(b, 6, "more"));
  expect(items.size).toBe(1);
});

test("[L21] an event with missing fields closes nothing and breaks nothing", () => {
  const items = createOpenItems({ items: 2, textLength: 5 });
  items.add(delta(ids.next("item"), 0, "x"));
  const event = { id: ids.next("event"), stream, seq: 1, at: "", payloadHash: "", prev: "" };
  for (const data of [null, {}, "text"]) items.settle({ ...event, type: "assistant.message", data });
  expect(items.size).toBe(1);
  items.settle({ ...event, type: "turn.completed", data: {} });
  expect(items.size).toBe(0);
});
