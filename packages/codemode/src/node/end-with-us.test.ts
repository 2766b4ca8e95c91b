import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { endWithUs } from "./typescript-process.ts";

const CHILD = fileURLToPath(new URL("end-with-us.child.ts", import.meta.url));

test("[C79] a checker does not outlive its process, whatever it was doing when killed", async () => {
  const host = spawn(process.execPath, [CHILD], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void host.kill("SIGKILL"));
  await once(host.stdout, "data");
  const checker = childrenOf(host).find((pid) => commandOf(pid).includes("--api"));
  if (checker === undefined) throw new Error("It has no checker");
  // It does not even notice that its parent is gone, as when it waits for an answer.
  process.kill(checker, "SIGSTOP");
  host.kill("SIGKILL");
  await once(host, "exit");
  await vi.waitFor(() => expect(isAlive(checker)).toBe(false));
});

test("[C79] stops watching one that has ended", async () => {
  const other = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void other.kill("SIGKILL"));
  const before = childrenOf(process);
  const watch = endWithUs(other.pid ?? 0);
  const watcher = childrenOf(process).find((pid) => !before.includes(pid));
  watch[Symbol.dispose]();
  await vi.waitFor(() => expect(isAlive(watcher ?? 0)).toBe(false));
  expect(isAlive(other.pid ?? 0)).toBe(true);
});

/** Linux only, like the rest of the test machine. */
function childrenOf({ pid = 0 }: Pick<ChildProcess, "pid">): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
    .filter((child) => child.trim() !== "")
    .map(Number);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8");
}

/** A zombie does not count. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
