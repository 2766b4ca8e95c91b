import { expect, test } from "vitest";
import { EVENT_KINDS, EVENT_WORDS } from "./event-words.ts";

test("[W1] every type of event has one kind to be found by", () => {
  const types = Object.keys(EVENT_WORDS);
  const kinds = Object.values(EVENT_KINDS).map((kind) => kind.types as readonly string[]);
  const found = (type: string): number =>
    kinds.filter((some) => some.includes(type.split(".", 1)[0] ?? "")).length;
  expect(types.filter((type) => found(type) !== 1)).toEqual([]);
});
