import type { StreamId } from "@deputy/protocol";
import type { Bell } from "./bell.ts";
import type { Cursor } from "./cursor.ts";
import type { SealedEvent } from "./sealed-event.ts";

/** An event with its place in the whole log. */
export interface PlacedEvent extends SealedEvent {
  readonly position: number;
}

/** The whole log in the order of commit, for whoever follows it with a cursor of their own. */
export interface PlacedEvents {
  /** What follows a position, verified as `readAll` is. */
  after(position: number): Cursor<PlacedEvent>;
  at(position: number): PlacedEvent | undefined;
  find(stream: StreamId, seq: number): PlacedEvent | undefined;
  /** Rings at every commit until `leave`. */
  joinCommits(): { readonly bell: Bell; leave(): void };
}

/** The whole log as it is, damaged or not, for whoever compares it with something else. Throws `log_damaged` for what cannot be read. */
export interface UnverifiedEvents {
  page(after: number, limit: number): readonly PlacedEvent[];
  lastPosition(): number;
  /** Each UTC day of the log, with the places of its first and last event. */
  days(): readonly DayRange[];
}

export interface DayRange {
  readonly day: string;
  readonly first: number;
  readonly last: number;
}
