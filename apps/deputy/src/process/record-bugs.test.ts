import { createIdSource } from "@deputy/kit";
import { createValueRedactor } from "@deputy/secrets";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { recordBugs } from "./record-bugs.ts";

function setup() {
  const clock = createFakeClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const told: unknown[] = [];
  const redactor = createValueRedactor(["the-secret-value"]);
  const record = recordBugs({ log, redactor, tell: (error) => void told.push(error) });
  const events = async () =>
    (await Array.fromAsync(log.read("system"))).map(({ type, data }) => ({ type, data }));
  return { log, told, record, events, redactor };
}

test("[E841] a bug is told, and is in the log with its stack, without secrets", async () => {
  const { record, told, events } = setup();
  const bug = new TypeError("Cannot read the-secret-value of undefined");
  record(bug);
  expect(told).toEqual([bug]);
  await expect.poll(events).toHaveLength(1);
  const [event] = await events();
  expect(event).toMatchObject({
    type: "error",
    data: {
      code: "internal",
      message: expect.not.stringContaining("the-secret-value"),
      stack: expect.stringContaining("record-bugs.test.ts"),
    },
  });
  expect(JSON.stringify(event)).not.toContain("the-secret-value");
});

test("[E841] one that comes back again and again fills nothing, and one of the log itself is only told", async () => {
  const { record, told, events, redactor } = setup();
  for (let n = 0; n < 300; n += 1) record("again");
  expect(told).toHaveLength(300);
  await expect.poll(events).toHaveLength(100);
  const broken = recordBugs({
    log: { append: () => Promise.reject(new Error("The disk is full")) },
    redactor,
    tell: (error) => void told.push(error),
  });
  broken(new Error("first"));
  expect(told).toHaveLength(301);
});
