import type { CallId, Clock, TurnId } from "@deputy/kit";
import type { CallCount } from "@deputy/policy";
import {
  type CallStatus,
  type CanonicalEvent,
  type EventLog,
  readEvent,
  type StreamId,
} from "@deputy/protocol";
import { createLogView } from "../views/log-view.ts";
import { localDay } from "@deputy/protocol/schedule";
import { copyOf } from "../sessions/event-copy.ts";
import { type CallTally, type CountedCall, createCallTally } from "./call-tally.ts";

/** How often tools were called, for budgets. State is the log's; what is on its way there counts already. */
export interface CallCounter {
  /**
   * Resolves once it is known what was called so far: in this session, and anywhere since the day began.
   * Reads the log for that once per session and day. Rejects as the log does.
   */
  of(place: { readonly stream: StreamId; readonly turnId: TurnId }): Promise<PlaceCounts>;
}

/** The counts as one turn sees them. */
export interface PlaceCounts {
  /** At this moment. */
  current(): readonly CallCount[];
  /** From here on this call counts. Idempotent. */
  begin(callId: CallId, toolPath: string): void;
  /** It is over; one that did not run does not count any more. */
  end(callId: CallId, status: CallStatus): void;
}

/** Counts of one day, and of the sessions that were asked about on that day. */
interface Knowledge {
  readonly day: string;
  readonly tally: CallTally;
  readonly sessions: Map<StreamId, Promise<void>>;
  /** True once all sessions with a turn on this day have been read. Later calls are counted from here on. */
  isWhole: boolean;
}

const TURNS = ["turn.started", "turn.completed", "turn.failed", "turn.aborted"] as const;

export function createCallCounter(deps: {
  readonly log: Pick<EventLog, "read" | "readAll">;
  readonly clock: Pick<Clock, "now">;
}): CallCounter {
  const { log, clock } = deps;
  /** Begun here: the log may not have them yet. */
  const open = new Map<CallId, CountedCall>();
  const today = (): string => localDay(clock.now());
  const knowNothing = (): Knowledge => ({
    day: today(),
    tally: createCallTally(),
    sessions: new Map(),
    isWhole: false,
  });
  let known = knowNothing();

  /** A turn that ended on an earlier day made no call since. */
  const fold = (byId: Map<string, OneTurn>, event: CanonicalEvent): void => {
    if (event.turnId === undefined || copyOf(event) !== undefined) return;
    const { stream, type, turnId } = event;
    if (type === "turn.started") byId.set(turnId, { stream, endedOn: undefined });
    else if (localDay(event.at) < today()) byId.delete(turnId);
    else byId.set(turnId, { stream, endedOn: localDay(event.at) });
  };
  const turns = createLogView(log, TURNS, new Map<string, OneTurn>(), fold, {
    name: "turns of today 1",
  });

  /** Drops yesterday's counts, so that they do not pile up. Sessions that are still in use are read again. */
  const knownToday = (): Knowledge => {
    if (known.day === today()) return known;
    known = knowNothing();
    for (const [callId, call] of open) known.tally.add(callId, { ...call, day: known.day });
    return known;
  };

  const readSession = (into: Knowledge, stream: StreamId): Promise<void> => {
    const reading = into.sessions.get(stream) ?? countIn(into.tally, stream);
    into.sessions.set(stream, reading);
    // One that failed is tried again.
    reading.catch(() => into.sessions.delete(stream));
    return reading;
  };

  const countIn = async (tally: CallTally, stream: StreamId): Promise<void> => {
    for await (const stored of log.read(stream)) {
      if (stored.type !== "call.started" && stored.type !== "call.settled") continue;
      const read = readEvent(stored);
      if (read.kind !== "known" || copyOf(read.event) !== undefined) continue;
      const { event } = read;
      if (event.type === "call.started") {
        const { callId, toolPath } = event.data;
        tally.add(callId, { toolPath, stream, turnId: event.turnId, day: localDay(event.at) });
      }
      // Stopped at the last moment, it did not run after all.
      if (event.type === "call.settled" && event.data.status === "denied") tally.remove(event.data.callId);
    }
  };

  const readDay = async (into: Knowledge): Promise<void> => {
    if (into.isWhole) return;
    const { state } = await turns.current();
    for (const [turnId, { stream, endedOn = into.day }] of state) {
      if (endedOn < into.day) state.delete(turnId);
      else await readSession(into, stream);
    }
    into.isWhole = true;
  };

  return {
    async of({ stream, turnId }) {
      const current = knownToday();
      await readSession(current, stream);
      await readDay(current);
      return {
        current: () => current.tally.counts({ stream, turnId, day: current.day }),
        begin(callId, toolPath) {
          const call = { toolPath, stream, turnId, day: current.day };
          open.set(callId, call);
          knownToday().tally.add(callId, call);
        },
        end(callId, status) {
          open.delete(callId);
          if (status === "denied") known.tally.remove(callId);
        },
      };
    },
  };
}

interface OneTurn {
  readonly stream: StreamId;
  readonly endedOn: string | undefined;
}
