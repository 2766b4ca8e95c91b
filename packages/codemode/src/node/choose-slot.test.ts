import { expect, test } from "vitest";
import { chooseSlot, type SlotState } from "./check-pool.ts";

const slot = (name: string, isBusy: boolean, loaded: string | undefined): SlotState & { name: string } => ({
  name,
  isBusy,
  catalogues: loaded?.length,
  has: (declarations) => loaded?.includes(declarations) ?? false,
});

/** Slots by name: capitals are busy, a letter is a catalogue, `undefined` is no process. */
function choose(slots: Readonly<Record<string, string | undefined>>, wanted: string, isPatient = true) {
  const states = Object.entries(slots).map(([name, loaded]) =>
    slot(name, name === name.toUpperCase(), loaded),
  );
  return chooseSlot(states, { declarations: wanted, isPatient }, 3)?.name;
}

test("[C73] a check goes to a free process that has its catalogue", () => {
  expect(choose({ one: "ab", two: "c" }, "c")).toBe("two");
  expect(choose({ one: "", two: "abc" }, "c")).toBe("two");
});

test("[C73] waits a little for a busy one that has it, then goes elsewhere", () => {
  expect(choose({ ONE: "a", two: "b" }, "a")).toBeUndefined();
  expect(choose({ ONE: "a", two: "b" }, "a", false)).toBe("two");
  expect(choose({ ONE: "a", two: undefined }, "a", false)).toBe("two");
});

test("[C73] otherwise goes where there is room, then to a new process, then to a full one", () => {
  expect(choose({ one: "ab", two: "a", three: undefined }, "x")).toBe("two");
  expect(choose({ one: "abc", two: undefined }, "x")).toBe("two");
  expect(choose({ one: "abc", TWO: "a" }, "x")).toBe("one");
  expect(choose({ one: undefined, two: undefined }, "x")).toBe("one");
});

test("[C73] waits if all are busy", () => {
  expect(choose({ ONE: "a", TWO: "b" }, "x", false)).toBeUndefined();
});
