import { Readable } from "node:stream";
import type { Clock } from "@deputy/kit";
import type { FastifyReply } from "fastify";
import { frameOf } from "./event-frame.ts";
import { sendEventStream, type Telling } from "./event-stream.ts";
import type { FeedTails } from "./feeds/feed-tails.ts";
import { followFeed } from "./feeds/follow-feed.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { Answer, Caller, EventFrames } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

const LOOK_MS = 1_000;

/** Puts a handler's answer on the wire; of a stream, resolves at its end. Rejects with `too_many_streams`. */
export type AnswerSender = (answer: Answer, caller: Caller | undefined, reply: FastifyReply) => Promise<void>;

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
    reply: FastifyReply,
    headers?: Readonly<Record<string, string>>,
  ): Promise<void> => {
    reply.hijack();
    const stillAllowed = (): boolean => caller?.stillValid() ?? true;
    const revoked = new AbortController();
    const forget = rights.add({ stillAllowed, lapsed: () => revoked.abort() });
    try {
      await sendEventStream(
        { clock: deps.clock, ...deps.limits },
        reply.raw,
        { tell, stillAllowed, headers },
        AbortSignal.any([deps.stopping, revoked.signal]),
      );
    } catch (error) {
      deps.onBug(error);
    } finally {
      forget();
    }
  };

  return async (answer, caller, reply) => {
    switch (answer.kind) {
      case "json":
        await reply.code(answer.status).type("application/json").send(JSON.stringify(answer.body));
        return;
      case "reply":
        // Without a body there is no type of one either.
        await reply
          .code(answer.status)
          .headers(answer.headers)
          .send(answer.body === "" ? undefined : answer.body);
        return;
      case "file":
        await reply.headers(securityHeaders("page")).type(answer.contentType).send(answer.body);
        return;
      case "download":
        // Never a type that a browser would show: what others have sent is only ever saved.
        await reply
          .headers({
            "content-type": "application/octet-stream",
            "content-disposition": "attachment",
            "content-length": String(answer.size),
          })
          .send(Readable.from(answer.chunks, { objectMode: false }));
        return;
      case "event_stream":
        await deps.streams.hold(() => sendStream(tellFrames(answer.frames), caller, reply, answer.headers));
        return;
      case "event_feed":
        await deps.streams.hold(() =>
          sendStream((client, signal) => followFeed(deps.tails, answer, client, signal), caller, reply),
        );
    }
  };
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

/** Looks every second whether those who follow streams still may: a silent one would not notice by itself. */
interface RightsWatch {
  /** `lapsed` is called at most once a second from then on, until what is returned has been called. */
  add(watched: { readonly stillAllowed: () => boolean; readonly lapsed: () => void }): () => void;
}

/** One wait for all of them, and none while there are none. */
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
