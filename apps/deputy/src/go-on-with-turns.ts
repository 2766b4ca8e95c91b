import { findOpenTurn, type Turn } from "@deputy/agent";
import type { SessionEntry } from "@deputy/agent/sessions";
import { type EventLog, readEvent } from "@deputy/protocol";

/** The turn that is to be gone on with before anything else is said in a session. */
export async function openTurnOf(log: EventLog, session: SessionEntry): Promise<Turn | undefined> {
  const { id: stream, agentId, key: sessionKey } = session;
  const events = (await Array.fromAsync(log.read(stream))).flatMap((stored) => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
  const turnId = findOpenTurn(events);
  return turnId === undefined ? undefined : { stream, turnId, agentId, sessionKey };
}
