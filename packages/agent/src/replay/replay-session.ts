import type { EventLog, Journal, StoredEvent, StreamId } from "@deputy/protocol";
import { readEvent } from "@deputy/protocol";
import { readTurns } from "./recorded-turn.ts";
import type { TurnReplay } from "./replay-report.ts";
import { replayTurn, type TurnReplayDeps } from "./replay-turn.ts";

export interface ReplayDeps extends Omit<TurnReplayDeps, "called" | "journal"> {
  readonly log: Pick<EventLog, "read"> & { readonly journal: Pick<Journal, "read"> };
}

/**
 * Runs every turn of a session again, or one of them, in order, and reports for each whether it went as recorded. No
 * tool runs, no model is asked, nothing is written. Throws as `replayTurn` rejects.
 */
export async function* replaySession(
  deps: ReplayDeps,
  stream: StreamId,
  options: { readonly turn?: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<TurnReplay> {
  const events = await Array.fromAsync(deps.log.read(stream));
  const called = calledIn(events);
  const session = { stream, key: keyOf(events), events };
  const all = { ...deps, called, journal: deps.log.journal };
  for (const turn of readTurns(events)) {
    if (options.turn !== undefined && options.turn !== turn.number) continue;
    yield await replayTurn(all, session, turn, signal);
  }
}

function calledIn(events: readonly StoredEvent[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const stored of events) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "call.requested") paths.add(read.event.data.toolPath);
  }
  return paths;
}

function keyOf(events: readonly StoredEvent[]): string {
  for (const stored of events) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "session.started") return read.event.data.key;
  }
  return "";
}
