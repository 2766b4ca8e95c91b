import type { Clock, EventId, IdSource, TurnId } from "@deputy/kit";
import {
  EVENT_SCHEMA_VERSION,
  EventLogError,
  FIRST_PREV,
  headerHash,
  isTurnEndType,
  type PositionedEvent,
  type StoredEvent,
  type StreamHead,
  type StreamId,
} from "@deputy/protocol";
import { type Cursor, type Draft, sealDraft, type SealedEvent } from "../log/index.ts";
import { sha256 } from "./sha256.ts";

/** Streams of sealed events in memory, and the order in which they were committed. */
export interface MemoryStreams {
  commit(stream: StreamId, drafts: readonly Draft[]): readonly StoredEvent[];
  find(id: EventId): SealedEvent | undefined;
  /** Removes the payload and its salt. */
  blank(event: StoredEvent): void;
  seq(stream: StreamId): number;
  hasEnded(stream: StreamId, turnId: TurnId): boolean;
  heads(): readonly StreamHead[];
  events(stream: StreamId): readonly SealedEvent[];
  streamCursor(stream: StreamId, after: number): Cursor<StoredEvent>;
  logCursor(after: number, types: readonly string[] | undefined): Cursor<PositionedEvent>;
}

interface MemoryStream {
  readonly events: SealedEvent[];
  readonly endedTurns: Set<string>;
  hash: string;
}

export function createMemoryStreams(deps: {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Called before each read; throws when the log is closed. */
  readonly assertOpen: () => void;
}): MemoryStreams {
  const { clock, ids, assertOpen } = deps;
  const streams = new Map<StreamId, MemoryStream>();
  const order: { readonly stream: MemoryStream; readonly seq: number }[] = [];

  const at = (stream: MemoryStream, seq: number): SealedEvent => {
    const sealed = stream.events[seq - 1];
    if (sealed === undefined) throw new EventLogError("log_damaged", `There is no event ${seq}`);
    return sealed;
  };

  return {
    commit(name, drafts) {
      const stream = streams.get(name) ?? { events: [], endedTurns: new Set(), hash: FIRST_PREV };
      streams.set(name, stream);
      const stamp = new Date(clock.now()).toISOString();
      return drafts.map((draft) => {
        const salt = sha256(crypto.getRandomValues(new Uint8Array(32))).slice(0, 32);
        const seq = stream.events.length + 1;
        const place = { id: ids.next("event"), stream: name, seq, at: stamp, prev: stream.hash };
        // Copies, so that readers see what was written even if the caller changes its object.
        const event = sealDraft(sha256, place, { ...draft, data: JSON.parse(draft.payload) }, salt);
        stream.events.push({ event, salt, payload: draft.payload });
        stream.hash = headerHash(sha256, event);
        if (event.turnId !== undefined && isTurnEndType(event.type)) stream.endedTurns.add(event.turnId);
        order.push({ stream, seq });
        return event;
      });
    },
    find(id) {
      const entry = order.find(({ stream, seq }) => at(stream, seq).event.id === id);
      return entry === undefined ? undefined : at(entry.stream, entry.seq);
    },
    blank(event) {
      const stream = streams.get(event.stream);
      if (stream === undefined) return;
      stream.events[event.seq - 1] = { event: { ...event, data: null }, salt: null, payload: null };
    },
    hasEnded: (name, turnId) => streams.get(name)?.endedTurns.has(turnId) === true,
    seq: (name) => streams.get(name)?.events.length ?? 0,
    heads: () =>
      [...streams].map(([stream, { events, hash: headHash }]) => ({
        stream,
        seq: events.length,
        hash: headHash,
        schemaVersion: EVENT_SCHEMA_VERSION,
      })),
    events: (name) => streams.get(name)?.events ?? [],
    streamCursor(name, after) {
      let seq = after;
      return {
        page(limit) {
          assertOpen();
          const page = streams.get(name)?.events.slice(seq, seq + limit) ?? [];
          seq += page.length;
          return page.map((sealed) => sealed.event);
        },
      };
    },
    logCursor(after, types) {
      let position = after;
      return {
        page(limit) {
          assertOpen();
          const page: PositionedEvent[] = [];
          for (const { stream, seq } of order.slice(position)) {
            if (page.length === limit) break;
            position += 1;
            const { event } = at(stream, seq);
            if (types === undefined || types.includes(event.type)) page.push({ position, event });
          }
          return page;
        },
      };
    },
  };
}
