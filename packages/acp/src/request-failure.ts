import { RequestError } from "@agentclientprotocol/sdk";
import { CodedError, isAbort } from "@deputy/kit";

const NOT_FOUND: ReadonlySet<string> = new Set(["unknown_stream", "not_found", "unknown_session"]);

/** What a client is told of a failure: what is safe to show, with what to do about it. A bug is told to `onBug`. */
export function toRequestError(error: unknown, onBug: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof CodedError) {
    const code = String(error.code);
    const told = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
    const message = error.hint === undefined ? told : `${told} ${error.hint}`;
    return new RequestError(NOT_FOUND.has(code) ? -32_002 : -32_603, message, { code });
  }
  if (isAbort(error)) return RequestError.requestCancelled();
  onBug(error);
  return new RequestError(-32_603, "Something went wrong inside Deputy.", { code: "internal" });
}
