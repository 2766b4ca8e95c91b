import { spawn } from "node:child_process";

/**
 * Sees to it that a process does not outlive this one, however this one ends: the checker, killed at the wrong moment,
 * waits for ever for an answer that nobody gives. A shell reads from a pipe that only we hold; it ends, and ends that
 * process, when we are gone. Dispose it as soon as the process has ended: its number may be another's then. Never
 * throws; where there is no shell, nothing is watched.
 */
export function endWithUs(pid: number): Disposable {
  const watcher = spawn("/bin/sh", ["-c", 'read -r _; kill -9 "$1"', "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // What a terminal sends to all of us is not meant for it.
    detached: true,
  });
  watcher.once("error", () => undefined);
  watcher.stdin.once("error", () => undefined);
  watcher.unref();
  if ("unref" in watcher.stdin && typeof watcher.stdin.unref === "function") watcher.stdin.unref();
  return { [Symbol.dispose]: () => void watcher.kill("SIGKILL") };
}
