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

test("[E371] ends what has not stopped in time, counted from the request to stop", async () => {
  const { stop, clock, ends } = setup();
  await clock.advance(10 * SHUTDOWN_MS);
  stop.abort();
  await clock.advance(SHUTDOWN_MS - 1);
  expect(ends).toEqual([]);
  await clock.advance(1);
  expect(ends).toEqual(["ended"]);
});

test("[E371] does not end what has stopped in time", async () => {
  const { stop, clock, ends, deadline } = setup();
  stop.abort();
  deadline[Symbol.dispose]();
  await clock.advance(2 * SHUTDOWN_MS);
  expect(ends).toEqual([]);
});
