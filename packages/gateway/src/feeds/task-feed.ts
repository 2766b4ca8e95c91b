import { type EventLog, projectTaskEvents, type StoredEvent, type Task } from "@deputy/protocol";
import { groupFrame } from "../event-frame.ts";
import type { FeedStep, FrameFeed } from "./frame-feed.ts";

/** A task's TaskEvents, through its `completed`. */
export function taskFeed(log: EventLog, { id, stream }: Pick<Task, "id" | "stream">): FrameFeed {
  return {
    key: `task ${id}`,
    transient: "none",
    async isOver(after) {
      if (after === 0) return false;
      for await (const event of log.read(stream)) {
        if (event.seq > after) return false;
        if (stepOf(event).isEnd) return true;
      }
      return false;
    },
    head: async () => (await log.head(stream))?.seq ?? 0,
    async *read(after, signal) {
      for await (const item of log.subscribe(stream, { after }, signal)) {
        if (item.kind === "delta") continue;
        const step = stepOf(item.event);
        yield step;
        if (step.isEnd) return;
      }
    },
  };
}

function stepOf(event: StoredEvent): FeedStep {
  const projected = projectTaskEvents(event);
  return {
    seq: event.seq,
    text: projected.length === 0 ? "" : groupFrame(projected, event.seq),
    isEnd: projected.some(({ type }) => type === "completed"),
    isSettled: true,
  };
}
