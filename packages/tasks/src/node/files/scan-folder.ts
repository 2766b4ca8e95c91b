import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { systemCodeOf, throwIfAborted } from "@deputy/kit";
import { TasksError } from "../../tasks-error.ts";
import type { FileFacts } from "./file-change.ts";

export interface FolderScan {
  /** By path within the folder, with `/` between its parts. */
  readonly files: ReadonlyMap<string, FileFacts>;
  /** Each directory's full path, with an identity that differs if another directory takes its place. */
  readonly directories: ReadonlyMap<string, string>;
  /** Paths within the folder that could not be read: their files may still exist. */
  readonly unreadable: readonly string[];
  readonly root: string;
}

export interface ScanOptions {
  readonly root: string;
  readonly fits: (path: string) => boolean;
  /** A directory to skip. */
  readonly except: string;
  /** The most files and directories. */
  readonly maxEntries: number;
}

const AT_ONCE = 64;

/**
 * Every matching file under the folder. Links and hidden directories are skipped. Rejects with
 * `source_refused` if the folder cannot be read or has too much in it, or with the signal's reason.
 */
export async function scanFolder(options: ScanOptions, signal: AbortSignal): Promise<FolderScan> {
  const { root, fits, except, maxEntries } = options;
  const files = new Map<string, FileFacts>();
  const directories = new Map<string, string>();
  const unreadable: string[] = [];
  const waiting = [""];
  let entries = 0;

  const look = async (path: string): Promise<void> => {
    const stat = await statOf(join(root, path));
    if (stat === "unreadable") unreadable.push(path);
    else if (stat !== "gone" && stat.isFile())
      files.set(path, { mtimeNs: String(stat.mtimeNs), size: Number(stat.size), ino: String(stat.ino) });
  };

  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    throwIfAborted(signal);
    const directory = join(root, within);
    const found = await listOf(directory);
    if (found === "unreadable" || found === "gone") {
      if (within === "") throw unusable(root, found);
      if (found === "unreadable") unreadable.push(within);
      continue;
    }
    entries += found.entries.length;
    if (entries > maxEntries) throw tooMany(root, maxEntries);
    directories.set(directory, found.identity);
    const here: string[] = [];
    for (const entry of found.entries) {
      const path = within === "" ? entry.name : posix.join(within, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && join(root, path) !== except) waiting.push(path);
      } else if (entry.isFile() && fits(path)) here.push(path);
    }
    for (let at = 0; at < here.length; at += AT_ONCE) {
      throwIfAborted(signal);
      await Promise.all(here.slice(at, at + AT_ONCE).map(look));
    }
  }
  return { files, directories, unreadable, root: directories.get(root) ?? "" };
}

async function statOf(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    return isGone(error) ? "gone" : "unreadable";
  }
}

async function listOf(
  directory: string,
): Promise<{ readonly entries: readonly Dirent[]; readonly identity: string } | "gone" | "unreadable"> {
  const stat = await statOf(directory);
  if (stat === "gone" || stat === "unreadable") return stat;
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return { entries, identity: `${stat.dev}:${stat.ino}` };
  } catch (error) {
    return isGone(error) ? "gone" : "unreadable";
  }
}

function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "");
}

function unusable(root: string, why: "gone" | "unreadable"): TasksError {
  return new TasksError(
    "source_refused",
    why === "gone" ? `There is no folder ${root}` : `The folder ${root} cannot be read`,
    { hint: "Make it, mount it, or let Deputy read it; or change `path`. Deputy tries again." },
  );
}

function tooMany(root: string, limit: number): TasksError {
  return new TasksError("source_refused", `${root} has more than ${limit} files and folders in it`, {
    hint: "Watch a folder further down, or several. What a glob leaves out counts, too.",
  });
}
