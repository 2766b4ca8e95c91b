import type { Socket } from "node:net";
import { GatewayError, type RequestErrorCode } from "./gateway-error.ts";
import { endWithProblem } from "./raw-answer.ts";

const codes: Readonly<Record<string, RequestErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** Answers what is not even an HTTP request, and ends the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After other bytes, say in the middle of a stream, an answer would be taken for a part of them.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = new GatewayError(codes[error.code ?? ""] ?? "invalid_request", "The request is incomplete");
  endWithProblem(socket, refusal);
}
