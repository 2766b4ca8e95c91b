import type { CellId, Clock, IdSource } from "@deputy/kit";
import { type EventLog, EventLogError, type JournalEntry, type StreamId } from "@deputy/protocol";
import {
  assertTurnsOpen,
  createLiveHub,
  createStreamAudit,
  type Draft,
  draftEvent,
  followAll,
  followStream,
  readToHead,
} from "../log/index.ts";
import { createMemoryStreams } from "./memory-streams.ts";
import { sha256 } from "./sha256.ts";

export interface MemoryEventLog extends EventLog, AsyncDisposable {
  /** Ends subscriptions; everything afterwards is refused with `log_closed`. Idempotent. */
  close(): void;
}

const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** An event log in memory, lost when the process ends. Chain, erasure and subscriptions work as on disk. */
export function createMemoryEventLog(deps: {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly limits?: { readonly eventBytes: number };
}): MemoryEventLog {
  const { eventBytes } = deps.limits ?? { eventBytes: MAX_EVENT_BYTES };
  const hub = createLiveHub();
  const assertOpen = (): void => {
    if (hub.closed) throw new EventLogError("log_closed", "The log is closed");
  };
  const streams = createMemoryStreams({ ...deps, assertOpen });
  const journal = new Map<CellId, JournalEntry[]>();

  const assertSize = ({ type, payload }: Draft): void => {
    if (new TextEncoder().encode(payload).byteLength > eventBytes)
      throw new EventLogError("event_too_large", `The payload of ${type} is too large`);
  };
  const assertHead = (stream: StreamId, expected: number | undefined): void => {
    const seq = streams.seq(stream);
    if (expected !== undefined && expected !== seq)
      throw new EventLogError("conflict", `${stream} is at ${seq}, not at ${expected}`);
  };
  const close = (): void => hub.close();

  return {
    async append(stream, events, options = {}) {
      const drafts = events.map(draftEvent);
      for (const draft of drafts) assertSize(draft);
      assertOpen();
      // As on disk, nothing is stored before the next turn of the event loop, and requests keep their order.
      await Promise.resolve();
      assertHead(stream, options.expectedSeq);
      assertTurnsOpen(stream, drafts, (turnId) => streams.hasEnded(stream, turnId));
      for (const { cellId, kind, bytes } of options.journal ?? []) {
        const entry = { cellId, kind, bytes: new Uint8Array(bytes) };
        journal.set(cellId, [...(journal.get(cellId) ?? []), entry]);
      }
      if (drafts.length === 0) return [];
      const stored = streams.commit(stream, drafts);
      hub.committed(stored);
      return stored;
    },
    publish: (delta) => hub.publish(delta),
    read: (stream, { after = 0, limit } = {}) => readToHead(streams.streamCursor(stream, after), limit),
    readAll: ({ after = 0, types } = {}) => readToHead(streams.logCursor(after, types)),
    subscribe: (stream, { after = 0 }, signal) =>
      followStream(hub, stream, { after, cursor: streams.streamCursor(stream, after) }, signal),
    subscribeAll: ({ after = 0, types }, signal) => followAll(hub, streams.logCursor(after, types), signal),
    async head(stream) {
      assertOpen();
      return streams.heads().find((head) => head.stream === stream);
    },
    async *streams({ changedAfter = 0 } = {}) {
      assertOpen();
      const changed = new Set<StreamId>();
      for await (const { event } of readToHead(streams.logCursor(changedAfter, undefined)))
        changed.add(event.stream);
      yield* streams.heads().filter(({ stream }) => changed.has(stream));
    },
    async erase(ids, by, reason) {
      assertOpen();
      const erased = [...new Set(typeof ids === "string" ? [ids] : ids)].map((id) => {
        const found = streams.find(id);
        if (found === undefined) throw new EventLogError("unknown_event", `There is no event ${id}`);
        return found;
      });
      for (const { event, payload } of erased) {
        if (payload === null) continue;
        const { id: eventId, stream, seq, payloadHash } = event;
        streams.blank(event);
        const data = { eventId, seq, payloadHash, by, ...(reason === undefined ? undefined : { reason }) };
        hub.committed(streams.commit(stream, [draftEvent({ type: "event.erased", data })]));
      }
    },
    async verify({ stream: only } = {}) {
      assertOpen();
      const heads = streams.heads().filter(({ stream }) => only === undefined || stream === only);
      const audits = heads.map((head) => {
        const audit = createStreamAudit(sha256, head.stream);
        const found = streams.events(head.stream).flatMap((sealed) => audit.next(sealed) ?? []);
        return { audit, damage: [...found, ...audit.end(head)] };
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
