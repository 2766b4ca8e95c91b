import type { LogItem } from "../log/event-log.ts";
import { projectStreamEvents } from "../projections/project-stream-events.ts";
import { createResponseReducer } from "../projections/response-reducer.ts";
import type { Response } from "../wire/response.ts";
import type { StreamEvent } from "../wire/stream-event.ts";

export const tell = (items: readonly LogItem[]): StreamEvent[] =>
  items.flatMap((item) => projectStreamEvents(item));

export function reduce(events: readonly StreamEvent[]): Response | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const reducer = createResponseReducer(first.run_id);
  for (const event of events) reducer.apply(event);
  return reducer.response();
}
