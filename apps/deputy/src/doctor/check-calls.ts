import { createApprovalsReader } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import type { StreamId } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";
import { type Finding, ok, wrong } from "./finding.ts";

/** A call that ran at more than one death of the process. */
export interface SuspectCall {
  readonly toolPath: string;
  readonly stream: StreamId;
  readonly sessionKey?: string;
  readonly deaths: number;
}

/** Which call, where, and what Deputy does about it. */
export function describeSuspect({ toolPath, stream, sessionKey, deaths }: SuspectCall): string {
  const where = sessionKey?.startsWith("task:") === true ? sessionKey.slice(5) : stream;
  return `Deputy died ${deaths} times while ${toolPath} ran (in ${where}). It is not run again unless you say so: \`deputy approvals\` lists the question.`;
}

/** Whether a call waits that Deputy may have died of. Reads only; a log that cannot be read is told by another check. */
export async function checkCalls(directory: string, clock: Clock): Promise<Finding> {
  const found = await readSuspects(directory, clock).catch(() => []);
  const [first] = found;
  if (first === undefined) return ok("calls", "None is suspected of having stopped Deputy.");
  const more = found.length > 1 ? ` There are ${found.length - 1} more.` : "";
  return wrong(
    "calls",
    `${describeSuspect(first)}${more}`,
    `See what ${first.toolPath} does, mend or remove it, then \`deputy approvals deny ${first.id}\` (or approve, to run it again).`,
  );
}

async function readSuspects(directory: string, clock: Clock) {
  await using log = openSqliteReader({ directory });
  const pending = await createApprovalsReader({ log, clock }).pending();
  return pending.flatMap(({ id, toolPath, stream, deaths }) =>
    deaths === undefined ? [] : [{ id, toolPath, stream, deaths }],
  );
}
