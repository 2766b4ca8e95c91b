import { expect, test } from "vitest";
import { createInterrupts } from "./interrupts.ts";

test("two presses leave when the second comes soon, and only then", () => {
  let nowMs = 0;
  const { press } = createInterrupts({ monotonicMs: () => nowMs });
  expect(press()).toBe("first");
  nowMs += 3_001;
  expect(press()).toBe("first");
  nowMs += 2_999;
  expect(press()).toBe("leave");
  expect(press()).toBe("first");
});

test("who has said something since has pressed it for the first time", () => {
  const interrupts = createInterrupts({ monotonicMs: () => 0 });
  expect(interrupts.press()).toBe("first");
  interrupts.forget();
  expect(interrupts.press()).toBe("first");
  expect(interrupts.press()).toBe("leave");
});
