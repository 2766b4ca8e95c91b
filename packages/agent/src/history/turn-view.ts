import { idTimeMs } from "@deputy/kit";
import { type CanonicalEvent, type EventLog, type EventOf, readEvent, type StreamId } from "@deputy/protocol";
import type { Turn } from "../turn/turn.ts";

/** Events that are read at a time, from a session's end towards its beginning. */
const PAGE_EVENTS = 256;
/** A session's task is among the first: it is created with it. */
const OPENING_EVENTS = 20;
const OF_A_TURN: ReadonlySet<string> = new Set([
  "turn.started",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
]);

export interface TurnViewLog extends Pick<EventLog, "read"> {
  /** The head as the event log gives it; only `seq` is used. */
  head(stream: StreamId): Promise<{ readonly seq: number } | undefined>;
}

/**
 * The events of a session that a turn depends on, and no others, so the cost does not grow with the session.
 * `history`: the events a prompt is built from, which are those from the last compaction on, the messages kept from
 * before it, the session's task, and the turn's own events. `turn`: the turn's own events, and all events between
 * them. Prompts, states and compactions built from these are the same as from all events.
 */
export function createTurnView(
  log: TurnViewLog,
  turn: Turn,
  scope: "history" | "turn",
  pageEvents = PAGE_EVENTS,
): StreamView {
  const events: CanonicalEvent[] = [];
  let after: number | undefined;
  return {
    async current() {
      if (after === undefined) {
        const end = (await log.head(turn.stream))?.seq ?? 0;
        events.push(...(await readBack(log, turn, scope, { end, pageEvents })));
        after = end;
      }
      for await (const stored of log.read(turn.stream, { after })) {
        after = stored.seq;
        const read = readEvent(stored);
        if (read.kind === "known") events.push(read.event);
      }
      return events;
    },
    seq: () => after ?? 0,
  };
}

async function readBack(
  log: TurnViewLog,
  turn: Turn,
  scope: "history" | "turn",
  { end, pageEvents }: { readonly end: number; readonly pageEvents: number },
): Promise<readonly CanonicalEvent[]> {
  /** The last first. */
  const pages: CanonicalEvent[][] = [];
  const wanted = createWanted(turn, scope);
  let before = end;
  while (before > 0 && !wanted.isComplete(before)) {
    const from = Math.max(0, before - pageEvents);
    const page = await readRange(log, turn, from, before);
    for (const event of page.toReversed()) wanted.see(event);
    pages.push(page);
    before = from;
  }
  const window = pages.toReversed().flat();
  if (before === 0 || scope === "turn") return window;
  return [...(await readEarlier(log, turn, before, wanted.keptSeqs())), ...window];
}

/** Gets events from the last to the first, and says when it has enough. */
function createWanted({ turnId }: Turn, scope: "history" | "turn") {
  const turnSinceMs = idTimeMs(turnId);
  let compacted: EventOf<"session.compacted"> | undefined;
  let isImported = false;
  let hasTurnStart = false;
  let isBeforeTurn = false;
  return {
    see(event: CanonicalEvent): void {
      if (event.turnId === turnId && event.type === "turn.started") hasTurnStart = true;
      // A session has one turn at a time; and a clock that was set back makes its own events look older than it.
      const isOfOther = event.turnId !== turnId && OF_A_TURN.has(event.type);
      if (isOfOther && Date.parse(event.at) <= turnSinceMs) isBeforeTurn = true;
      if (event.type === "session.imported" && compacted === undefined) isImported = true;
      if (event.type === "session.compacted") compacted ??= event;
    },
    /** True when no event up to `seq` is needed. */
    isComplete(seq: number): boolean {
      const isWithinTurn = compacted?.turnId === turnId;
      const hasTurn = hasTurnStart || (isBeforeTurn && !isWithinTurn);
      if (scope === "turn" || !hasTurn) return hasTurn;
      // The labels in an imported file may be false, and old files have none.
      if (compacted?.data.labels === undefined || isImported) return false;
      return seq <= Math.min(compacted.data.throughSeq, compacted.seq);
    },
    keptSeqs: (): readonly number[] => compacted?.data.keptSeqs ?? [],
  };
}

/** From before the window: the session's task, and messages that are still shown word for word. */
async function readEarlier(
  log: TurnViewLog,
  turn: Turn,
  through: number,
  keptSeqs: readonly number[],
): Promise<readonly CanonicalEvent[]> {
  const opening = await readRange(log, turn, 0, Math.min(OPENING_EVENTS, through));
  const task = opening.find(({ type }) => type === "task.created");
  const earlier = task === undefined ? [] : [task];
  for (const seq of [...new Set(keptSeqs)].toSorted((a, b) => a - b)) {
    if (seq < 1 || seq > through || seq === task?.seq) continue;
    earlier.push(...(await readRange(log, turn, seq - 1, seq)));
  }
  return earlier.toSorted((a, b) => a.seq - b.seq);
}

async function readRange(
  log: TurnViewLog,
  { stream }: Turn,
  after: number,
  through: number,
): Promise<CanonicalEvent[]> {
  const events: CanonicalEvent[] = [];
  for await (const stored of log.read(stream, { after, limit: through - after })) {
    const read = readEvent(stored);
    if (read.kind === "known") events.push(read.event);
  }
  return events;
}

/** The events of one stream as they are known so far; those of newer versions are passed over. */
export interface StreamView {
  /** All events up to now. What was read once is not read again. */
  current(): Promise<readonly CanonicalEvent[]>;
  /** The last event that was read, of any type. */
  seq(): number;
}

export function createStreamView(log: Pick<EventLog, "read">, stream: StreamId): StreamView {
  const events: CanonicalEvent[] = [];
  let after = 0;
  return {
    async current() {
      for await (const stored of log.read(stream, { after })) {
        after = stored.seq;
        const read = readEvent(stored);
        if (read.kind === "known") events.push(read.event);
      }
      return events;
    },
    seq: () => after,
  };
}
