import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProcessRecord, endLeftProcesses } from "./process-record.ts";

const base = mkdtempSync(join(tmpdir(), "deputy-record-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const order = { session: "ses_1", command: "sleep 600" };

let sleepers = 0;

async function startSleeper() {
  // What has ended has no command line any more: it is not found by it.
  const sleep = `sleep ${process.pid}${String(Date.now()).slice(-4)}${(sleepers += 1)}`;
  const child = spawn("bash", ["-c", `${sleep} & wait`], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const alive = (): string => spawnSync("pgrep", ["-f", sleep], { encoding: "utf8" }).stdout;
  return { child, pid, alive };
}

test("[TP5] what ran when its process died is found by the next, and ended with all it started", async () => {
  const folder = join(base, "crash");
  const { child, pid, alive } = await startSleeper();
  await expect.poll(() => alive().trim().split("\n").length).toBe(2);
  createProcessRecord(folder).begin("p1", { ...order, pid });
  const gone = once(child, "exit");
  expect(endLeftProcesses(folder)).toEqual([{ ...order, was: "ended" }]);
  await gone;
  await expect.poll(alive).toBe("");
  expect(existsSync(folder)).toBe(false);
  expect(endLeftProcesses(folder)).toEqual([]);
});

test("[TP5] another process that has got the same number since is left alone", async () => {
  const folder = join(base, "reused");
  const { child, pid, alive } = await startSleeper();
  createProcessRecord(folder).begin("p1", { ...order, pid });
  const file = join(folder, "p1.json");
  const noted: { began: string } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...noted, began: "another time" }));
  expect(endLeftProcesses(folder)).toEqual([{ ...order, was: "gone" }]);
  expect(alive()).not.toBe("");
  const gone = once(child, "exit");
  process.kill(-pid, "SIGKILL");
  await gone;
});

test("[TP5] what has ended in time leaves nothing, and what cannot be read is passed over", () => {
  const folder = join(base, "tidy");
  const record = createProcessRecord(folder);
  record.begin("p1", { ...order, pid: process.pid });
  expect(existsSync(folder)).toBe(true);
  record.end("p1");
  record.end("p1");
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  writeFileSync(join(folder, "p2.json"), "{ half of");
  expect(endLeftProcesses(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
  const blocked = join(base, "a-file");
  writeFileSync(blocked, "");
  expect(() => createProcessRecord(blocked).begin("p3", { ...order, pid: 1 })).not.toThrow();
});
