import type { ServerResponse } from "node:http";
import { type Clock, openTaskGroup } from "@deputy/kit";
import type { Frame } from "./event-frame.ts";
import type { Listener } from "./feeds/feed-tail.ts";
import { securityHeaders } from "./security-headers.ts";

/** The client of an event stream. */
export interface StreamClient extends Listener {
  /** Resolves when the client has read what waits for it or is given up on, and on abort. */
  caughtUp(): Promise<void>;
}

/** Sends everything to a client; returns when there is no more to send, or on abort. */
export type Telling = (client: StreamClient, signal: AbortSignal) => Promise<void>;

/**
 * Writes server-sent events until all are sent, the client leaves, the caller's right lapses or the signal aborts;
 * the response then ends. Holds at most one frame beyond the socket's own buffer, however slow the reader is. Throws
 * what `tell` throws, after cutting the connection, so that the client sees a broken stream and not a finished one.
 */
export async function sendEventStream(
  deps: { readonly clock: Clock; readonly heartbeatMs: number; readonly stallMs: number },
  response: ServerResponse,
  stream: {
    readonly tell: Telling;
    readonly stillAllowed: () => boolean;
    /** Besides those of every event stream. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
  },
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || response.destroyed) {
    response.destroy();
    return;
  }
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once("close", leave).once("error", leave);
  await using group = openTaskGroup(AbortSignal.any([signal, gone.signal]));
  response.writeHead(200, {
    ...securityHeaders("api"),
    ...stream.headers,
    "content-type": "text/event-stream; charset=utf-8",
    connection: "close",
  });
  response.flushHeaders();

  group.spawn(async (alive) => {
    for (;;) {
      await deps.clock.sleep(deps.heartbeatMs, alive);
      if (!stream.stillAllowed()) leave();
      else if (!isFull(response)) response.write(": heartbeat\n\n");
    }
  });
  const client: StreamClient = {
    tell(frame) {
      if (!stream.stillAllowed()) return "over";
      return write(response, frame) ? "taken" : "behind";
    },
    caughtUp: () => drained(deps, response, group.signal),
  };
  try {
    await stream.tell(client, group.signal);
    if (isFull(response)) await client.caughtUp();
    // Data that a stalled reader never takes would keep its connection open forever.
    if (isFull(response)) response.destroy();
    else response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/**
 * False when nothing more should be written for now. It bypasses the response, which would build each chunk again and
 * in pieces. It does not do so for clients that do not support chunks, nor before an earlier answer has been sent.
 */
function write(response: ServerResponse, { text, chunk }: Frame): boolean {
  const { socket } = response;
  return socket === null || !response.chunkedEncoding ? response.write(text) : socket.write(chunk);
}

function isFull({ writableNeedDrain, socket }: ServerResponse): boolean {
  return writableNeedDrain || socket?.writableNeedDrain === true;
}

/** Resolves when the reader has caught up or is given up on; resolves on abort too, which is how a broken connection ends. */
async function drained(
  deps: { readonly clock: Clock; readonly stallMs: number },
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const decided = new AbortController();
  const stop = (): void => decided.abort();
  const source = response.socket ?? response;
  source.once("drain", stop);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await deps.clock.sleep(deps.stallMs, decided.signal);
    response.destroy();
  } catch {
    // It has caught up, or is gone.
  } finally {
    source.off("drain", stop);
    signal.removeEventListener("abort", stop);
  }
}
