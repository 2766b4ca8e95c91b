import { expect, test } from "vitest";
import { zoneTime } from "./zone-time.ts";

const MINUTE = 60_000;
/** Around changes of the clocks: by an hour, by half an hour, at midnight, and none. */
const around = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["Australia/Lord_Howe", "2026-10-03"],
  ["Australia/Lord_Howe", "2026-04-04"],
  ["America/Santiago", "2026-09-06"],
  ["America/Santiago", "2026-04-05"],
  ["Africa/Cairo", "2026-04-24"],
  ["Africa/Cairo", "2026-10-29"],
  ["Pacific/Chatham", "2026-09-26"],
  ["Pacific/Chatham", "2026-04-04"],
  ["Antarctica/Troll", "2026-03-29"],
  ["Asia/Kathmandu", "2026-03-29"],
] as const;

/** What the clocks read, asked of another formatter in another way. */
function readingAt(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (ms) => Date.parse(`${format.format(ms).replace(" ", "T")}Z`);
}

test.each(around)("[P53] the clocks of %s around %s, minute by minute", (zone, day) => {
  const clocks = zoneTime(zone);
  const reading = readingAt(zone);
  const from = Date.parse(`${day}T00:00:00Z`) - 30 * 60 * MINUTE;
  const until = from + 72 * 60 * MINUTE;
  let highest = reading(from - 1_440 * MINUTE);
  const changes: number[] = [];
  const wrong: string[] = [];
  for (let ms = from; ms < until; ms += MINUTE) {
    const wall = reading(ms);
    // Everything that the clocks read, or jumped past, for the first time.
    const start = ms === from ? wall : highest + MINUTE;
    for (let named = start; named <= wall; named += MINUTE)
      if (clocks.reached(named) !== ms) wrong.push(`reached ${new Date(named).toISOString()}`);
    highest = Math.max(highest, wall);
    const shown = clocks.highestWall(ms);
    if (clocks.wallOf(ms) !== wall || shown < highest || shown >= highest + MINUTE)
      wrong.push(`read at ${new Date(ms).toISOString()}`);
    if (ms > from && wall - ms !== reading(ms - MINUTE) - (ms - MINUTE)) changes.push(ms);
  }
  expect(wrong).toEqual([]);
  expect(changes.length).toBe(zone === "Asia/Kathmandu" ? 0 : 1);
  expect(clocks.nextChange(from, until)).toBe(changes[0]);
  expect(clocks.nextChange(from - 300 * 86_400_000, from) === undefined).toBe(zone === "Asia/Kathmandu");
});
