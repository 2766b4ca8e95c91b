import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { describeFileFailure } from "../file-failure.ts";
import { writeOnce } from "../write-once.ts";

const MAX_BYTES = 1_048_576;
/** Writing a file never takes longer; an older draft was left by a process that died. */
const ABANDONED_MS = 10_000;

export function configFileOf(home: string): string {
  return join(home, "config.json");
}

/**
 * The text of a configuration; creates an empty one if it is missing. Throws `config_invalid`,
 * `file_unwritable`.
 */
export function readConfigFile(home: string): string {
  const file = configFileOf(home);
  try {
    if (statSync(file).size > MAX_BYTES) throw new AppError("config_invalid", `${file} is larger than 1 MB`);
    return readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (systemCodeOf(cause) !== "ENOENT")
      throw new AppError("config_invalid", `Cannot read ${file}: ${describeFileFailure(cause)}`, { cause });
  }
  try {
    writeOnce(file, "{}\n");
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/**
 * Writes what `change` makes of the current file, or of `undefined` when it is missing: all of it or nothing, and
 * only one process at a time. A link stays a link. Throws `file_unwritable`, and what `change` throws; then the file
 * is unchanged.
 */
export function changeConfigFile(home: string, change: (text: string | undefined) => string): void {
  changeFile(configFileOf(home), change);
}

/** The same for any file in the home that only its owner may read. */
export function changeFile(path: string, change: (text: string | undefined) => string): void {
  const file = followLink(path);
  const draft = `${file}.new`;
  let descriptor: number;
  try {
    descriptor = openDraft(draft);
  } catch (cause) {
    throw unwritable(file, cause);
  }
  try {
    const text = change(readIfThere(file));
    writeSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(draft, file);
    syncDirectory(dirname(file));
  } catch (cause) {
    unlinkIfThere(draft);
    throw cause instanceof AppError ? cause : unwritable(file, cause);
  } finally {
    closeSync(descriptor);
  }
}

/** The draft is also the lock: the process that creates it may write. */
function openDraft(draft: string): number {
  try {
    return openSync(draft, "wx", 0o600);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    if (Date.now() - statSync(draft).mtimeMs < ABANDONED_MS) throw error;
    unlinkIfThere(draft);
    return openSync(draft, "wx", 0o600);
  }
}

function followLink(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return file;
    throw unwritable(file, error);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unlinkIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function unwritable(file: string, cause: unknown): AppError {
  const code = systemCodeOf(cause);
  const why = code === "EEXIST" ? "another process is writing it" : describeFileFailure(cause);
  const todo = code === "ENOSPC" ? "Make room on the disk, then try again." : "Try again.";
  return new AppError("file_unwritable", `Cannot write ${file}: ${why}`, {
    cause,
    hint: `Nothing was changed. ${todo}`,
  });
}

/** Changes whenever the file or its permissions do; undefined when there is no file. */
export function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeNs} ${stat.size} ${stat.mode}`;
}
