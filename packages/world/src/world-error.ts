import { CodedError } from "@deputy/kit";

export const worldErrorCodes = [
  /** The file cannot be created, opened or read. */
  "world_unusable",
  /** The file is some other program's database. */
  "world_foreign",
  /** A newer Deputy wrote the file; nothing was touched. */
  "world_too_new",
  /** The disk is full; nothing of this was written. */
  "world_full",
  /** The disk refused a write; nothing is acknowledged any more. */
  "world_failed",
  "world_closed",
] as const;
export type WorldErrorCode = (typeof worldErrorCodes)[number];

export class WorldError extends CodedError<WorldErrorCode> {}
