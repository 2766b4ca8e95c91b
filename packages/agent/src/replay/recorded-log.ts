import type { EventLog, NewEvent, StoredEvent } from "@deputy/protocol";
import { StopRequest, SuspendRequest } from "../turn/stop-request.ts";
import { type Difference, firstDifference, show } from "./divergence.ts";
import type { TurnViewLog } from "../history/turn-view.ts";
import { Parted } from "./parted.ts";
import type { RecordedAnswer } from "./recorded-answer.ts";
import { isLeadingType, isTurnEnd, type LeadingEvent } from "./recorded-turn.ts";

/**
 * A log in which everything is written already: what a turn appends is compared with what it appended
 * then, and a read gives as much as had happened. What the user said meanwhile appears where it did.
 */
export type RecordedLog = Pick<EventLog, "append" | "publish"> & TurnViewLog;

export function createRecordedLog(deps: {
  /** All events of the stream. */
  readonly events: readonly StoredEvent[];
  /** Those that the turn is going to write, in order. */
  readonly leading: readonly LeadingEvent[];
  readonly answers: readonly RecordedAnswer[];
  readonly onDifference: (recorded: LeadingEvent, difference: Difference) => void;
  /** Aborted where the turn was stopped, and with a suspension where its process ended. */
  readonly stop: AbortController;
}): RecordedLog {
  const { events, leading, answers, stop } = deps;
  let next = 0;
  let shown = (leading[0]?.seq ?? 1) - 1;

  const compare = (event: NewEvent): LeadingEvent => {
    const recorded = leading[next];
    if (recorded?.type !== event.type) {
      const seq = recorded?.seq ?? leading.at(-1)?.seq ?? 0;
      const expected = recorded?.type ?? "none";
      throw new Parted({ seq, what: "the next event", expected, came: `${event.type} ${show(event.data)}` });
    }
    const difference = firstDifference(event.type, comparable(recorded), comparable(event, recorded));
    if (difference !== undefined) deps.onDifference(recorded, difference);
    next += 1;
    return recorded;
  };

  /** The last event that the turn knew when it took its next step. */
  const horizon = (last: LeadingEvent): number => {
    const coming = leading[next];
    if (coming === undefined) return Infinity;
    // The turn did not see messages that came after its last answer.
    if (coming.type === "turn.completed") return last.seq;
    const answer = answers.find(({ said }) => said.includes(coming));
    return Math.max(last.seq, answer?.throughSeq ?? coming.seq - 1);
  };

  const stopWhereItDid = (last: LeadingEvent): void => {
    const coming = leading[next];
    if (coming?.type === "turn.aborted") stop.abort(new StopRequest(coming.data.by));
    if (coming === undefined ? !isTurnEnd(last) : isOfNextStart(coming)) stop.abort(new SuspendRequest());
  };

  return {
    async append(_stream, appended) {
      const written = appended.filter(({ type }) => isLeadingType(type)).map(compare);
      const last = written.at(-1);
      if (last === undefined) return [];
      shown = horizon(last);
      stopWhereItDid(last);
      return written;
    },
    publish: () => undefined,
    async *read(_stream, { after = 0, limit = Infinity } = {}) {
      let left = limit;
      for (const event of events)
        if (event.seq > after && event.seq <= shown && left-- > 0)
          yield OWNERSHIP.has(event.type) ? { ...event, type: "replay.ownership" } : event;
    },
    head: async () => events.findLast(({ seq }) => seq <= shown),
  };
}

/** A replay has one owner, even if several processes worked on the turn. */
const OWNERSHIP: ReadonlySet<string> = new Set(["turn.claimed", "turn.suspended"]);

/** Written by the process after the one that died. */
export function isOfNextStart(event: LeadingEvent): boolean {
  return event.type === "turn.failed" && event.data.code === "interrupted";
}

/** Leaves out what is new each time, and usage where the record has none. */
function comparable(event: NewEvent | LeadingEvent, recorded = event): unknown {
  const {
    itemId: _item,
    cost: _cost,
    owner: _owner,
    epoch: _epoch,
    usage,
    ...data
  } = event.data as Record<string, unknown>;
  return "usage" in recorded.data ? { ...data, usage } : data;
}
