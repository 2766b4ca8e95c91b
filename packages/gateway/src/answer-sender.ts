import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "@deputy/kit";
import { frameOf } from "./event-frame.ts";
import { sendEventStream, type Telling } from "./event-stream.ts";
import type { FeedTails } from "./feeds/feed-tails.ts";
import { followFeed } from "./feeds/follow-feed.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { Answer, Caller, EventFrames } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

const LOOK_MS = 1_000;

const JSON_TYPE = "application/json; charset=utf-8";

/** Sends a handler's answer; for a stream, resolves at its end. Rejects with `too_many_streams`. */
export type AnswerSender = (
  answer: Answer,
  caller: Caller | undefined,
  response: ServerResponse,
) => Promise<void>;

export function createAnswerSender(deps: {
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly streams: OpenStreams;
  readonly tails: FeedTails;
  /** Ends open streams. */
  readonly stopping: AbortSignal;
  /** Called with the reason why a stream broke; the client can only see that it did. */
  readonly onBug: (error: unknown) => void;
}): AnswerSender {
  const rights = createRightsWatch(deps);
  const sendStream = async (
    tell: Telling,
    caller: Caller | undefined,
    response: ServerResponse,
    headers?: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const stillAllowed = (): boolean => caller?.stillValid() ?? true;
    const revoked = new AbortController();
    const forget = rights.add({ stillAllowed, lapsed: () => revoked.abort() });
    try {
      await sendEventStream(
        { clock: deps.clock, ...deps.limits },
        response,
        { tell, stillAllowed, headers },
        AbortSignal.any([deps.stopping, revoked.signal]),
      );
    } catch (error) {
      deps.onBug(error);
    } finally {
      forget();
    }
  };

  return async (answer, caller, response) => {
    switch (answer.kind) {
      case "json":
        end(response, answer.status, { "content-type": JSON_TYPE }, JSON.stringify(answer.body));
        return;
      case "reply":
        end(response, answer.status, answer.headers, answer.body);
        return;
      case "file":
        end(
          response,
          200,
          { ...securityHeaders(answer.cache ?? "page"), "content-type": answer.contentType },
          answer.body,
        );
        return;
      case "download":
        // Never a type that a browser would show: content from others is only ever saved.
        setHeaders(response, {
          "content-type": "application/octet-stream",
          "content-disposition": "attachment",
          ...(answer.size === undefined ? {} : { "content-length": String(answer.size) }),
        });
        await pipeline(Readable.from(answer.chunks, { objectMode: false }), response);
        return;
      case "event_stream":
        await deps.streams.hold(() =>
          sendStream(tellFrames(answer.frames), caller, response, answer.headers),
        );
        return;
      case "event_feed":
        await deps.streams.hold(() =>
          sendStream((client, signal) => followFeed(deps.tails, answer, client, signal), caller, response),
        );
    }
  };
}

export function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function end(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  response.statusCode = status;
  setHeaders(response, headers);
  response.end(body);
}

/** Frames that are made for one client alone. */
function tellFrames(frames: EventFrames): Telling {
  return async (client, signal) => {
    for await (const frame of frames(signal)) {
      const answer = client.tell(frameOf(frame));
      if (answer === "over") return;
      if (answer === "behind") await client.caughtUp();
    }
  };
}

/**
 * Checks every second whether the followers of streams are still allowed: a silent stream would not notice by
 * itself.
 */
interface RightsWatch {
  /** Calls `lapsed` at most once a second from then on, until the returned function is called. */
  add(watched: { readonly stillAllowed: () => boolean; readonly lapsed: () => void }): () => void;
}

/** One timer for all of them, and none without any. */
function createRightsWatch({ clock }: { readonly clock: Clock }): RightsWatch {
  const all = new Set<Parameters<RightsWatch["add"]>[0]>();
  let watching: AbortController | undefined;

  const watch = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, signal);
      for (const { stillAllowed, lapsed } of all) if (!stillAllowed()) lapsed();
    }
  };

  return {
    add(watched) {
      all.add(watched);
      if (watching === undefined) {
        watching = new AbortController();
        // Ends with the last one; nothing else ends it.
        watch(watching.signal).catch(() => undefined);
      }
      return () => {
        all.delete(watched);
        if (all.size > 0) return;
        watching?.abort();
        watching = undefined;
      };
    },
  };
}
