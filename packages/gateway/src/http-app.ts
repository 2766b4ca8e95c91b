import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Clock } from "@deputy/kit";
import { createAnswerSender, setHeaders } from "./answer-sender.ts";
import { createFeedTails } from "./feeds/feed-tails.ts";
import { GatewayError, type RequestErrorCode } from "./gateway-error.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { BearerGuard } from "./guards/bearer-guard.ts";
import { queryOf } from "./guards/query-guard.ts";
import type { Guard } from "./guards/host-guard.ts";
import type { OriginGuard } from "./guards/origin-guard.ts";
import { remoteAddress } from "./guards/remote-address.ts";
import type { OpenStreams } from "./open-streams.ts";
import { problemFor, problemHeaders, problemOf } from "./problem.ts";
import { endWithProblem } from "./raw-answer.ts";
import { readBody } from "./read-body.ts";
import { ClientGone, createRouter, methodsOf, type OpenRequest, type Route } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { asksForSocket } from "./ws/upgrades.ts";

// A named import would also load the modules of `fetch`, which an idle daemon does not need.
const { createServer } = process.getBuiltinModule("node:http");

const codes: Readonly<Record<string, RequestErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

const LATE_CHECK_MS = 5_000;

/** Longer than proxies keep an idle connection, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 72_000;

/**
 * The routes on Node's own server. A request passes, in this order: the guards, the bearer check of its route, the
 * parser of its body, the handler. `stopping` ends open streams and refuses all later requests.
 */
export function createHttpApp(deps: {
  readonly routes: readonly Route[];
  readonly guards: readonly Guard[];
  readonly origins: Pick<OriginGuard, "corsHeaders" | "preflightHeaders">;
  readonly bearer: BearerGuard;
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly streams: OpenStreams;
  readonly stopping: AbortSignal;
  readonly onBug: (error: unknown) => void;
}): Server {
  const { routes, limits, stopping } = deps;
  const router = createRouter(routes);
  const send = createAnswerSender({ ...deps, tails: createFeedTails({ onFailure: deps.onBug }) });

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    setHeaders(response, securityHeaders("api"));
    setHeaders(response, deps.origins.corsHeaders(message));
    for (const guard of deps.guards) guard(message);
    const url = message.url ?? "/";
    const [pathname = "/"] = url.split("?", 1);
    const preflight = deps.origins.preflightHeaders(message, () => methodsOf(routes, pathname));
    if (preflight !== undefined) {
      setHeaders(response, preflight);
      response.writeHead(204).end();
      return;
    }
    const found = router(message.method ?? "", pathname);
    if (found === undefined) throw notFound(routes, pathname);
    if (stopping.aborted) {
      throw new GatewayError("shutting_down", "Try again in a moment", { headers: { connection: "close" } });
    }
    const { route, params } = found;
    const caller = route.auth === "bearer" ? await deps.bearer(message, route) : undefined;
    const { json, bytes, raw } = await readBody(route, message, {
      bodyBytes: ("bodyBytes" in route ? route.bodyBytes : undefined) ?? limits.bodyBytes,
    });
    const open: OpenRequest = {
      params,
      query: queryOf(url),
      body: json,
      bytes: bytes ?? Readable.from([]),
      lastEventId: message.headers["last-event-id"]?.toString(),
      headers: message.headers,
      from: remoteAddress(message),
      ends: answerSignal(response, stopping),
    };
    if (route.takes === "signed")
      await send(await route.handle({ ...open, message, raw: raw ?? Buffer.alloc(0) }), undefined, response);
    else if (route.auth !== "bearer") await send(await route.handle(open), undefined, response);
    else if (caller === undefined) throw new Error("A bearer route was reached without its check");
    else await send(await route.handle({ ...open, caller }), caller, response);
  };

  const refuse = (error: unknown, message: IncomingMessage, response: ServerResponse): void => {
    const problem = problemOf(error);
    // A client that left in the middle is not a bug.
    if (problem.code === "internal" && !response.destroyed) deps.onBug(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.statusCode = problem.status;
    setHeaders(response, problemHeaders(error));
    response.end(JSON.stringify(problemFor(message.url ?? "/", problem, error)));
  };

  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node looks for late requests only this often.
      connectionsCheckingInterval: Math.min(limits.requestMs, LATE_CHECK_MS),
      shouldUpgradeCallback: asksForSocket,
    },
    (message, response) => {
      answer(message, response).catch((error: unknown) => refuse(error, message, response));
    },
  );
  server.on("clientError", answerClientError);
  return server;
}

function notFound(routes: readonly Route[], pathname: string): GatewayError {
  const methods = methodsOf(routes, pathname);
  if (methods.length === 0) return new GatewayError("not_found", "There is no such route");
  return new GatewayError("method_not_allowed", `It accepts ${methods.join(" and ")}`, {
    headers: { allow: methods.join(", ") },
  });
}

/** Created on first use: most answers need none. */
function answerSignal(response: ServerResponse, stopping: AbortSignal): OpenRequest["ends"] {
  let signal: AbortSignal | undefined;
  return () => (signal ??= watch(response, stopping));
}

function watch(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const ends = new AbortController();
  const stop = (): void =>
    ends.abort(
      // Running work continues at the next start, so a retry would do it twice.
      new GatewayError("shutting_down", "Running work continues at the next start", {
        headers: { connection: "close", "x-should-retry": "false" },
      }),
    );
  const leave = (): void => {
    stopping.removeEventListener("abort", stop);
    if (!response.writableFinished) ends.abort(new ClientGone("The client has left"));
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener("abort", stop, { once: true });
  if (response.destroyed) leave();
  else response.once("close", leave);
  return ends.signal;
}

/** Answers what is not even an HTTP request, and ends the connection. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After other bytes, such as in the middle of a stream, an answer would be read as part of them.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = new GatewayError(codes[error.code ?? ""] ?? "invalid_request", "The request is incomplete");
  endWithProblem(socket, refusal);
}
