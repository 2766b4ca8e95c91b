import { createApprovalsReader } from "@deputy/agent/readers";
import type { Clock } from "@deputy/kit";
import { type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";
import { describeSuspect } from "./describe-suspect.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/**
 * Checks for a waiting call that may have crashed Deputy. Only reads. Another check reports a log that cannot
 * be read.
 */
export async function checkCalls(directory: string, clock: Clock): Promise<Finding> {
  const found = await readSuspects(directory, clock).catch(() => []);
  const [first] = found;
  if (first === undefined) return ok("calls", "No call is suspected of having stopped Deputy.");
  const more = found.length > 1 ? ` There are ${found.length - 1} more.` : "";
  return wrong(
    "calls",
    `${describeSuspect(first)}${more}`,
    `Check what ${first.toolPath} does, fix or remove it, then run \`deputy approvals deny ${first.id}\` (or approve, to run it again).`,
  );
}

async function readSuspects(directory: string, clock: Clock) {
  await using log = openSqliteReader({ directory });
  const pending = await createApprovalsReader({ log, clock }).pending();
  const found = [];
  for (const { id, toolPath, stream, deaths } of pending)
    if (deaths !== undefined)
      found.push({ id, toolPath, stream, deaths, sessionKey: await keyOf(log, stream) });
  return found;
}

/** A task's session has a key that names the task. */
async function keyOf(log: Pick<EventLog, "read">, stream: StreamId): Promise<string> {
  for await (const stored of log.read(stream, { limit: 1 })) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") return read.event.data.key;
  }
  return stream;
}
