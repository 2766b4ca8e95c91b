import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Socket } from "node:net";
import type { Clock } from "@deputy/kit";
import fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createAnswerSender } from "./answer-sender.ts";
import { createFeedTails } from "./feeds/feed-tails.ts";
import { GatewayError, type RequestErrorCode } from "./gateway-error.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { BearerGuard } from "./guards/bearer-guard.ts";
import { queryOf } from "./guards/query-guard.ts";
import type { Guard } from "./guards/host-guard.ts";
import type { OpenStreams } from "./open-streams.ts";
import { problemFor, problemHeaders, problemOf } from "./problem.ts";
import { type Caller, methodsOf, type OpenRequest, type Route, ClientGone } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { asksForSocket } from "./ws/upgrades.ts";
import { endWithProblem } from "./raw-answer.ts";

const codes: Readonly<Record<string, RequestErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

const LATE_CHECK_MS = 5_000;

/**
 * The routes on Fastify. A request passes, in this order: the guards, the bearer check of its route, the JSON parser,
 * the handler. `stopping` ends open streams and refuses all later requests.
 */
export function createHttpApp(deps: {
  readonly routes: readonly Route[];
  readonly guards: readonly Guard[];
  readonly bearer: BearerGuard;
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly streams: OpenStreams;
  readonly stopping: AbortSignal;
  readonly onBug: (error: unknown) => void;
}): FastifyInstance {
  const { routes, limits, stopping } = deps;
  const callers = new WeakMap<IncomingMessage, Caller>();

  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error);
    // A client that went away in the middle is no bug of ours.
    if (problem.code === "internal" && !reply.raw.destroyed) deps.onBug(error);
    // Bytes, since to a string Fastify would add a charset, which this media type has not.
    return reply
      .code(problem.status)
      .headers(problemHeaders(error))
      .send(Buffer.from(JSON.stringify(problemFor(request.url, problem, error))));
  };

  const app = fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    // Node looks for late requests only this often.
    http: {
      connectionsCheckingInterval: Math.min(limits.requestMs, LATE_CHECK_MS),
      shouldUpgradeCallback: asksForSocket,
    },
    clientErrorHandler: answerClientError,
    // Routes have no schemas of Fastify's: its checker and its serializer, 130 modules, are never loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) =>
      void refuse(error, request, reply.headers(securityHeaders("api"))),
  });
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  acceptOnlyJson(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(securityHeaders("api"));
    for (const guard of deps.guards) guard(request.raw);
    if (request.is404) throw notFound(routes, request);
    if (stopping.aborted) {
      throw new GatewayError("shutting_down", "Try again in a moment", { headers: { connection: "close" } });
    }
  });
  app.setNotFoundHandler((request) => {
    throw notFound(routes, request);
  });

  const send = createAnswerSender({ ...deps, tails: createFeedTails({ onFailure: deps.onBug }) });
  const serve = (on: FastifyInstance, route: Route): void => {
    on.route({
      method: route.method,
      url: route.path,
      onRequest: async (request) => {
        if (route.auth === "bearer") callers.set(request.raw, await deps.bearer(request.raw, route));
      },
      handler: async (request, reply) => {
        const open = openRequest(route, request, answerSignal(reply.raw, stopping));
        if (route.takes === "signed") {
          const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          return send(await route.handle({ ...open, message: request.raw, raw }), undefined, reply);
        }
        if (route.auth !== "bearer") return send(await route.handle(open), undefined, reply);
        const caller = callers.get(request.raw);
        if (caller === undefined) throw new Error("A bearer route was reached without its check");
        return send(await route.handle({ ...open, caller }), caller, reply);
      },
    });
  };
  for (const route of routes.filter(({ takes }) => takes === undefined)) serve(app, route);
  app.register(async (scope) => {
    acceptOnlyBytes(scope);
    for (const route of routes.filter(({ takes }) => takes === "bytes")) serve(scope, route);
  });
  app.register(async (scope) => {
    acceptAsItCame(scope);
    for (const route of routes.filter(({ takes }) => takes === "signed")) serve(scope, route);
  });
  return app;
}

function openRequest(route: Route, request: FastifyRequest, ends: OpenRequest["ends"]): OpenRequest {
  const takesBytes = route.takes === "bytes";
  const takesJson = route.takes === undefined;
  return {
    params: request.params as Record<string, string>,
    query: queryOf(request.url),
    body: takesJson ? request.body : undefined,
    bytes: takesBytes && request.body !== undefined ? request.raw : Readable.from([]),
    lastEventId: request.headers["last-event-id"]?.toString(),
    headers: request.headers,
    ends,
  };
}

function notFound(routes: readonly Route[], request: FastifyRequest): GatewayError {
  const [pathname = "/"] = request.url.split("?", 1);
  const methods = methodsOf(routes, pathname);
  if (methods.length === 0) return new GatewayError("not_found", "There is no such route");
  return new GatewayError("method_not_allowed", `It takes ${methods.join(" and ")}`, {
    headers: { allow: methods.join(", ") },
  });
}

/** Made when it is first asked for: most answers need none. */
function answerSignal(response: ServerResponse, stopping: AbortSignal): OpenRequest["ends"] {
  let signal: AbortSignal | undefined;
  return () => (signal ??= watch(response, stopping));
}

function watch(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const ends = new AbortController();
  const stop = (): void =>
    ends.abort(
      // Running work continues at the next start: asked again, it would be done twice.
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

/**
 * Bytes are the only body there is, and they are left to arrive as their reader takes them; how many there
 * may be is for the reader to say. No HTML form can send this type, and no other site without asking first.
 */
function acceptOnlyBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/octet-stream",
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    (_request, _payload, done) => done(null, true),
  );
}

/** Answers what is not even an HTTP request, and ends the connection. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After other bytes, say in the middle of a stream, an answer would be taken for a part of them.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const refusal = new GatewayError(codes[error.code ?? ""] ?? "invalid_request", "The request is incomplete");
  endWithProblem(socket, refusal);
}

/**
 * JSON is the only body there is: what an HTML form can send never reaches a handler. Keys that would
 * reach into prototypes are refused. An empty body is no body.
 */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) done(null);
    else void parse(request, String(body), done);
  });
}

/** Any body there is, whole and as it came, up to the limit of bodies: a signature covers its bytes. */
function acceptAsItCame(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

function noSchemas(): never {
  throw new Error("Routes check what they get by themselves: see validate.ts");
}
