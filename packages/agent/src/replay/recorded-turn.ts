import type { CellId, TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventOf, readEvent, type StoredEvent } from "@deputy/protocol";

/** The events that a turn itself writes, in this order. Events of its cells are not among them. */
const LEADING = [
  "turn.started",
  "assistant.reasoning",
  "assistant.message",
  "cell.submitted",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
] as const;
export type LeadingEvent = Extract<CanonicalEvent, { readonly type: (typeof LEADING)[number] }>;

export function isLeadingType(type: string): type is LeadingEvent["type"] {
  return LEADING.some((leading) => leading === type);
}

export function isTurnEnd({ type }: LeadingEvent): boolean {
  return type === "turn.completed" || type === "turn.failed" || type === "turn.aborted";
}

/** One turn as the log has it. */
export interface RecordedTurn {
  readonly turnId: TurnId;
  /** Among the turns of its session, from 1. */
  readonly number: number;
  readonly agentId: string;
  readonly model: string;
  readonly leading: readonly LeadingEvent[];
  readonly cells: readonly CellEvents[];
  /** Why its record is not enough to run it again. */
  readonly gap: string | undefined;
}

/** Everything the log has about one cell. */
export interface CellEvents {
  readonly submitted: EventOf<"cell.submitted">;
  readonly checked: EventOf<"cell.checked"> | undefined;
  readonly completed: EventOf<"cell.completed"> | undefined;
  readonly requested: readonly EventOf<"call.requested">[];
  readonly settled: readonly EventOf<"call.settled">[];
}

/** The turns of a stream, in the order they began. One that has not begun is not among them. */
export function readTurns(events: readonly StoredEvent[]): readonly RecordedTurn[] {
  const byTurn = Map.groupBy(events, ({ turnId }) => turnId);
  const begun = events.filter(({ type, turnId }) => type === "turn.started" && turnId !== undefined);
  return begun.map((started, n) => {
    const own = byTurn.get(started.turnId) ?? [];
    const reads = own.map(readEvent);
    const known = reads.flatMap((read) => (read.kind === "known" ? [asWritten(read.event)] : []));
    const { agentId, model } = known.find((event) => event.type === "turn.started")?.data ?? {
      agentId: "",
      model: "",
    };
    return {
      turnId: started.turnId as TurnId,
      number: n + 1,
      agentId,
      model,
      leading: known.filter((event): event is LeadingEvent => isLeadingType(event.type)),
      cells: readCells(known),
      gap: findGap(reads),
    };
  });
}

/** In a fork, events say what they are copies of. The original events did not. */
function asWritten(event: CanonicalEvent): CanonicalEvent {
  const { copyOf: _, ...data } = event.data as Record<string, unknown>;
  return { ...event, data } as CanonicalEvent;
}

/** A type of a newer version is passed over, as everywhere; a payload that is not there leaves a hole. */
function findGap(reads: readonly ReturnType<typeof readEvent>[]): string | undefined {
  for (const read of reads) {
    if (read.kind === "known" || read.why === "type") continue;
    const { seq, type } = read.event;
    return read.why === "erased"
      ? `event ${seq}, ${type}, was erased`
      : `event ${seq}, ${type}, is not one that this version can read`;
  }
  return undefined;
}

function readCells(events: readonly CanonicalEvent[]): readonly CellEvents[] {
  const ofCell = <T extends "cell.checked" | "cell.completed" | "call.requested" | "call.settled">(
    type: T,
    cellId: CellId,
  ): EventOf<T>[] =>
    events.filter((event) => event.type === type && event.data.cellId === cellId) as EventOf<T>[];
  return events.flatMap((submitted) => {
    if (submitted.type !== "cell.submitted") return [];
    const { cellId } = submitted.data;
    return [
      {
        submitted,
        checked: ofCell("cell.checked", cellId).at(-1),
        completed: ofCell("cell.completed", cellId).at(-1),
        requested: ofCell("call.requested", cellId),
        settled: ofCell("call.settled", cellId),
      },
    ];
  });
}
