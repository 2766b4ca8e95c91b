import { expect, test } from "vitest";
import { createRandom } from "../typed/random.ts";
import { leftBy } from "./left-by-decision.ts";
import { sweep } from "./sweep.ts";
import { trips } from "./suites/trips.ts";

const TIMEOUT_MS = 180_000;

test(
  "no tool takes a value of anybody else's, whichever it is",
  () => {
    const { tried, passed } = sweep(trips, createRandom(1));
    expect(tried).toBeGreaterThan(10_000);
    expect(passed.filter((one) => leftBy(one) === undefined).map(({ call }) => call.input)).toEqual([]);
  },
  TIMEOUT_MS,
);
