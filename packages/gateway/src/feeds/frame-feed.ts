/** A stream of the log in the form of a client protocol, the same for all listeners. */
export interface FrameFeed {
  /** Feeds with the same key have the same content. */
  readonly key: string;
  /** `deltas`: some of its frames cannot be resumed from. */
  readonly transient: "none" | "deltas";
  /** True when the end is at that cursor or before it. Rejects when the log does. */
  isOver(after: number): Promise<boolean>;
  /** The last event that there is. Rejects when the log does. */
  head(): Promise<number>;
  /** Everything after that event and then live, through the end; ends without throwing on abort. */
  read(after: number, signal: AbortSignal): AsyncIterable<FeedStep>;
}

/** The frames that one item of the log becomes. */
export interface FeedStep {
  /** The event's number; undefined for a delta. */
  readonly seq: number | undefined;
  /** Server-sent events that must not be split; empty when there are none. */
  readonly text: string;
  readonly isEnd: boolean;
  /** False while a text is being written whose deltas may have been sent before this. */
  readonly isSettled: boolean;
}
