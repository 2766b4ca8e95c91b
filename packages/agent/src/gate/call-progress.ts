import type { CallId } from "@deputy/kit";
import type { Redactor } from "@deputy/policy/secrets";
import type { EventLog, NewEvent } from "@deputy/protocol";
import type { CallRequest } from "./call-request.ts";

/** What a running tool says of itself, as events of its session. */
export interface CallProgress {
  tell(message: string): void;
  /** Tells what was held back, since it might have been the beginning of a secret. */
  end(): void;
}

export function createCallProgress(
  deps: { readonly log: Pick<EventLog, "append">; readonly redactor: Pick<Redactor, "pieces"> },
  callId: CallId,
  { stream, turnId, toolPath }: Pick<CallRequest, "stream" | "turnId" | "toolPath">,
): CallProgress {
  const pieces = deps.redactor.pieces();
  const append = (messages: readonly string[]): void => {
    const events = messages.map((message): NewEvent => ({
      type: "call.progress",
      turnId,
      data: { callId, toolPath, message },
    }));
    // Progress is a courtesy: a log that fails says so where it matters.
    if (events.length > 0) deps.log.append(stream, events, { durability: "relaxed" }).catch(() => undefined);
  };
  return { tell: (message) => append(pieces.push(message)), end: () => append(pieces.end()) };
}
