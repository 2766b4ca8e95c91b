import type { IncomingMessage } from "node:http";

/** The peer of the socket; a proxy's headers are not trusted. */
export function remoteAddress(message: IncomingMessage): string {
  return (message.socket.remoteAddress ?? "unknown").replace(/^::ffff:/, "");
}
