import type { TurnId } from "@deputy/kit";
import type { EventLog, StreamEvent } from "@deputy/protocol";
import { projectStreamEvents } from "@deputy/protocol/projections";
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
      const open = new Set<string>();
      for await (const item of log.subscribe(stream, { after }, signal)) {
        const seq = item.kind === "delta" ? undefined : item.event.seq;
        const { turnId } = item.kind === "delta" ? item.delta : item.event;
        const projected = turnId === runId ? projectStreamEvents(item) : [];
        for (const { payload } of projected) note(open, payload);
        const isEnd = projected.some(endsRun);
        const text = projected.length === 0 ? "" : groupFrame(projected, seq);
        yield { seq, text, isEnd, isSettled: open.size === 0 };
        if (isEnd) return;
      }
    },
  };
}

/** Keeps the items that are being written. */
function note(open: Set<string>, payload: StreamEvent["payload"]): void {
  if (payload.type === "item_delta") open.add(payload.item_id);
  if (payload.type === "item_done") open.delete(payload.item_id);
}

function endsRun({ payload }: StreamEvent): boolean {
  return payload.type === "response_done" || payload.type === "response_error";
}
