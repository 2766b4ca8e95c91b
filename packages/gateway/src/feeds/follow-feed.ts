import { frameOf } from "../event-frame.ts";
import type { FeedTails, Follower } from "./feed-tails.ts";
import type { Left, Listener } from "./feed-tail.ts";
import type { FrameFeed } from "./frame-feed.ts";

/**
 * Sends a listener everything of a feed after a cursor, through its end: from the log until it has caught up
 * with the others, then together with them. A listener that falls behind holds nothing of the log; it reads
 * on from its cursor once `caughtUp` resolves. Returns when the feed has ended, the listener is over or the
 * signal aborts. Rejects if the log does.
 */
export async function followFeed(
  tails: FeedTails,
  { feed, after }: { readonly feed: FrameFeed; readonly after: number },
  listener: Listener & { caughtUp(): Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  if (await feed.isOver(after)) return;
  const follower = tails.enter(feed);
  try {
    for (let cursor = after; !signal.aborted;) {
      const left = await readOn(follower, feed, cursor, listener, signal);
      if (left.kind === "ended" || left.kind === "over") return;
      if (left.kind === "behind") await listener.caughtUp();
      cursor = left.cursor;
    }
  } finally {
    follower.leave();
  }
}

async function readOn(
  follower: Follower,
  feed: FrameFeed,
  after: number,
  listener: Listener,
  signal: AbortSignal,
): Promise<Left> {
  let cursor = after;
  let joined: Promise<Left> | undefined;
  for await (const step of feed.read(after, signal)) {
    cursor = step.seq ?? cursor;
    const answer = step.text === "" ? "taken" : listener.tell(frameOf(step.text));
    if (answer === "over" || step.isEnd) return { kind: "ended", cursor };
    if (answer === "behind") return { kind: "behind", cursor };
    // In one step with the last send, so that nothing happens in between.
    if (step.seq !== undefined && step.isSettled) joined = follower.join(cursor, listener, signal);
    if (joined !== undefined) break;
  }
  return joined ?? { kind: "ended", cursor };
}
