import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Guard } from "../guards/host-guard.ts";
import { endWithProblem } from "../raw-answer.ts";
import type { SocketServer } from "./socket-server.ts";

/** The address for sockets. It is not a route and serves nothing else. */
export const SOCKET_ROUTE = { method: "GET", path: "/ws" } as const;

/** True if the request asks for a WebSocket. Requests for other protocols are ignored. */
export function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * The way from an HTTP request to a socket. A request passes the guards and the limits before the upgrade; a
 * refusal is answered over HTTP.
 */
export function acceptUpgrades(
  server: Server,
  deps: {
    readonly guards: readonly Guard[];
    readonly limits: GatewayLimits;
    /** Refuses what comes after it. */
    readonly stopping: AbortSignal;
    readonly load: () => Promise<SocketServer>;
    readonly onBug: (error: unknown) => void;
  },
): { close(): Promise<void> } {
  const { limits, stopping } = deps;
  let loading: Promise<SocketServer> | undefined;

  const assertAllowed = (message: IncomingMessage): void => {
    for (const guard of deps.guards) guard(message);
    const [path] = (message.url ?? "").split("?", 1);
    if (path !== SOCKET_ROUTE.path) throw new GatewayError("not_found", "There is no such route");
    if (stopping.aborted) throw new GatewayError("shutting_down", "Try again in a moment");
  };
  const assertRoom = (sockets: SocketServer): void => {
    const { all, anonymous } = sockets.count();
    if (all < limits.sockets && anonymous < limits.anonymousSockets) return;
    throw new GatewayError("too_many_connections", "Close another client and try again");
  };
  const accept = async (message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on("error", ignore);
    try {
      assertAllowed(message);
      const sockets = await (loading ??= deps.load());
      // It may have taken a moment.
      assertAllowed(message);
      assertRoom(sockets);
      socket.off("error", ignore);
      sockets.accept(message, socket, head);
    } catch (error) {
      if (!(error instanceof GatewayError)) deps.onBug(error);
      endWithProblem(socket, error);
    }
  };
  server.on("upgrade", (message, socket, head) => void accept(message, socket, head));

  return {
    async close() {
      await (await loading)?.close();
    },
  };
}

const ignore = (): void => undefined;
