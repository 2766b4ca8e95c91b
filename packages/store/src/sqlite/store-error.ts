import { CodedError } from "@deputy/kit";
import type { Damage } from "@deputy/protocol";
import { sizeOf, type StoreFiles } from "./database/store-files.ts";

export const storeErrorCodes = [
  /** Another process, or this one, already has the home open for writing. */
  "home_in_use",
  /** The directory or one of its files cannot be created, read or written. */
  "home_unusable",
  /** There is nothing to read yet. */
  "no_database",
  /** `deputy.db` is some other program's database. */
  "foreign_database",
  /** A newer Deputy wrote the database; nothing was touched. */
  "database_too_new",
  /** The log is not what was acknowledged. */
  "log_damaged",
  /** The journal holds entries, but the key they were encrypted with is gone. */
  "key_missing",
  /** `key` is not a key, or not the one the journal was encrypted with. */
  "key_invalid",
  "unknown_stream",
  "import_invalid",
] as const;
export type StoreErrorCode = (typeof storeErrorCodes)[number];

export class StoreError extends CodedError<StoreErrorCode> {}

/** Findings spelled out in a message; `deputy audit verify` lists the rest. */
const SPELLED_OUT = 3;

/** Says what was lost, what is safe, and what to do next. */
export function damagedError(files: StoreFiles, damage: readonly Damage[]): StoreError {
  const isGone = sizeOf(files.database) === 0;
  const safe = isGone
    ? "Nothing was changed; what the daily files hold is safe."
    : "Nothing was changed, and every event that verifies can still be read.";
  return new StoreError(
    "log_damaged",
    `The log in ${files.directory} is damaged: ${describeDamage(damage)}. ${safe}`,
    {
      hint: isGone
        ? "If you still have the file, put it back. Otherwise `deputy audit repair` rebuilds the log from the daily files and reports what it could not recover."
        : "`deputy audit verify` lists all of it; `deputy audit repair` keeps what is sound, takes the rest from the daily files, and puts the damaged files aside.",
    },
  );
}

export function describeDamage(damage: readonly Damage[]): string {
  const spelled = damage.slice(0, SPELLED_OUT).map((one) => one.message);
  const rest = damage.length - spelled.length;
  return spelled.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
