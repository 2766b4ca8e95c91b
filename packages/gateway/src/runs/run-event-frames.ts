import type { TurnId } from "@deputy/kit";
import { type EventLog, projectStreamEvents, type StreamEvent } from "@deputy/protocol";
import { groupFrame } from "../event-frame.ts";
import type { EventFrames } from "../route.ts";
import type { FoundRun } from "./run-index.ts";

/** A run's StreamEvents as server-sent events, from the log and then live, through its end. Deltas have no cursor. */
export function runEventFrames(log: EventLog, runId: TurnId, run: FoundRun, after: number): EventFrames {
  return async function* frames(signal) {
    if (run.endSeq !== undefined && after >= run.endSeq) return;
    for await (const item of log.subscribe(run.stream, { after }, signal)) {
      const { turnId } = item.kind === "delta" ? item.delta : item.event;
      if (turnId !== runId) continue;
      const projected = projectStreamEvents(item);
      if (projected.length === 0) continue;
      yield groupFrame(projected, item.kind === "delta" ? undefined : item.event.seq);
      if (projected.some(isEnd)) return;
    }
  };
}

function isEnd({ payload }: StreamEvent): boolean {
  return payload.type === "response_done" || payload.type === "response_error";
}
