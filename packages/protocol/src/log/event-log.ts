import { CodedError, type CellId, type EventId } from "@deputy/kit";
import type { EventType, NewEvent, StoredEvent, StreamId } from "../canonical-event.ts";
import type { AssistantDelta } from "../wire/transient-event.ts";

/**
 * The one log. Everything that happens is appended here; every view is a projection of it.
 * Reads verify what they return: a payload or link that does not match its hash rejects with `log_damaged`.
 */
export interface EventLog {
  /**
   * Appends all events or none, next to each other, and resolves once they are as durable as asked.
   * Not abortable: it is bounded by the disk, and a caller that stopped waiting could not know the outcome.
   * Not idempotent. Rejects with `conflict`, `turn_ended`, `event_too_large`, `storage_full`, `log_missing`,
   * `log_failed` or `log_closed`. `turn_ended`: the stream already has the end of a turn that one of the events
   * belongs to. After `storage_full` and `log_missing` nothing of it was written, and a later append may
   * succeed. After `log_failed` (the disk refused a sync) nothing is acknowledged until the log is opened anew.
   */
  append(
    stream: StreamId,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<readonly StoredEvent[]>;

  /** Fans a delta out to live subscribers of its stream; never waits, never throws, never stored. */
  publish(delta: AssistantDelta): void;

  /** The events of a stream with `seq > after`, in order, up to the head at the time of each page. */
  read(stream: StreamId, options?: ReadOptions): AsyncIterable<StoredEvent>;

  /** The events of all streams in the order they were committed; `position` is the cursor. */
  readAll(options?: ReadAllOptions): AsyncIterable<PositionedEvent>;

  /**
   * What `read` gives, then everything after it as it is committed, without polling, gap or repeat.
   * A slow reader costs no memory beyond one page: it re-reads from its cursor. Deltas to a slow
   * reader may be dropped; the next one it gets carries the item's whole text so far.
   * Ends (without throwing) when the signal aborts or the log closes.
   */
  subscribe(
    stream: StreamId,
    options: { readonly after?: number },
    signal: AbortSignal,
  ): AsyncIterable<LogItem>;

  /** As `subscribe`, over all streams, without deltas. */
  subscribeAll(options: ReadAllOptions, signal: AbortSignal): AsyncIterable<PositionedEvent>;

  /** The last event of a stream; undefined when it has none. */
  head(stream: StreamId): Promise<StreamHead | undefined>;

  /** Every stream, in order of its first event; or only those with an event after a position. */
  streams(options?: { readonly changedAfter?: number }): AsyncIterable<StreamHead>;

  /**
   * Erases payloads for good, all or none, and appends an `event.erased` for each; the chain still verifies.
   * Idempotent: erasing twice leaves one `event.erased`. Rejects with `unknown_event`.
   */
  erase(event: EventId | readonly EventId[], by: string, reason?: string): Promise<void>;

  /** Recomputes every hash of every stream (or of one). Reports damage instead of throwing it. */
  verify(options?: { readonly stream?: StreamId }): Promise<VerifyReport>;

  readonly journal: Journal;

  /** What views keep of themselves between two processes; absent where nothing is kept. */
  readonly snapshots?: ViewSnapshots;
}

/**
 * A cache of views beside the log: losing it costs time, and nothing else. Erasing an indexed event's payload empties it,
 * since a view may hold what was in it.
 */
export interface ViewSnapshots {
  /** Undefined when there is none that can be used. Never rejects. */
  load(name: string): Promise<ViewSnapshot | undefined>;
  /** Never rejects: what could not be kept is read from the log again. */
  save(name: string, snapshot: ViewSnapshot): Promise<void>;
}

export interface ViewSnapshot {
  /** The last event that the view has taken in: a log with another event there is another log. */
  readonly position: number;
  readonly eventId: EventId;
  /** As JSON has it. */
  readonly state: unknown;
}

/** The raw values a cell needs to resume, encrypted at rest, written in the transaction of their events. */
export interface Journal {
  /** In the order they were written. Rejects with `log_damaged` when an entry does not decrypt. */
  read(cell: CellId): AsyncIterable<JournalEntry>;
  /** Removes every entry of a cell. Idempotent. */
  erase(cell: CellId): Promise<void>;
}

export interface JournalEntry {
  readonly cellId: CellId;
  readonly kind: string;
  readonly bytes: Uint8Array;
}

export interface AppendOptions {
  /** `full` (default): survives a power cut once resolved. `relaxed`: survives kill -9, may be lost with power. */
  readonly durability?: "full" | "relaxed";
  /** Rejects with `conflict` unless the stream's last `seq` is this one (0: the stream is new). */
  readonly expectedSeq?: number;
  readonly journal?: readonly JournalEntry[];
}

export interface ReadOptions {
  readonly after?: number;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** A position; 0 or absent: from the beginning. */
  readonly after?: number;
  /** Only these types, found by index. */
  readonly types?: readonly IndexedEventType[];
}

export interface PositionedEvent {
  readonly position: number;
  readonly event: StoredEvent;
}

export type LogItem =
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "delta"; readonly delta: AssistantDelta };

export interface StreamHead {
  readonly stream: StreamId;
  readonly seq: number;
  /** Hash of the last event's header: the `prev` of the next. */
  readonly hash: string;
  readonly schemaVersion: number;
}

export interface VerifyReport {
  readonly events: number;
  readonly streams: number;
  readonly erased: number;
  /** Empty when everything holds. */
  readonly damage: readonly Damage[];
}

export interface Damage {
  readonly kind: "payload" | "link" | "gap" | "head" | "tail_lost" | "unreadable";
  readonly stream?: StreamId;
  readonly seq?: number;
  readonly message: string;
}

/** The events that end a turn. Nothing of the turn follows one in its stream. */
export const turnEndTypes = [
  "turn.completed",
  "turn.failed",
  "turn.aborted",
] as const satisfies readonly EventType[];
export type TurnEndType = (typeof turnEndTypes)[number];

export function isTurnEndType(type: string): type is TurnEndType {
  return turnEndTypes.some((end) => end === type);
}

/** Types that can be found across all streams without reading everything. */
export const indexedEventTypes = [
  "session.started",
  "session.updated",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "approval.requested",
  "approval.resolved",
  "grant.created",
  "grant.revoked",
  "task.created",
  "task.cancelled",
  "task.completed",
  "hook.received",
  "task.scheduled",
  "task.fired",
  "task.skipped",
  "outbox.queued",
  "outbox.sent",
  "outbox.failed",
  "outbox.held",
  "outbox.released",
  "cron.added",
  "cron.updated",
  "cron.removed",
  "cron.fired",
  "cron.skipped",
  "system.noted",
  "heartbeat.began",
  "heartbeat.skipped",
  "heartbeat.ended",
  "memory.written",
  "memory.applied",
  "memory.forgetting",
  "memory.forgotten",
  "task.paused",
  "task.resumed",
  "task.edited",
  "heartbeat.paused",
  "heartbeat.resumed",
  "channel.code",
  "channel.paired",
  "channel.unpaired",
  "channel.posting",
  "channel.posted",
  "channel.shown",
  "channel.home",
  "channel.again",
] as const satisfies readonly EventType[];
export type IndexedEventType = (typeof indexedEventTypes)[number];

export const eventLogErrorCodes = [
  "conflict",
  "turn_ended",
  "event_too_large",
  "storage_full",
  /** The database was removed or replaced while it was open; nothing was written. It goes on once it is back. */
  "log_missing",
  "log_failed",
  "log_closed",
  "log_damaged",
  "unknown_event",
] as const;
export type EventLogErrorCode = (typeof eventLogErrorCodes)[number];

export class EventLogError extends CodedError<EventLogErrorCode> {}
