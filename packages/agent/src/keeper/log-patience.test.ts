import { EventLogError } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogPatience } from "./log-patience.ts";

const never = new AbortController().signal;

function setup() {
  const clock = createFakeClock();
  const told: (string | undefined)[] = [];
  const patience = createLogPatience({ clock, onHeldUp: (error) => void told.push(error?.code) });
  const taken: string[] = [];
  let refusals = 0;
  const append = (name: string) => async () => {
    if (refusals-- > 0) throw new EventLogError("storage_full", "The disk is full");
    taken.push(name);
    return name;
  };
  return { clock, told, patience, taken, append, refuse: (times: number) => void (refusals = times) };
}

test("[A22] appends of one owner that wait are taken in the order in which they were made; that is told once", async () => {
  const { clock, told, patience, taken, append, refuse } = setup();
  const owner = {};
  refuse(4);
  const first = patience.insist(append("first"), never, owner);
  await clock.advance(0);
  const others = ["second", "third"].map((name) => patience.insist(append(name), never, owner));
  for (let n = 0; n < 6; n++) await clock.advance(2_000);
  expect(await Promise.all([first, ...others])).toEqual(["first", "second", "third"]);
  expect(taken).toEqual(["first", "second", "third"]);
  expect(told).toEqual(["storage_full", undefined]);
});

test("[A22] whoever is told to let go does not wait for room; other refusals are told at once", async () => {
  const { clock, patience, append, refuse } = setup();
  const stop = new AbortController();
  refuse(Infinity);
  const waiting = patience.insist(append("first"), stop.signal);
  await clock.advance(500);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  const other = () => Promise.reject(new EventLogError("event_too_large", "Too large"));
  await expect(patience.insist(other, never)).rejects.toMatchObject({ code: "event_too_large" });
});
