import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from "node:fs";
import { fileErrorCode } from "./file-failure.ts";

/** Makes a file for its owner alone, whole or not at all, and never over another's: of two that make it at once, one does. */
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
    if (fileErrorCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
}
