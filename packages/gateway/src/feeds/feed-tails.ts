import { type FeedTail, openFeedTail } from "./feed-tail.ts";
import type { FrameFeed } from "./frame-feed.ts";

/** The tails of feeds with several followers. */
export interface FeedTails {
  /** Counts as a follower until `leave`. */
  enter(feed: FrameFeed): Follower;
}

export interface Follower {
  /** Like `FeedTail.join`; undefined also while there is no other listener: a single one reads by itself. */
  readonly join: FeedTail["join"];
  leave(): void;
}

export function createFeedTails(deps: { readonly onFailure: (error: unknown) => void }): FeedTails {
  const followed = new Map<string, { followers: number; tail: FeedTail | undefined }>();
  return {
    enter(feed) {
      const entry = followed.get(feed.key) ?? { followers: 0, tail: undefined };
      followed.set(feed.key, entry);
      entry.followers += 1;
      if (entry.followers > 1) entry.tail ??= openFeedTail(feed, deps.onFailure);
      return {
        join: (cursor, listener, signal) => entry.tail?.join(cursor, listener, signal),
        leave() {
          entry.followers -= 1;
          if (entry.followers > 0) return;
          entry.tail?.stop();
          followed.delete(feed.key);
        },
      };
    },
  };
}
