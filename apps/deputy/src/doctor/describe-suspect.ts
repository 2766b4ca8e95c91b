import type { StreamId } from "@deputy/protocol";

/** A call that was running at more than one crash of the process. */
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
