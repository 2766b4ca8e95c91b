import { type EventOf, type EventType, readEvent, type StoredEvent } from "../canonical-event.ts";

/** What a client protocol says for one event; nothing for most. Pure, and never throws. */
export type Projection<Out> = (event: StoredEvent) => readonly Out[];

/** One function per event type that the protocol shows; it only ever sees payloads that fit their schema. */
export type ProjectionTable<Out> = {
  readonly [T in EventType]?: (event: EventOf<T>) => readonly Out[];
};

const NOTHING: readonly never[] = Object.freeze([]);

/** Unknown, erased and malformed events, and types without an entry, project to nothing. */
export function createProjection<Out>(table: ProjectionTable<Out>): Projection<Out> {
  const show = <T extends EventType>(event: EventOf<T>): readonly Out[] =>
    table[event.type]?.(event) ?? NOTHING;
  return (event) => {
    // Looked up before it is validated: most types are not shown, and validation is what costs.
    if (!Object.hasOwn(table, event.type)) return NOTHING;
    const read = readEvent(event);
    return read.kind === "known" ? show(read.event) : NOTHING;
  };
}
