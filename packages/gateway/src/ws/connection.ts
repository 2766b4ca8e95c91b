import type { IncomingMessage } from "node:http";
import type { Clock } from "@deputy/kit";
import type { EventLog, Push } from "@deputy/protocol";
import {
  isRpcMethodName,
  type RpcId,
  type RpcMethod,
  rpcMethods,
  type RpcError,
  rpcErrorNumbers,
} from "@deputy/protocol/rpc";
import type { RawData, WebSocket } from "ws";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Verdict } from "../guards/authenticator.ts";
import type { Caller } from "../route.ts";
import { validate } from "../validate.ts";
import { closeCodes } from "./close-codes.ts";
import { createSocketWriter } from "./socket-writer.ts";
import { type Frame, readFrame } from "./read-frame.ts";
import type { RpcHandlers } from "./rpc-context.ts";
import { createStreamFeeds } from "./stream-feeds.ts";
import { problemOf } from "../problem.ts";

const numbers: Readonly<Record<string, number>> = {
  ...rpcErrorNumbers,
  unknown_method: rpcErrorNumbers.method_not_found,
};

export interface Connection {
  /** The client has not signed in yet. */
  isAnonymous(): boolean;
  /** Called about once a second, to check what expires. */
  tick(): void;
  /** The server stops. */
  goAway(): void;
  /** Closes at once, without a close frame. */
  cut(): void;
}

/** Serves one socket from its first frame to its end. Never throws. */
export function openConnection(deps: {
  readonly ws: WebSocket;
  readonly message: IncomingMessage;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly handlers: RpcHandlers;
  /** Judges a token that this connection presents. */
  readonly signIn: (token: string) => Verdict;
  readonly onBug: (error: unknown) => void;
}): Connection {
  const { ws, message, clock, limits } = deps;
  const { socket } = message;
  const gone = new AbortController();
  const startedMs = clock.monotonicMs();
  const waiting: Frame[] = [];
  let caller: Caller | undefined;
  let running = 0;
  let anonymousFrames = 0;
  let pings = { windowEndsMs: 0, count: 0 };
  let heardMs = startedMs;
  let pingedMs = startedMs;
  let validUntilMs = 0;

  const writer = createSocketWriter({ ws, socket, clock, limits, onRoom: () => serveWaiting() });

  /** Called so often that the answer is cached for a moment; a new token ends the connection. */
  const isAllowed = (): boolean => {
    if (caller === undefined || gone.signal.aborted) return false;
    const nowMs = clock.monotonicMs();
    if (nowMs < validUntilMs) return true;
    if (!caller.stillValid()) {
      ws.close(closeCodes.unauthorized, "The token is no longer the current one");
      gone.abort();
      return false;
    }
    validUntilMs = nowMs + limits.socketTokenCheckMs;
    return true;
  };

  const feeds = createStreamFeeds({
    log: deps.log,
    writer,
    maxStreams: limits.socketStreams,
    isAllowed,
    signal: gone.signal,
    onBroken: (error) => {
      deps.onBug(error);
      ws.close(closeCodes.internal, "Connect again and subscribe with `after`");
    },
  });

  const refuse = (to: Answered, error: unknown, what: "frame" | "request"): void => {
    const told = rpcErrorOf(error, what);
    if (told.data.code === "internal" && !gone.signal.aborted) deps.onBug(error);
    writer.send({ ...headOf(to), error: told });
  };

  const authenticate = (token: string): void => {
    if (caller !== undefined)
      return refuse(
        { id: null },
        new GatewayError("invalid_request", "This connection has already signed in"),
        "frame",
      );
    const verdict = deps.signIn(token);
    if (verdict.kind === "blocked")
      return ws.close(closeCodes.tooManyAttempts, "Too many wrong tokens came from this address");
    if (verdict.kind === "rejected")
      return ws.close(closeCodes.unauthorized, "The token is not the current one");
    caller = verdict.caller;
    socket.off("data", countAnonymousBytes);
    writer.send({ type: "auth", ok: true });
  };

  const answer = async (frame: Extract<Frame, { kind: "request" }>): Promise<void> => {
    const { method, params } = frame;
    let after: (() => void)[] | undefined;
    running += 1;
    try {
      if (!isRpcMethodName(method))
        throw new GatewayError("unknown_method", "There is no such method", {
          hint: "GET /openrpc.json lists them",
        });
      const wanted: RpcMethod = rpcMethods[method];
      if (caller === undefined && wanted.auth === "token")
        return ws.close(closeCodes.unauthorized, "The first frame must be auth");
      const context = {
        caller: caller ?? NOBODY,
        feeds,
        push: (push: Push) => {
          if (isAllowed()) writer.send(push);
        },
        signal: gone.signal,
        afterAnswer: (work: () => void) => void (after ??= []).push(work),
      };
      const handle = deps.handlers[method] as (params: unknown, context: unknown) => Promise<object>;
      const result = await handle(validate(wanted.params, params), context);
      writer.send({ ...headOf(frame), result });
      if (after !== undefined) for (const work of after) work();
    } catch (error) {
      refuse(frame, error, "request");
    } finally {
      running -= 1;
      if (waiting.length > 0) serveWaiting();
    }
  };

  const serve = (frame: Frame): void => {
    switch (frame.kind) {
      case "auth":
        return authenticate(frame.token);
      case "invalid":
        if (caller === undefined) return ws.close(closeCodes.unauthorized, "The first frame must be auth");
        return refuse(frame, new GatewayError(frame.code, frame.message), "frame");
      case "request":
        if (caller !== undefined && !isAllowed()) return;
        void answer(frame);
    }
  };

  /** A client that asks faster than it reads, or than it is answered, is paused for a while. */
  const hasRoom = (): boolean => running < limits.socketRequests && writer.hasRoom();
  const serveWaiting = (): void => {
    while (waiting.length > 0 && hasRoom()) {
      const frame = waiting.shift();
      if (frame !== undefined && ws.readyState === ws.OPEN) serve(frame);
    }
    if (waiting.length === 0 && ws.isPaused) ws.resume();
  };

  const receive = (data: RawData, isBinary: boolean): void => {
    heardMs = clock.monotonicMs();
    if (ws.readyState !== ws.OPEN) return;
    if (isBinary) return ws.close(closeCodes.notText, "Only text frames are accepted");
    if (caller === undefined && ++anonymousFrames > MOST_ANONYMOUS_FRAMES)
      return ws.close(closeCodes.unauthorized, "The first frame must be auth");
    const frame = readFrame((data as Buffer).toString("utf8"));
    if (waiting.length === 0 && hasRoom()) return serve(frame);
    waiting.push(frame);
    ws.pause();
  };

  /** Before signing in, no more is accepted than a sign-in needs. */
  let anonymousBytes = 0;
  function countAnonymousBytes(chunk: Buffer): void {
    anonymousBytes += chunk.length;
    if (anonymousBytes > MOST_ANONYMOUS_BYTES && caller === undefined) ws.terminate();
  }

  socket.on("data", countAnonymousBytes);
  ws.on("message", receive);
  ws.on("ping", (data) => {
    heardMs = clock.monotonicMs();
    if (heardMs >= pings.windowEndsMs) pings = { windowEndsMs: heardMs + PING_WINDOW_MS, count: 0 };
    pings.count += 1;
    if (pings.count > limits.socketPings) ws.close(closeCodes.policy, "Too many pings");
    else if (writer.hasRoom()) ws.pong(data);
  });
  ws.on("pong", () => {
    heardMs = clock.monotonicMs();
  });
  // The close that goes with it says what was wrong: too large, not UTF-8, not a frame.
  ws.on("error", () => undefined);
  ws.on("close", () => gone.abort(new GatewayError("shutting_down", "The connection has ended")));

  return {
    isAnonymous: () => caller === undefined,
    tick() {
      const nowMs = clock.monotonicMs();
      if (caller === undefined) {
        if (nowMs - startedMs >= limits.socketAuthMs) ws.close(closeCodes.authTimeout, "Nobody signed in");
        return;
      }
      if (!isAllowed() || nowMs - pingedMs < limits.socketPingMs) return;
      // A peer that was silent for two rounds is gone.
      if (nowMs - heardMs > 2 * limits.socketPingMs + PONG_GRACE_MS) return ws.terminate();
      pingedMs = nowMs;
      ws.ping();
    },
    goAway() {
      gone.abort(new GatewayError("shutting_down", "Try again in a moment"));
      ws.close(closeCodes.goingAway, "Deputy is stopping");
    },
    cut: () => ws.terminate(),
  };
}

/** What an answer is for; the frame that it answers has these. */
interface Answered {
  readonly id: RpcId | null;
  readonly jsonrpc?: "2.0";
}

function headOf({ id, jsonrpc }: Answered): Answered {
  return jsonrpc === undefined ? { id } : { jsonrpc, id };
}

const MOST_ANONYMOUS_FRAMES = 10;

const MOST_ANONYMOUS_BYTES = 16 * 1_024;

const PING_WINDOW_MS = 10_000;

const PONG_GRACE_MS = 5_000;

/** Health needs no sign-in. */
const NOBODY: Caller = {
  name: "nobody",
  isLocalProgram: false,
  isOnThisMachine: false,
  stillValid: () => false,
};

/**
 * The error that a client gets. As with a problem over HTTP, unexpected errors show no details. `what` could not be
 * served: the whole frame, or a request that could be parsed.
 */
function rpcErrorOf(error: unknown, what: "frame" | "request"): RpcError {
  const { code, title, detail = title, hint } = problemOf(error);
  const isParams = code === "invalid_request" && what === "request";
  return {
    code: isParams ? rpcErrorNumbers.invalid_params : (numbers[code] ?? rpcErrorNumbers.refused),
    message: detail,
    data: { code, ...(hint !== undefined && { hint }) },
  };
}
