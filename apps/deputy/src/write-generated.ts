import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { AppError } from "./app-error.ts";

/**
 * Writes a file that begins with `header`, over an older one of its kind but never over anything else.
 * Throws `file_unwritable`.
 */
export function writeGenerated(file: string, header: string, text: string): void {
  try {
    if (isForeign(file, header)) {
      throw new AppError("file_unwritable", `${file} already exists, and was not written by this command`, {
        hint: "Name another file, or remove that one.",
      });
    }
    writeFileSync(file, text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const hint = missing
      ? "Its directory does not exist."
      : "Name another file, or make it writable for you.";
    throw new AppError("file_unwritable", `Cannot write ${file}`, { cause, hint });
  }
}

/** True if the file contains something else. A device, a pipe or an empty file counts as empty. */
function isForeign(file: string, header: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size === 0) return false;
  const wanted = Buffer.from(header);
  const start = Buffer.alloc(wanted.length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, start, 0, start.length, 0);
  } finally {
    closeSync(handle);
  }
  return !start.equals(wanted);
}
