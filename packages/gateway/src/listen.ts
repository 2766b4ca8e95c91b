import { once } from "node:events";
import { isIPv6, type Server } from "node:net";
import { systemCodeOf } from "@deputy/kit";
import { GatewayError } from "./gateway-error.ts";

/** Binds the server. Rejects as `Gateway.listen` does. */
export async function listenOn(
  server: Server,
  where: { readonly host: string; readonly port: number; readonly allowRemote?: boolean },
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly host: string; readonly port: number }> {
  // One address instead of the two that `localhost` may stand for, so that port 0 means one port.
  const host = where.host === "localhost" ? "127.0.0.1" : where.host;
  if (!isLoopback(host) && where.allowRemote !== true) {
    throw new GatewayError("not_loopback", `${host} can be reached from other machines`, {
      hint: "Use 127.0.0.1. To reach it from another machine, use a tunnel or a proxy of your own",
    });
  }
  signal.throwIfAborted();
  try {
    server.listen({ host, port: where.port });
    await once(server, "listening");
  } catch (cause) {
    throw listenError(cause, host, where.port);
  }
  if (signal.aborted) {
    server.close();
    signal.throwIfAborted();
  }
  const port = boundPort(server);
  const shown = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return { url: `http://${isIPv6(shown) ? `[${shown}]` : shown}:${port}`, host, port };
}

function isLoopback(host: string): boolean {
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) || host === "::1";
}

function boundPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

function listenError(cause: unknown, host: string, port: number): GatewayError {
  const code = systemCodeOf(cause) ?? "unknown";
  if (code === "EADDRINUSE") {
    return new GatewayError("port_in_use", `Port ${port} on ${host} is already in use`, {
      cause,
      hint: "Deputy may already be running. If not, choose another port with DEPUTY_PORT",
    });
  }
  return new GatewayError("cannot_listen", `Cannot listen on ${host}, port ${port} (${code})`, {
    cause,
    hint: "Check DEPUTY_HOST and DEPUTY_PORT",
  });
}
