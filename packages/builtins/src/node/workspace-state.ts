import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";

/** So many files are looked at before others get their turn. */
const AT_ONCE = 2_000;
/** A file system's clock goes on in steps: within one, a file can change twice and look the same. */
const STEP_MS = 25;
/** Another machine's disk may have a clock that is ahead. */
const LONGEST_WAIT_MS = 100;
const MOST_ELSEWHERE = 500;

/**
 * Everything in the workspace as the file system knows it (which file, how long, changed when), as a hash, and so every
 * file elsewhere that the line names. A command cannot set when its file was changed, so what is the same here is the
 * same: what changes once this has resolved is another. Where a part cannot be looked at, no two states are the same.
 * No file is read: 1,000 take 5 ms. Never rejects.
 */
export async function workspaceState(
  command: string,
  place: { readonly folder: string; readonly cwd: string },
): Promise<string> {
  const { hash, newestMs } = await lookAt(command, place);
  // What was written this very moment could be written again, unseen, until the clock has gone on.
  const waitMs = Math.min(newestMs + STEP_MS - Date.now(), LONGEST_WAIT_MS);
  if (waitMs > 0) await setTimeout(waitMs);
  return hash;
}

async function lookAt(
  command: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): Promise<{ readonly hash: string; readonly newestMs: number }> {
  const hash = createHash("sha256");
  let newestMs = 0;
  let seen = 0;
  const lineOf = (name: string, stats: NonNullable<ReturnType<typeof lstatSync>>): string => {
    // No name can pass for two lines. A folder is its names: what was made and removed in it again leaves no trace.
    const known = `${name.length} ${name} ${stats.mode} ${stats.ino}`;
    if (stats.isDirectory()) return `${known}\n`;
    newestMs = Math.max(newestMs, Number(stats.ctimeMs));
    return `${known} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}\n`;
  };
  /** Files only: what is in folders elsewhere is not the workspace's, and devices have no contents. */
  const elsewhere = (path: string): string => {
    const stats = statOf(path);
    return stats?.isFile() === true ? lineOf(path, stats) : "";
  };
  const folders = [folder];
  for (let directory = folders.pop(); directory !== undefined; directory = folders.pop()) {
    let lines = `${directory.length} ${directory}\n`;
    try {
      for (const name of readdirSync(directory).sort()) {
        const path = `${directory}/${name}`;
        const stats = lstatSync(path);
        lines += lineOf(name, stats);
        if (stats.isSymbolicLink()) lines += elsewhere(path);
        if (stats.isDirectory()) folders.push(path);
        seen += 1;
        if (seen % AT_ONCE === 0) await setImmediate();
      }
    } catch {
      // Gone by now, forbidden, or too deep to be named.
      lines += randomUUID();
    }
    hash.update(lines);
  }
  for (const path of namedElsewhere(command, join(folder, cwd))) hash.update(elsewhere(path));
  return { hash: hash.digest("hex"), newestMs };
}

/** What the kernel makes up as it is read changes all the time. Files in shared memory are files like others. */
const MADE_UP = /^\/(?:proc|sys|dev(?!\/shm\/))\//;

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    const real = realpathSync(path);
    return MADE_UP.test(real) ? undefined : statSync(real, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Paths that words of the line may be, where they look like paths. */
function namedElsewhere(command: string, start: string): readonly string[] {
  const words = command
    .split(/[\s;|&<>()"'`=,:{}]+/)
    .filter((word) => word.includes("/") && !word.includes("\0"));
  return [...new Set(words)]
    .slice(0, MOST_ELSEWHERE)
    .map((word) => resolve(start, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, homedir())));
}
