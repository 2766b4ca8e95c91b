import type { CallId } from "@deputy/kit";
import type { CallCount } from "@deputy/policy";
import type { StreamId } from "@deputy/protocol";

/** A call that counts. */
export interface CountedCall {
  readonly toolPath: string;
  readonly stream: StreamId;
  readonly turnId: string | undefined;
  /** When it was made. */
  readonly day: string;
}

/** Counts calls by turn, by session and by day. A call counts once, even if it is reported several times. */
export interface CallTally {
  add(callId: CallId, call: CountedCall): void;
  remove(callId: CallId): void;
  /** Counts of every tool that was called in that session or on that day. */
  counts(place: Omit<CountedCall, "toolPath">): readonly CallCount[];
}

type CallsByTool = Map<string, number>;

export function createCallTally(): CallTally {
  const known = new Map<CallId, CountedCall>();
  const turns = new Map<string | undefined, CallsByTool>();
  const sessions = new Map<StreamId, CallsByTool>();
  const days = new Map<string, CallsByTool>();

  const change = ({ toolPath, stream, turnId, day }: CountedCall, by: number): void => {
    changeIn(turns, turnId, toolPath, by);
    changeIn(sessions, stream, toolPath, by);
    changeIn(days, day, toolPath, by);
  };

  return {
    add(callId, call) {
      if (known.has(callId)) return;
      known.set(callId, call);
      change(call, 1);
    },
    remove(callId) {
      const call = known.get(callId);
      if (call === undefined) return;
      known.delete(callId);
      change(call, -1);
    },
    counts({ stream, turnId, day }) {
      const [turn, session, today] = [turns.get(turnId), sessions.get(stream), days.get(day)];
      const paths = new Set([...(session?.keys() ?? []), ...(today?.keys() ?? [])]);
      return [...paths].map((toolPath) => ({
        toolPath,
        turn: turn?.get(toolPath) ?? 0,
        session: session?.get(toolPath) ?? 0,
        day: today?.get(toolPath) ?? 0,
      }));
    },
  };
}

function changeIn<Key>(all: Map<Key, CallsByTool>, key: Key, toolPath: string, by: number): void {
  const calls = all.get(key) ?? new Map<string, number>();
  all.set(key, calls);
  calls.set(toolPath, (calls.get(toolPath) ?? 0) + by);
}

/** The counts as they would be if these calls had been made as well, here and now. */
export function plusCalls(
  counts: readonly CallCount[],
  called: ReadonlyMap<string, number>,
): readonly CallCount[] {
  const more = [...called].map(([toolPath, n]) => ({ toolPath, turn: n, session: n, day: n }));
  return [...counts, ...more];
}
