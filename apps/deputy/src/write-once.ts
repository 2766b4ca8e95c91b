import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from "node:fs";
import { systemCodeOf } from "@deputy/kit";

/**
 * Creates a file for its owner only, completely or not at all, and never over another's: if two processes
 * create it at once, one succeeds.
 */
export function writeOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, "w", 0o600);
  try {
    fchmodSync(handle, 0o600);
    writeSync(handle, text);
    fsyncSync(handle);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
}
