import { expect, test } from "vitest";
import { runLoad } from "./run-load.ts";

const OPERATIONS = 150;

test("[E380] clients that break, lie and leave: no crash, nothing acknowledged is lost, nothing stays open", async ({
  signal,
}) => {
  const report = await runLoad({ seed: 20_260, goesOn: (operations) => operations < OPERATIONS, signal });
  expect(report.faults).toEqual([]);
  expect(report.operations).toBeGreaterThanOrEqual(OPERATIONS);
  expect(report.acknowledged.messages).toBeGreaterThan(20);
  expect(report.acknowledged.tasks).toBeGreaterThan(5);
  expect(report.cuts).toBeGreaterThan(20);
  expect(report.handles.after).toBeLessThanOrEqual(report.handles.before);
});
