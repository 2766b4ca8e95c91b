import { findOpenTurn, readOpenTurns, SuspendRequest, type Turn } from "@deputy/agent";
import type { SessionEntry } from "@deputy/agent/sessions";
import { type EventLog, readEvent } from "@deputy/protocol";
import type { Engine } from "./engine.ts";

/** Goes on, in the background, with the turns of conversations that an earlier process left without an end. */
export async function goOnWithTurns(
  engine: Engine,
  warn: (text: string) => void,
): Promise<{ suspend(): Promise<void> }> {
  const stop = new AbortController();
  const ofTasks = new Set((await engine.tasks.list()).map(({ stream }) => stream));
  const open = await readOpenTurns(engine.log, ofTasks);
  const work = open.map((turn) =>
    engine.turns.run(turn, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted)
        warn(`A turn of ${turn.sessionKey} broke off: ${error instanceof Error ? error.message : "unknown"}`);
    }),
  );
  return {
    async suspend() {
      stop.abort(new SuspendRequest());
      await Promise.all(work);
    },
  };
}

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
