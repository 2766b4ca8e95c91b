import type { TurnId } from "@deputy/kit";
import type { EventLog, Response, StreamId } from "@deputy/protocol";
import { createResponseReducer, projectStreamEvents } from "@deputy/protocol/projections";

/** A run as its session's log has it; undefined if nothing of it is there. Rejects as the log does. */
export async function readResponse(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  runId: TurnId,
): Promise<Response | undefined> {
  const run = createResponseReducer(runId);
  for await (const event of log.read(stream))
    if (event.turnId === runId)
      for (const one of projectStreamEvents({ kind: "event", event })) run.apply(one);
  return run.response();
}
