import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Gives a way to end every connection that has no request under way. Node's own counts one that has
 * never sent anything as busy, and browsers open such connections in advance.
 */
export function trackIdleConnections(server: Server): { readonly closeIdle: () => void } {
  const open = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      busy.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
  });
  return {
    closeIdle() {
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}
