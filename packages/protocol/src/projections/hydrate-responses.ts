import type { TurnId } from "@deputy/kit";
import type { StoredEvent } from "../canonical-event.ts";
import { projectStreamEvents } from "./project-stream-events.ts";
import { createResponseReducer, type ResponseReducer } from "./response-reducer.ts";
import type { Response } from "../wire/response.ts";

/** A thread's history: one Response per run, in order of their first event. */
export function hydrateResponses(events: Iterable<StoredEvent>): Response[] {
  const runs = new Map<TurnId, ResponseReducer>();
  for (const event of events) {
    for (const streamEvent of projectStreamEvents({ kind: "event", event })) {
      const run = runs.get(streamEvent.run_id) ?? createResponseReducer(streamEvent.run_id);
      runs.set(streamEvent.run_id, run);
      run.apply(streamEvent);
    }
  }
  return [...runs.values()].flatMap((run) => run.response() ?? []);
}
