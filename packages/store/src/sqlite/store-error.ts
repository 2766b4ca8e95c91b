import { CodedError } from "@deputy/kit";

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
