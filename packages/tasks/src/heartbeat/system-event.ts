import type { SessionId } from "@deputy/kit";
import type { EventData, NewEvent } from "@deputy/protocol";

/** Something that an agent should learn soon; it waits in the log for a heartbeat. */
export type SystemEvent = EventData<"system.noted">;

/**
 * At most this many events wait for each session, and as many that belong to no session. The oldest beyond that are
 * dropped, and the agent gets a note about it.
 */
export const MOST_WAITING = 20;

/** A background command of a session has ended. Comes before the note about it. */
export function processEnded(event: {
  readonly ref: string;
  readonly session: SessionId;
  readonly text: string;
}): NewEvent {
  return { type: "system.noted", data: { source: "exec", ...event } };
}
