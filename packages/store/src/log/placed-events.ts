import type { StreamId } from "@deputy/protocol";
import type { Bell } from "./live-hub.ts";
import type { Cursor } from "./follow.ts";
import type { SealedEvent } from "./chain-check.ts";

/** An event with its place in the whole log. */
export interface PlacedEvent extends SealedEvent {
  readonly position: number;
}

/** The whole log in the order of commit, for followers that keep their own cursor. */
export interface PlacedEvents {
  /** What follows a position, verified like `readAll`. */
  after(position: number): Cursor<PlacedEvent>;
  at(position: number): PlacedEvent | undefined;
  find(stream: StreamId, seq: number): PlacedEvent | undefined;
  /** Rings at every commit until `leave`. */
  joinCommits(): { readonly bell: Bell; leave(): void };
}

/**
 * The whole log as it is, damaged or not, for comparing it with something else. Throws `log_damaged` for what
 * cannot be read.
 */
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
