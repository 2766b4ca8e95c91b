import { CodedError } from "@deputy/kit";

export const modelErrorCodes = ["invalid_model_ref", "unknown_provider", "unknown_model"] as const;
export type ModelErrorCode = (typeof modelErrorCodes)[number];

export class ModelError extends CodedError<ModelErrorCode> {}
