import type { IncomingMessage } from "node:http";

/** The peer of the socket; what a proxy claims in headers is not believed. */
export function remoteAddress(message: IncomingMessage): string {
  return (message.socket.remoteAddress ?? "unknown").replace(/^::ffff:/, "");
}
