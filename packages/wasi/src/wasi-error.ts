import { CodedError } from "@deputy/kit";

export const wasiErrorCodes = ["module_refused", "module_invalid"] as const;
export type WasiErrorCode = (typeof wasiErrorCodes)[number];

export class WasiError extends CodedError<WasiErrorCode> {}
