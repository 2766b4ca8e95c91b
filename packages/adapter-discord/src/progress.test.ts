import { expect, test } from "vitest";
import { openProgress } from "./progress.ts";

function setup(before?: unknown) {
  let kept = before;
  const open = () =>
    openProgress({ read: () => kept, write: (value) => void (kept = structuredClone(value)) });
  return { open, kept: () => kept };
}

const SESSION = { sessionId: "s", resumeURL: "wss://x", sequence: 1 };

test("[DC2] a session is kept once what came before it is taken, and only as far as everything is", () => {
  const { open, kept } = setup();
  const progress = open();
  progress.begin(SESSION);
  progress.heard("1", "10");
  progress.save();
  expect(kept()).not.toHaveProperty("session");
  progress.caughtUp();
  for (const sequence of [2, 3, 4]) progress.arrived(sequence);
  progress.taken(3);
  progress.taken(4);
  progress.save();
  expect(open().session()).toEqual({ ...SESSION, sequence: 1 });
  progress.taken(2);
  progress.save();
  expect(open().session()).toEqual({ ...SESSION, sequence: 4 });
  expect([...open().places()]).toEqual([["1", "10"]]);
});

test("[DC2] what was taken is known again, of very much only the last; a place goes forward only", () => {
  const { open } = setup();
  const progress = open();
  for (let n = 0; n < 300; n++) {
    progress.know(`m${n}`);
    progress.heard(`p${n}`, "1");
  }
  progress.heard("p299", "12");
  progress.heard("p299", "3");
  progress.save();
  const again = open();
  expect([again.isKnown("m299"), again.isKnown("m100"), again.isKnown("m99")]).toEqual([true, true, false]);
  expect(again.places().size).toBe(200);
  expect(again.places().get("p299")).toBe("12");
});

test.each([undefined, "text", { session: { sessionId: 1 } }, { places: [["1"]] }])(
  "[DC9] what was kept and cannot be read is nothing: %j",
  (before) => {
    const { open } = setup(before);
    expect(open().session()).toBeUndefined();
    expect(open().places().size).toBe(0);
  },
);
