import { setTimeout as wait } from "node:timers/promises";
import { describeClock } from "@deputy/testing";
import { createSystemClock } from "./clock.ts";

describeClock("the system clock", () => ({ clock: createSystemClock(), pass: (ms) => wait(ms) }));
