import { CodedError } from "@deputy/kit";

export const embedderErrorCodes = [
  "model_missing",
  "model_corrupt",
  "embedder_failed",
  "download_failed",
  "download_corrupt",
] as const;
export type EmbedderErrorCode = (typeof embedderErrorCodes)[number];

export class EmbedderError extends CodedError<EmbedderErrorCode> {}
