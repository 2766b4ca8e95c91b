import { CodedError } from "@deputy/kit";

export const memoryErrorCodes = [
  "memory_unavailable",
  "index_remade",
  "memory_closed",
  "note_refused",
] as const;
export type MemoryErrorCode = (typeof memoryErrorCodes)[number];

/**
 * `memory_unavailable`: the index cannot be read or written. `index_remade`: it was damaged, and is empty now; asking
 * again fills it. `note_refused`: a note cannot be written like that.
 */
export class MemoryError extends CodedError<MemoryErrorCode> {}
