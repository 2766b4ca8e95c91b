import { CodedError } from "./coded-error.ts";

export const kitErrorCodes = ["lane_full", "pattern_invalid"] as const;
export type KitErrorCode = (typeof kitErrorCodes)[number];

export class KitError extends CodedError<KitErrorCode> {}
