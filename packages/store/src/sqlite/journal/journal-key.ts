import { createHmac, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { isFsError, type StoreFiles, syncPath } from "../database/store-files.ts";
import { StoreError } from "../store-error.ts";

const KEY_BYTES = 32;

/** What to do when the key is not what it was. */
export const WITHOUT_KEY =
  "The log itself is not encrypted: all of it is there. Put the key back from a backup. Without one, " +
  "`deputy audit repair --new-key` gives up what only that key can read, ends the tasks that were under way, and keeps everything else.";

/** The key in `key`, undefined when there is none. Throws `key_invalid` when it is no key. */
export function readJournalKey(files: StoreFiles): Buffer | undefined {
  try {
    const key = readFileSync(files.key);
    if (key.length !== KEY_BYTES)
      throw new StoreError("key_invalid", `${files.key} is not a key: it has ${key.length} bytes, not 32`, {
        hint: WITHOUT_KEY,
      });
    return key;
  } catch (cause) {
    if (isFsError(cause, "ENOENT")) return undefined;
    if (cause instanceof StoreError) throw cause;
    throw new StoreError("home_unusable", `${files.key} cannot be read`, { cause });
  }
}

/** Takes from others what an older umask or a copy may have given them. */
export function keepToOwner(files: StoreFiles): void {
  if ((statSync(files.key).mode & 0o077) !== 0) chmodSync(files.key, 0o600);
}

/** Makes a new key that is there as a whole or not at all, for its owner only. */
export function createJournalKey(files: StoreFiles): Buffer {
  const key = randomBytes(KEY_BYTES);
  const draft = `${files.key}.draft`;
  const fd = openSync(draft, "w", 0o600);
  try {
    writeSync(fd, key);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, files.key);
  syncPath(files.directory);
  return key;
}

/** Says whether a key is the right one, without saying anything about the key. */
export function keyFingerprint(key: Uint8Array): string {
  return createHmac("sha256", key).update("deputy journal key").digest("hex");
}
