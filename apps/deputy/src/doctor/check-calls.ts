import { createApprovalsReader } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import { type EventLog, readEvent, type StreamId } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";
import { type Finding, ok, wrong } from "./finding.ts";

/** A call that ran at more than one death of the process. */
export interface SuspectCall {
  readonly toolPath: string;
  readonly stream: StreamId;
  readonly sessionKey: string;
  readonly deaths: number;
}

/** Which call, where, and what Deputy does about it. */
export function describeSuspect({ toolPath, stream, sessionKey, deaths }: SuspectCall): string {
  const where = sessionKey.startsWith("task:") ? sessionKey.slice(5) : stream;
  return `Deputy died ${deaths} times while ${toolPath} ran (in ${where}). It is not run again unless you say so: \`deputy approvals\` lists the question.`;
}

/** Does a call wait that may have crashed Deputy? Only reads. Another check reports a log that cannot be read. */
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

/** A session's key says which task it is of. */
async function keyOf(log: Pick<EventLog, "read">, stream: StreamId): Promise<string> {
  for await (const stored of log.read(stream, { limit: 1 })) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") return read.event.data.key;
  }
  return stream;
}
