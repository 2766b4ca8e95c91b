import { CodedError } from "@deputy/kit";

export const clientErrorCodes = [
  "daemon_refused",
  "daemon_gone",
  "not_found",
  "already_decided",
  "unknown_stream",
  "usage",
] as const;
export type ClientErrorCode = (typeof clientErrorCodes)[number];

export class ClientError extends CodedError<ClientErrorCode> {}
