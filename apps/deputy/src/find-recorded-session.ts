import { createSessionReader } from "@deputy/agent/sessions";
import { makeVisible, parseId, type SessionId } from "@deputy/kit";
import { type EventLog, isSessionStream, readEvent } from "@deputy/protocol";
import { StoreError } from "@deputy/store/sqlite";
import { findSession } from "@deputy/client/sessions";

/** Finds a session by its id, its key, or the id of its task. Throws `unknown_stream`. */
export async function findRecordedSession(
  log: Pick<EventLog, "read" | "readAll" | "head">,
  name: string,
): Promise<SessionId> {
  const taskId = parseId("task", name);
  if (taskId === undefined) return (await findSession(createSessionReader(log), name)).id;
  for await (const { event: stored } of log.readAll({ types: ["task.created"] })) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.type !== "task.created") continue;
    const { data, stream } = read.event;
    if (data.taskId === taskId && isSessionStream(stream)) return stream;
  }
  throw new StoreError("unknown_stream", `There is no task ${makeVisible(name)}`, {
    hint: "`deputy sessions list` shows the sessions there are; tasks have theirs among them.",
  });
}
