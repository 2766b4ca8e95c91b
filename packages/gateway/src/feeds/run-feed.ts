import type { TurnId } from "@deputy/kit";
import type { EventLog, StreamEvent } from "@deputy/protocol";
import { createRunTelling, endsRun, withResponse } from "@deputy/protocol/projections";
import { groupFrame } from "../event-frame.ts";
import { readResponse } from "../runs/read-response.ts";
import type { FoundRun } from "../runs/run-index.ts";
import type { FrameFeed } from "./frame-feed.ts";

/** A run's StreamEvents, through its end, which has the whole Response. Deltas have no cursor. */
export function runFeed(log: EventLog, runId: TurnId, { stream, endSeq }: FoundRun): FrameFeed {
  return {
    key: `run ${runId}`,
    transient: "deltas",
    isOver: async (after) => endSeq !== undefined && after >= endSeq,
    head: async () => (await log.head(stream))?.seq ?? 0,
    async *read(after, signal) {
      const told = createRunTelling(after === 0 ? "beginning" : "further_on");
      for await (const item of log.subscribe(stream, { after }, signal)) {
        const seq = item.kind === "delta" ? undefined : item.event.seq;
        const { turnId } = item.kind === "delta" ? item.delta : item.event;
        const due = turnId === runId ? told.add(item) : [];
        const isEnd = due.some(endsRun);
        const shown = isEnd ? await withAll(due) : due;
        yield {
          seq,
          text: shown.length === 0 ? "" : groupFrame(shown, seq),
          isEnd,
          isSettled: told.isSettled(),
        };
        if (isEnd) return;
      }
    },
  };

  async function withAll(due: readonly StreamEvent[]): Promise<readonly StreamEvent[]> {
    const response = await readResponse(log, stream, runId);
    return response === undefined ? due : due.map((event) => withResponse(event, response));
  }
}
