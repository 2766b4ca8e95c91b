import type { Clock } from "@deputy/kit";
import type { FastifyReply } from "fastify";
import { sendEventStream } from "./event-stream.ts";
import { GatewayError } from "./gateway-error.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { Answer, Caller, EventFrames } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";

/** Puts a handler's answer on the wire; of a stream, resolves at its end. Rejects with `too_many_streams`. */
export type AnswerSender = (answer: Answer, caller: Caller | undefined, reply: FastifyReply) => Promise<void>;

export function createAnswerSender(deps: {
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  /** Ends open streams. */
  readonly stopping: AbortSignal;
  /** Told why a stream broke; its client can only see that it did. */
  readonly onBug: (error: unknown) => void;
}): AnswerSender {
  const { limits } = deps;
  let openStreams = 0;

  const sendStream = async (
    frames: EventFrames,
    caller: Caller | undefined,
    reply: FastifyReply,
  ): Promise<void> => {
    if (openStreams >= limits.openStreams) {
      throw new GatewayError("too_many_streams", "Close another client and try again");
    }
    openStreams += 1;
    reply.hijack();
    const stillAllowed = (): boolean => caller?.stillValid() ?? true;
    try {
      await sendEventStream(
        { clock: deps.clock, ...limits },
        reply.raw,
        { frames, stillAllowed },
        deps.stopping,
      );
    } catch (error) {
      deps.onBug(error);
    } finally {
      openStreams -= 1;
    }
  };

  return async (answer, caller, reply) => {
    switch (answer.kind) {
      case "json":
        await reply.code(answer.status).type("application/json").send(JSON.stringify(answer.body));
        return;
      case "file":
        await reply.headers(securityHeaders("page")).type(answer.contentType).send(answer.body);
        return;
      case "event_stream":
        await sendStream(answer.frames, caller, reply);
    }
  };
}
