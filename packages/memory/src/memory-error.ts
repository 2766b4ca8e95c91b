import { CodedError } from "@deputy/kit";

export const memoryErrorCodes = ["memory_unavailable", "memory_closed"] as const;
export type MemoryErrorCode = (typeof memoryErrorCodes)[number];

/** `memory_unavailable`: the index cannot be read or written. */
export class MemoryError extends CodedError<MemoryErrorCode> {}
