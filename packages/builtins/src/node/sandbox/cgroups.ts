import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandLimits } from "@deputy/tools";

/** Groups of control (cgroup v2) for commands: limits for all processes of one together. */
export interface Cgroups {
  /** A group of its own for one command. Undefined if the kernel refuses one now. */
  open(limits: CommandLimits): CommandGroup | undefined;
}

interface CommandGroup {
  /** A process that writes its number there, and all that it starts, are in the group. */
  readonly procs: string;
  /** Ends whatever is left, removes the group, and says which limits were met. Never throws. */
  close(): readonly string[];
}

const NEEDED = ["memory", "pids"] as const;

/**
 * Undefined where Deputy may not make groups with limits: it can where its own group was given to it (`Delegate=yes` of
 * a systemd service). `own` is the folder of Deputy's group. Nothing is changed but there.
 */
export function openCgroups(
  own: string | undefined = findOwnGroup(),
  /** Makes a group; the kernel fills it. */
  makeGroup: (folder: string) => void = mkdirSync,
): Cgroups | undefined {
  if (own === undefined || !canLimit(own, makeGroup)) return undefined;
  let last = 0;
  return {
    open(limits) {
      const folder = join(own, `deputy-command-${process.pid}-${(last += 1)}`);
      try {
        makeGroup(folder);
        writeFileSync(join(folder, "memory.max"), String(limits.memoryBytes));
        writeFileSync(join(folder, "pids.max"), String(limits.processes));
      } catch {
        remove(folder);
        return undefined;
      }
      // Without it, what does not fit into memory goes to the disk, and the limit is none.
      attempt(() => writeFileSync(join(folder, "memory.swap.max"), "0"));
      return {
        procs: join(folder, "cgroup.procs"),
        close() {
          attempt(() => writeFileSync(join(folder, "cgroup.kill"), "1"));
          const met = [
            ...(countOf(join(folder, "memory.events"), "oom_kill") > 0
              ? ["more memory than it may have, for which the system ended a process"]
              : []),
            ...(countOf(join(folder, "pids.events"), "max") > 0 ? ["more processes than it may have"] : []),
          ];
          remove(folder);
          return met;
        },
      };
    },
  };
}

/** Where Deputy's own group is; undefined without cgroup v2. */
function findOwnGroup(): string | undefined {
  try {
    const path = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const mounted = /^\S+ (\S+) cgroup2 /m.exec(readFileSync("/proc/mounts", "utf8"))?.[1];
    return path === undefined || mounted === undefined ? undefined : join(mounted, path);
  } catch {
    return undefined;
  }
}

/**
 * A group that has processes of its own gives its children no limits, so Deputy goes into one below first. Where that
 * is refused, or somebody else is in the group, all is as it was.
 */
function canLimit(own: string, makeGroup: (folder: string) => void): boolean {
  const handed = readWords(join(own, "cgroup.subtree_control"));
  const available = readWords(join(own, "cgroup.controllers"));
  if (!NEEDED.every((name) => available.includes(name))) return false;
  if (NEEDED.every((name) => handed.includes(name))) return tryOne(own, makeGroup);
  const main = join(own, `deputy-main-${process.pid}`);
  const enter = (group: string) => attempt(() => writeFileSync(join(group, "cgroup.procs"), "0"));
  try {
    makeGroup(main);
  } catch {
    return false;
  }
  const isIn = enter(main);
  const hand = (): void => writeFileSync(join(own, "cgroup.subtree_control"), "+memory +pids");
  if (isIn && attempt(hand) && tryOne(own, makeGroup)) return true;
  if (isIn) enter(own);
  remove(main);
  return false;
}

/** Whether a group has limits that can be set: the kernel tells what was set. */
function tryOne(own: string, makeGroup: (folder: string) => void): boolean {
  const folder = join(own, `deputy-probe-${process.pid}`);
  try {
    makeGroup(folder);
    writeFileSync(join(folder, "pids.max"), "7");
    writeFileSync(join(folder, "memory.max"), "1073741824");
    return (
      readWords(join(folder, "pids.max")).includes("7") &&
      readWords(join(folder, "memory.max")).includes("1073741824")
    );
  } catch {
    return false;
  } finally {
    remove(folder);
  }
}

function readWords(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").trim().split(/\s+/);
  } catch {
    return [];
  }
}

function countOf(file: string, name: string): number {
  const words = readWords(file);
  const at = words.indexOf(name);
  return at === -1 ? 0 : Number(words[at + 1]);
}

/** What was killed needs a moment to be gone; a group that stays is empty and costs nothing. */
function remove(folder: string): void {
  attempt(() => rmdirSync(folder));
}

function attempt(deed: () => void): boolean {
  try {
    deed();
    return true;
  } catch {
    return false;
  }
}
