import type { IndexedEventType } from "@deputy/protocol";
import { indexedEventNumber } from "../database/schema.ts";

/**
 * What the only writer of a log knows of its end. Everything that follows the log looks after every commit, and most
 * of them would find nothing: they need not ask the database.
 */
export interface LogEnd {
  /** The position of the last event. */
  readonly position: number;
  /** False if nothing stands after that position, or nothing of these types. */
  mayFollow(position: number, types: readonly IndexedEventType[] | undefined): boolean;
  /** All events of these types after a position were read: there are no others up to the end. */
  read(types: readonly IndexedEventType[], after: number, found: readonly Found[]): void;
  /** To be called after each commit, with what was written, in order. */
  committed(events: readonly { readonly type: string }[], position: number): void;
}

interface Found {
  readonly position: number;
  readonly event: { readonly type: string };
}

/** Where the last event of a type stands, if there is one after `since`. */
interface LastOfType {
  since: number;
  last: number;
}

export function createLogEnd(openedAt: number): LogEnd {
  const byType = new Map<string, LastOfType>();
  let end = openedAt;

  const of = (type: string): LastOfType => {
    const known = byType.get(type) ?? { since: openedAt, last: 0 };
    byType.set(type, known);
    return known;
  };

  return {
    get position() {
      return end;
    },
    mayFollow(position, types) {
      if (types === undefined) return end > position;
      return types.some((type) => {
        const { since, last } = of(type);
        return position < since || last > position;
      });
    },
    read(types, after, found) {
      for (const type of types) of(type).since = Math.min(of(type).since, after);
      for (const { position, event } of found) {
        const known = of(event.type);
        known.last = Math.max(known.last, position);
      }
    },
    committed(events, position) {
      end = position;
      for (const [at, { type }] of events.entries())
        if (indexedEventNumber(type) !== null) of(type).last = position - events.length + 1 + at;
    },
  };
}
