import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { openShutdownDeadline, SHUTDOWN_MS } from "./shutdown-deadline.ts";

function setup() {
  const stop = new AbortController();
  const clock = createFakeClock();
  const ends: string[] = [];
  const deadline = openShutdownDeadline({ signal: stop.signal, clock, end: () => void ends.push("ended") });
  return { stop, clock, ends, deadline };
}

test("[E371] what has not stopped in time is ended; before it is told to stop, nothing is counted", async () => {
  const { stop, clock, ends } = setup();
  await clock.advance(10 * SHUTDOWN_MS);
  stop.abort();
  await clock.advance(SHUTDOWN_MS - 1);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toEqual(["ended"]);
});

test("[E371] what has stopped in time is not", async () => {
  const { stop, clock, ends, deadline } = setup();
  stop.abort();
  deadline[Symbol.dispose]();
  await clock.advance(2 * SHUTDOWN_MS);
  expect(ends).toEqual([]);
});
