import type { LogItem } from "../log/event-log.ts";
import type { Response } from "../wire/response.ts";
import type { StreamEvent } from "../wire/stream-event.ts";
import { projectStreamEvents } from "./project-stream-events.ts";

/** Tells a run's events in the order that clients expect: its start comes first, and each item starts once. */
export interface RunTelling {
  /** What is due with an item of the run's own. */
  add(item: LogItem): readonly StreamEvent[];
  /** True while nothing is being written. */
  isSettled(): boolean;
}

/** `further_on`: whoever reads has been told that the run started. */
export function createRunTelling(from: "beginning" | "further_on"): RunTelling {
  const started = new Set<string>();
  const open = new Set<string>();
  // What the user said is in the log before the run is.
  let held: StreamEvent[] | undefined = from === "beginning" ? [] : undefined;
  return {
    isSettled: () => open.size === 0,
    add(item) {
      const due = projectStreamEvents(item).filter(({ payload }) => {
        if (payload.type === "item_delta") open.add(payload.item_id);
        if (payload.type === "item_done") open.delete(payload.item_id);
        if (payload.type !== "item_start") return true;
        const isNew = !started.has(payload.item_id);
        started.add(payload.item_id);
        return isNew;
      });
      if (held === undefined) return due;
      if (item.kind === "event" && item.event.type === "user.message") {
        held.push(...due);
        return [];
      }
      const before = held;
      held = undefined;
      const isStart = due[0]?.payload.type === "response_start";
      return isStart ? [...due.slice(0, 1), ...before, ...due.slice(1)] : [...before, ...due];
    },
  };
}

export function endsRun({ payload }: StreamEvent): boolean {
  return payload.type === "response_done" || payload.type === "response_error";
}

/** The end of a run with all of it. */
export function withResponse(event: StreamEvent, response: Response): StreamEvent {
  if (event.payload.type !== "response_done") return event;
  return { ...event, payload: { ...event.payload, response } };
}
