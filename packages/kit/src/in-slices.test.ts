import { expect, test } from "vitest";
import { createSlices, inSlices } from "./in-slices.ts";

/** A clock that each step advances. */
function setup(stepMs: number) {
  let nowMs = 0;
  const done: string[] = [];
  function* work(steps: number): Generator<void> {
    for (let n = 1; n <= steps; n++) {
      nowMs += stepMs;
      done.push(`step ${n}`);
      yield;
    }
  }
  return { done, work, slices: createSlices(() => nowMs, 10) };
}

test("[K33] long work yields after every slice and keeps its order", async () => {
  const { done, work, slices } = setup(6);
  setTimeout(() => done.push("a timer"), 0);
  await inSlices(work(4), slices);
  expect(done).toEqual(["step 1", "step 2", "a timer", "step 3", "step 4"]);
});

test("[K33] short work is done without a pause", async () => {
  const { done, work, slices } = setup(1);
  setTimeout(() => done.push("a timer"), 0);
  await inSlices(work(3), slices);
  expect(done).toEqual(["step 1", "step 2", "step 3"]);
});

test("[K33] a failing step ends the work", async () => {
  function* failing(): Generator<void> {
    yield;
    throw new Error("no more");
  }
  await expect(inSlices(failing())).rejects.toThrow("no more");
});
