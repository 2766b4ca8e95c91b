import type { TurnId } from "@deputy/kit";
import { type EventLog, projectStreamEvents, type StreamEvent } from "@deputy/protocol";
import { groupFrame } from "../event-frame.ts";
import type { FoundRun } from "../runs/run-index.ts";
import type { FrameFeed } from "./frame-feed.ts";

/** A run's StreamEvents, through its end. Deltas have no cursor. */
export function runFeed(log: EventLog, runId: TurnId, { stream, endSeq }: FoundRun): FrameFeed {
  return {
    key: `run ${runId}`,
    transient: "deltas",
    isOver: async (after) => endSeq !== undefined && after >= endSeq,
    head: async () => (await log.head(stream))?.seq ?? 0,
    async *read(after, signal) {
      for await (const item of log.subscribe(stream, { after }, signal)) {
        const seq = item.kind === "delta" ? undefined : item.event.seq;
        const { turnId } = item.kind === "delta" ? item.delta : item.event;
        const projected = turnId === runId ? projectStreamEvents(item) : [];
        const isEnd = projected.some(endsRun);
        yield { seq, text: projected.length === 0 ? "" : groupFrame(projected, seq), isEnd };
        if (isEnd) return;
      }
    },
  };
}

function endsRun({ payload }: StreamEvent): boolean {
  return payload.type === "response_done" || payload.type === "response_error";
}
