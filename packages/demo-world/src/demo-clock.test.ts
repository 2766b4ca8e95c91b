import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openDemoClock } from "./demo-clock.ts";

const DAY = 86_400_000;
const live = new AbortController().signal;

function setup() {
  const home = mkdtempSync(join(tmpdir(), "demo-clock-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const clock = createFakeClock();
  const open = (speed?: number) => openDemoClock({ home, clock, speed });
  return { clock, open };
}

test("equals the machine's clock until a speed is given", () => {
  const { clock, open } = setup();
  expect(open()).toEqual({ clock, speed: 1 });
});

test("then runs faster, sleeps included", async () => {
  const { clock, open } = setup();
  const startMs = clock.now();
  const { clock: demo } = open(1_000);
  expect(demo.now()).toBe(startMs);
  await clock.advance(86_400);
  expect(demo.now()).toBe(startMs + DAY);
  let isAwake = false;
  const sleeping = demo.sleep(DAY, live).then(() => (isAwake = true));
  await clock.advance(86_399);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  await sleeping;
  expect(demo.now()).toBe(startMs + 2 * DAY);
});

test("a short sleep takes at least 20 ms of real time", async () => {
  const { clock, open } = setup();
  const { clock: demo } = open(100_000);
  let isAwake = false;
  const sleeping = demo.sleep(30_000, live).then(() => (isAwake = true));
  await clock.advance(19);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  await sleeping;
});

test("continues after a restart, at the same speed unless told, and never goes back", async () => {
  const { clock, open } = setup();
  const startMs = clock.now();
  open(1_000);
  await clock.advance(86_400);
  expect(open()).toMatchObject({ speed: 1_000 });
  expect(open().clock.now()).toBe(startMs + DAY);
  const slower = open(1);
  await clock.advance(5);
  expect([slower.speed, slower.clock.now()]).toEqual([1, startMs + DAY + 5]);
  expect(open().clock.now()).toBe(startMs + DAY + 5);
});
