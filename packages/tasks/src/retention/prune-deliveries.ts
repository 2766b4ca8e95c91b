import type { EventId } from "@deputy/kit";
import { type EventLog, type StreamId, type ViewSnapshot } from "@deputy/protocol";
import { openFirings, type TasksView } from "../tasks-view.ts";

/** How many deliveries one transaction erases: it takes a few milliseconds. */
const SLICE = 200;
/** Kept beside the log, like views: how far deliveries were checked, and which of those a task still needed. */
const KEPT_AS = "pruned deliveries 1";

interface Cursor {
  /** The last checked delivery; undefined at the beginning. */
  readonly last: Pick<ViewSnapshot, "position" | "eventId"> | undefined;
  readonly needed: readonly (readonly [stream: StreamId, eventId: EventId])[];
}

/**
 * Erases the payloads of deliveries before a given time, except those that a task still needs: they wait for
 * it to run, or started a run that has not ended. What a turn began with is in its own session. Headers stay,
 * so a repeated delivery is still recognized.
 *
 * Resolves with how many were erased. A crash at any moment loses nothing: a slice is erased completely, with
 * the events that record it, or not at all; the position is recorded after that, and erased payloads are
 * skipped. Rejects like the log, and with the signal's reason.
 */
export async function pruneDeliveries(
  deps: {
    readonly log: Pick<EventLog, "readAll" | "erase" | "snapshots">;
    readonly tasks: () => Promise<TasksView>;
    /** Between two slices. */
    readonly pause: (signal: AbortSignal) => Promise<void>;
  },
  rule: { readonly before: string; readonly reason: string },
  signal: AbortSignal,
): Promise<number> {
  const { log } = deps;
  let cursor = await loadCursor(log);
  let erased = 0;
  for (;;) {
    signal.throwIfAborted();
    const needed = neededBy(await deps.tasks());
    const slice = await readSlice(log, cursor.last?.position ?? 0, rule.before);
    const due = [...cursor.needed, ...slice.due];
    const gone = due.filter(([stream]) => !needed.has(stream)).map(([, id]) => id);
    if (gone.length > 0) await log.erase(gone, "deputy", rule.reason);
    erased += gone.length;
    const last = slice.last ?? cursor.last;
    cursor = { last, needed: due.filter(([stream]) => needed.has(stream)) };
    if (last !== undefined) await log.snapshots?.save(KEPT_AS, { ...last, state: cursor.needed });
    if (slice.isLast) return erased;
    await deps.pause(signal);
  }
}

/** Deliveries that must stay, by their streams. */
export function neededBy({ byId }: TasksView): ReadonlySet<StreamId> {
  const needed = new Set<StreamId>();
  for (const entry of byId.values()) {
    for (const stream of entry.reported.keys()) needed.add(stream);
    for (const { delivery } of openFirings(entry)) if (delivery !== undefined) needed.add(delivery);
  }
  return needed;
}

async function loadCursor(log: Pick<EventLog, "readAll" | "snapshots">): Promise<Cursor> {
  const nothing: Cursor = { last: undefined, needed: [] };
  const kept = await log.snapshots?.load(KEPT_AS);
  if (kept === undefined) return nothing;
  const { position, eventId } = kept;
  for await (const item of log.readAll({ after: position - 1, types: ["hook.received"] })) {
    if (item.position !== position || item.event.id !== eventId) break;
    return { last: { position, eventId }, needed: kept.state as Cursor["needed"] };
  }
  return nothing;
}

async function readSlice(log: Pick<EventLog, "readAll">, after: number, before: string) {
  const due: [StreamId, EventId][] = [];
  let last: Cursor["last"];
  let looked = 0;
  for await (const { position, event } of log.readAll({ after, types: ["hook.received"] })) {
    if (event.at >= before) return { due, last, isLast: true };
    looked += 1;
    last = { position, eventId: event.id };
    if (event.data !== null) due.push([event.stream, event.id]);
    if (looked === SLICE) return { due, last, isLast: false };
  }
  return { due, last, isLast: true };
}
