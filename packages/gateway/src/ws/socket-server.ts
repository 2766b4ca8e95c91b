import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@deputy/kit";
import { WebSocketServer } from "ws";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Verdict } from "../guards/authenticator.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createRpcHandlers, type RpcDeps } from "./methods/rpc-handlers.ts";

/** All sockets. It is loaded with the first one, so that a daemon without sockets does not need it. */
export interface SocketServer {
  /** How many there are, and how many of them have not signed in. */
  count(): { readonly all: number; readonly anonymous: number };
  /** Takes over a request that has passed every guard. */
  accept(message: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all; resolves once they are gone, cutting off those that do not answer. Never rejects. */
  close(): Promise<void>;
}

const TICK_MS = 1_000;
const GOODBYE_MS = 1_000;

export function createSocketServer(
  deps: RpcDeps & {
    readonly clock: Clock;
    readonly limits: GatewayLimits;
    readonly signIn: (token: string, message: IncomingMessage) => Verdict;
    readonly onBug: (error: unknown) => void;
  },
): SocketServer {
  const { clock, limits } = deps;
  const handlers = createRpcHandlers(deps);
  const connections = new Set<Connection>();
  const options = {
    noServer: true,
    clientTracking: false,
    autoPong: false,
    maxPayload: limits.bodyBytes,
    // With compression, the size of a frame would be hard to limit, and each connection would cost more.
    perMessageDeflate: false,
    maxFragments: MOST_FRAGMENTS,
    // How long a client may take to close after the server has said goodbye.
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(options);
  let ticking: AbortController | undefined;
  let emptied = Promise.withResolvers<void>();

  const tick = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(TICK_MS, signal);
      for (const connection of connections) connection.tick();
    }
  };
  const add = (connection: Connection): void => {
    connections.add(connection);
    if (ticking !== undefined) return;
    ticking = new AbortController();
    tick(ticking.signal).catch(() => undefined);
  };
  const remove = (connection: Connection): void => {
    connections.delete(connection);
    if (connections.size > 0) return;
    ticking?.abort();
    ticking = undefined;
    emptied.resolve();
  };

  return {
    count() {
      const anonymous = [...connections].filter((connection) => connection.isAnonymous()).length;
      return { all: connections.size, anonymous };
    },
    accept(message, socket, head) {
      server.handleUpgrade(message, socket, head, (ws) => {
        const signIn = (token: string): Verdict => deps.signIn(token, message);
        const connection = openConnection({ ...deps, ws, message, handlers, signIn });
        add(connection);
        ws.once("close", () => remove(connection));
      });
    },
    async close() {
      if (connections.size === 0) return;
      emptied = Promise.withResolvers<void>();
      for (const connection of connections) connection.goAway();
      const done = new AbortController();
      const tooLong = clock.sleep(GOODBYE_MS, done.signal).catch(() => undefined);
      await Promise.race([emptied.promise, tooLong]);
      done.abort();
      for (const connection of connections) connection.cut();
    },
  };
}

const MOST_FRAGMENTS = 1_000;
const CLOSE_TIMEOUT_MS = 5_000;
