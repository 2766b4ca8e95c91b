import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type Clock, openTaskGroup } from "@deputy/kit";
import type { EventFrames } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

/**
 * Writes server-sent events until the frames end, the client leaves, the caller's right lapses or
 * the signal aborts; the response is then over. Holds at most one frame beyond the socket's own
 * buffer, however slow the reader. Throws what `frames` throws, after cutting the connection, so
 * that the client sees a broken stream and not a finished one.
 */
export async function sendEventStream(
  deps: { readonly clock: Clock; readonly heartbeatMs: number; readonly stallMs: number },
  response: ServerResponse,
  stream: { readonly frames: EventFrames; readonly stillAllowed: () => boolean },
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
    "content-type": "text/event-stream; charset=utf-8",
    connection: "close",
  });
  response.flushHeaders();

  group.spawn(async (alive) => {
    for (;;) {
      await deps.clock.sleep(deps.heartbeatMs, alive);
      if (!stream.stillAllowed()) leave();
      else if (!response.writableNeedDrain) response.write(": heartbeat\n\n");
    }
  });
  try {
    for await (const frame of stream.frames(group.signal)) {
      if (!stream.stillAllowed()) break;
      if (!response.write(frame)) await drained(deps, response, group.signal);
    }
    // What a stalled reader never takes would keep its connection open for good.
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Resolves when the reader has caught up or is given up on; resolves on abort too. */
async function drained(
  deps: { readonly clock: Clock; readonly stallMs: number },
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const decided = new AbortController();
  const waiting = AbortSignal.any([signal, decided.signal]);
  const giveUp = async (): Promise<void> => {
    await deps.clock.sleep(deps.stallMs, waiting);
    response.destroy();
  };
  try {
    await Promise.race([once(response, "drain", { signal: waiting }), giveUp()]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    decided.abort();
  }
}
