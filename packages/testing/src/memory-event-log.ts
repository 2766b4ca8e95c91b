import { hash, randomBytes } from "node:crypto";
import type { CellId, Clock, IdSource } from "@deputy/kit";
import {
  EVENT_SCHEMA_VERSION,
  type EventLog,
  EventLogError,
  headerHash,
  type JournalEntry,
  type PositionedEvent,
  type Sha256,
  type StoredEvent,
  type StreamHead,
  type StreamId,
} from "@deputy/protocol";
import {
  createLiveHub,
  createStreamAudit,
  type Cursor,
  type Draft,
  draftEvent,
  followAll,
  followStream,
  readToHead,
  sealDraft,
  type SealedEvent,
} from "@deputy/store/log";

export interface MemoryEventLog extends EventLog, AsyncDisposable {
  /** Ends subscriptions; everything afterwards is refused with `log_closed`. Idempotent. */
  close(): void;
}

interface MemoryStream {
  readonly events: SealedEvent[];
  hash: string;
}

const sha256: Sha256 = (text) => hash("sha256", text, "hex");

/** An event log that keeps everything in memory, for tests: chain, erasure and subscriptions are the real ones. */
export function createMemoryEventLog(deps: {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits?: { readonly eventBytes: number };
}): MemoryEventLog {
  const { clock, ids } = deps;
  const maxBytes = deps.limits?.eventBytes ?? 8 * 1024 * 1024;
  const hub = createLiveHub();
  const streams = new Map<StreamId, MemoryStream>();
  /** Stream and seq of every event, in order of commit. */
  const order: { readonly stream: MemoryStream; readonly seq: number }[] = [];
  const journal = new Map<CellId, JournalEntry[]>();

  const assertOpen = (): void => {
    if (hub.closed) throw new EventLogError("log_closed", "The log is closed");
  };
  const at = (stream: MemoryStream, seq: number): SealedEvent => {
    const sealed = stream.events[seq - 1];
    if (sealed === undefined) throw new EventLogError("log_damaged", `There is no event ${seq}`);
    return sealed;
  };
  const commit = (name: StreamId, drafts: readonly Draft[]): readonly StoredEvent[] => {
    const stream = streams.get(name) ?? { events: [], hash: "0".repeat(64) };
    streams.set(name, stream);
    const stamp = new Date(clock.now()).toISOString();
    const stored = drafts.map((draft) => {
      const salt = randomBytes(16).toString("hex");
      const seq = stream.events.length + 1;
      const place = { id: ids.next("event"), stream: name, seq, at: stamp, prev: stream.hash };
      // What is read back is what was written, not what the caller still holds.
      const sealed = sealDraft(sha256, place, { ...draft, data: JSON.parse(draft.payload) }, salt);
      stream.events.push({ event: sealed, salt, payload: draft.payload });
      stream.hash = headerHash(sha256, sealed);
      order.push({ stream, seq });
      return sealed;
    });
    hub.committed(stored);
    return stored;
  };

  const streamCursor = (name: StreamId, after: number): Cursor<StoredEvent> => {
    let seq = after;
    return {
      page(limit) {
        assertOpen();
        const page = streams.get(name)?.events.slice(seq, seq + limit) ?? [];
        seq += page.length;
        return page.map((sealed) => sealed.event);
      },
    };
  };
  const logCursor = (after: number, types: readonly string[] | undefined): Cursor<PositionedEvent> => {
    let position = after;
    return {
      page(limit) {
        assertOpen();
        const page: PositionedEvent[] = [];
        for (; position < order.length && page.length < limit; position++) {
          const entry = order[position];
          if (entry === undefined) break;
          const { event } = at(entry.stream, entry.seq);
          if (types === undefined || types.includes(event.type)) page.push({ position: position + 1, event });
        }
        return page;
      },
    };
  };
  const headOf = (name: StreamId, stream: MemoryStream): StreamHead => ({
    stream: name,
    seq: stream.events.length,
    hash: stream.hash,
    schemaVersion: EVENT_SCHEMA_VERSION,
  });
  const close = (): void => hub.close();

  return {
    async append(stream, events, options = {}) {
      const drafts = events.map(draftEvent);
      for (const { type, payload } of drafts) {
        const bytes = Buffer.byteLength(payload);
        if (bytes > maxBytes)
          throw new EventLogError("event_too_large", `The payload of ${type} is too large`);
      }
      assertOpen();
      // As with a disk, nothing is there before the next turn, and what was asked first comes first.
      await Promise.resolve();
      const seq = streams.get(stream)?.events.length ?? 0;
      if (options.expectedSeq !== undefined && options.expectedSeq !== seq)
        throw new EventLogError("conflict", `${stream} is at ${seq}, not at ${options.expectedSeq}`);
      for (const entry of options.journal ?? []) {
        const bytes = new Uint8Array(entry.bytes);
        journal.set(entry.cellId, [...(journal.get(entry.cellId) ?? []), { ...entry, bytes }]);
      }
      return drafts.length === 0 ? [] : commit(stream, drafts);
    },
    publish: (delta) => hub.publish(delta),
    read: (stream, { after = 0, limit } = {}) => readToHead(streamCursor(stream, after), limit),
    readAll: ({ after = 0, types } = {}) => readToHead(logCursor(after, types)),
    subscribe: (stream, { after = 0 }, signal) =>
      followStream(hub, stream, { after, cursor: streamCursor(stream, after) }, signal),
    subscribeAll: ({ after = 0, types }, signal) => followAll(hub, logCursor(after, types), signal),
    async head(name) {
      assertOpen();
      const stream = streams.get(name);
      return stream === undefined ? undefined : headOf(name, stream);
    },
    async *streams() {
      assertOpen();
      for (const [name, stream] of streams) yield headOf(name, stream);
    },
    async erase(id, by, reason) {
      assertOpen();
      const entry = order.find(({ stream, seq }) => at(stream, seq).event.id === id);
      if (entry === undefined) throw new EventLogError("unknown_event", `There is no event ${id}`);
      const { event, payload } = at(entry.stream, entry.seq);
      if (payload === null) return;
      entry.stream.events[entry.seq - 1] = { event: { ...event, data: null }, salt: null, payload: null };
      const { seq, payloadHash } = event;
      const data = { eventId: id, seq, payloadHash, by, ...(reason === undefined ? undefined : { reason }) };
      commit(event.stream, [draftEvent({ type: "event.erased", data })]);
    },
    async verify(options = {}) {
      assertOpen();
      const chosen = [...streams].filter(([name]) => options.stream === undefined || name === options.stream);
      const audits = chosen.map(([name, stream]) => {
        const audit = createStreamAudit(sha256, name);
        const found = stream.events.flatMap((sealed) => audit.next(sealed) ?? []);
        return { audit, damage: [...found, ...audit.end(headOf(name, stream))] };
      });
      return {
        events: audits.reduce((sum, { audit }) => sum + audit.events, 0),
        streams: audits.length,
        erased: audits.reduce((sum, { audit }) => sum + audit.erased, 0),
        damage: audits.flatMap(({ damage }) => damage),
      };
    },
    journal: {
      async *read(cell) {
        assertOpen();
        yield* journal.get(cell) ?? [];
      },
      async erase(cell) {
        assertOpen();
        journal.delete(cell);
      },
    },
    close,
    [Symbol.asyncDispose]: async () => close(),
  };
}
