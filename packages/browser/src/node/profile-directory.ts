import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readlink, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Sessions whose cookies and storage are kept, and for how long since they last had a browser. */
const MOST_PROFILES = 20;
const LONGEST_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const LOCKS = ["SingletonLock", "SingletonCookie", "SingletonSocket"];

/** The profile folder of a session, made if need be, readable by the user alone. */
export async function openProfile(root: string, session: string): Promise<string> {
  const name = createHash("sha256").update(session).digest("hex").slice(0, 32);
  const folder = join(root, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

/** Removes profiles that are too old or too many, the oldest first; never those in `kept`. */
export async function pruneProfiles(root: string, kept: ReadonlySet<string>, nowMs: number): Promise<void> {
  const folders: { readonly path: string; readonly usedMs: number }[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isDirectory() && !kept.has(path)) folders.push({ path, usedMs: (await stat(path)).mtimeMs });
  }
  folders.sort((a, b) => b.usedMs - a.usedMs);
  const room = Math.max(MOST_PROFILES - kept.size, 0);
  const old = folders.filter(({ usedMs }, at) => at >= room || nowMs - usedMs > LONGEST_KEPT_MS);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}

/**
 * Ends a browser that an earlier process left behind in a profile, and takes its lock away. One ends by itself when
 * its pipe closes; this is for one that did not. Limit: on Windows nothing is looked for.
 */
export async function reapBrowser(folder: string): Promise<void> {
  const pid = await lockedBy(folder);
  if (pid !== undefined && (await commandOf(pid)).includes(folder)) kill(pid);
  for (const lock of LOCKS) await rm(join(folder, lock), { force: true });
}

/** The process that has the profile open, by the lock that Chromium makes: a link to `host-pid`. */
export async function lockedBy(folder: string): Promise<number | undefined> {
  try {
    const pid = Number(/-(\d+)$/.exec(await readlink(join(folder, "SingletonLock")))?.[1]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Its command line; empty where there is no such process. */
async function commandOf(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    return stdout;
  } catch {
    return "";
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
