import { setTimeout } from "node:timers/promises";
import { describeClock } from "@deputy/testing";
import { createBackgroundClock } from "./background-clock.ts";

describeClock("the background clock", () => ({
  clock: createBackgroundClock(),
  pass: async (ms) => await setTimeout(ms),
}));
