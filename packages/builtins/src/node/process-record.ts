import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ProcessRecord } from "../exec/process-registry.ts";

/** A command that was running when the process which started it died. */
export interface LeftProcess {
  readonly session: string;
  readonly command: string;
  /** `ended`: it was still there, and has been killed now. `gone`: it was not. */
  readonly was: "ended" | "gone";
}

const entry = z.object({
  pid: z.int().positive(),
  /** Tells it from a later process with the same number. */
  began: z.string(),
  session: z.string(),
  command: z.string(),
});

/**
 * Writes one small file for each command in the background, so that it can be found after a crash. A command also
 * runs when the folder cannot be written to; it is then not found.
 */
export function createProcessRecord(folder: string): ProcessRecord {
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  return {
    begin(id, process) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ ...process, began: beganOf(process.pid) ?? "" });
        writeFileSync(fileOf(id), text, { mode: 0o600 });
      } catch {
        // See above.
      }
    },
    end: (id) => forget(folder, fileOf(id)),
  };
}

/** With the last file goes the folder: that there is one says that something was left. */
function forget(folder: string, file: string): void {
  try {
    rmSync(file, { force: true });
    rmdirSync(folder);
  } catch {
    // There are other files in it, or it cannot be written to.
  }
}

/**
 * Ends the processes that an earlier Deputy left running, and forgets them. Call it only while holding the home's
 * lock.
 */
export function endLeftProcesses(folder: string): readonly LeftProcess[] {
  return listFiles(folder).flatMap((name) => {
    const file = join(folder, name);
    const left = readEntry(file);
    forget(folder, file);
    if (left === undefined) return [];
    const { pid, began, session, command } = left;
    const isSame = began !== "" && beganOf(pid) === began;
    return [{ session, command, was: isSame && killGroup(pid) ? ("ended" as const) : ("gone" as const) }];
  });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function readEntry(file: string): z.infer<typeof entry> | undefined {
  try {
    return entry.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** The start time of the process with this id, in the system's own format; undefined when there is none. */
function beganOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      // The name in it may hold anything; what follows its last bracket are plain fields, of which this is the 20th.
      const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1)?.trim().split(" ")[19];
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
    } catch {
      return undefined;
    }
  }
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() === "" ? undefined : stdout.trim();
}

function killGroup(pid: number): boolean {
  try {
    process.kill(-pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
