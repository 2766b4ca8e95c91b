/** A stream of the log as a client protocol tells it, the same to everybody who follows it. */
export interface FrameFeed {
  /** Feeds with the same key tell the same. */
  readonly key: string;
  /** `deltas`: some of it cannot be resumed at. */
  readonly transient: "none" | "deltas";
  /** Whether the end lies at that cursor or before it. Rejects when the log does. */
  isOver(after: number): Promise<boolean>;
  /** The last event that there is. Rejects when the log does. */
  head(): Promise<number>;
  /** Everything after that event and then live, through the end; ends without throwing on abort. */
  read(after: number, signal: AbortSignal): AsyncIterable<FeedStep>;
}

/** What one item of the log comes to. */
export interface FeedStep {
  /** Of the event; undefined for a delta. */
  readonly seq: number | undefined;
  /** Server-sent events that must not be split; empty when there is nothing to tell. */
  readonly text: string;
  readonly isEnd: boolean;
  /** False while something is being written whose deltas may have been told before this. */
  readonly isSettled: boolean;
}
