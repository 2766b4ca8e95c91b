import type { AssistantDelta } from "@deputy/protocol";
import { createBell } from "./bell.ts";
import type { OpenItems } from "./open-items.ts";

/** What a subscriber of one stream is to do next, in the order in which it happened. */
export type Due =
  | { readonly kind: "events"; readonly through: number }
  | { readonly kind: "delta"; readonly delta: AssistantDelta };

/**
 * One follower of one stream. It is *live* from the moment it has read everything; only then is it
 * told of news. Too much untaken news ends that: it must read to the head and go live again.
 */
export interface Subscriber {
  readonly live: boolean;
  /** To be called at the head, before anything else can be committed. Gives the open items' texts so far. */
  goLive(): readonly AssistantDelta[];
  take(): Due | undefined;
  /** Resolves when there may be something to take, at `wake`, or when the signal aborts; never rejects. */
  wait(signal: AbortSignal): Promise<void>;
  offer(delta: AssistantDelta): void;
  announce(seq: number): void;
  wake(): void;
}

/** Deltas kept for a subscriber that does not take them; more, and it gets the whole text later instead. */
export const MAX_QUEUED_DELTAS = 256;

export function createSubscriber(items: OpenItems): Subscriber {
  const bell = createBell();
  let live = false;
  let queue: Due[] = [];
  let deltas = 0;

  const push = (due: Due): void => {
    queue.push(due);
    bell.ring();
  };

  return {
    get live() {
      return live;
    },
    goLive() {
      live = true;
      return items.wholes();
    },
    take() {
      const due = queue.shift();
      if (due?.kind === "delta") deltas -= 1;
      return due;
    },
    wait: (signal) => bell.wait(signal),
    offer(delta) {
      if (!live) return;
      if (deltas < MAX_QUEUED_DELTAS) {
        deltas += 1;
        push({ kind: "delta", delta });
        return;
      }
      live = false;
      queue = [];
      deltas = 0;
    },
    announce(seq) {
      if (!live) return;
      const last = queue.at(-1);
      if (last?.kind === "events") queue[queue.length - 1] = { kind: "events", through: seq };
      else push({ kind: "events", through: seq });
    },
    wake: () => bell.ring(),
  };
}
