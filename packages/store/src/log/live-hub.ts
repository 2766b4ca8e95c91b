import type { AssistantDelta, StoredEvent, StreamId } from "@deputy/protocol";
import { createOpenItems, openItemLimits, type OpenItems } from "./open-items.ts";

/**
 * Tells followers of the log what just happened. Holds no events, only who waits and what is being written.
 */
export interface LiveHub {
  readonly closed: boolean;
  /** Never throws. A subscriber that is too far behind gets the whole text later. */
  publish(delta: AssistantDelta): void;
  /** To be called after each commit, with the events in the order they were committed. */
  committed(events: readonly StoredEvent[]): void;
  /** Follows one stream until `leave`. */
  join(stream: StreamId): Subscriber & { leave(): void };
  /** Rings at every commit until `leave`. */
  joinAll(): { readonly bell: Bell; leave(): void };
  /** Wakes everybody, for the last time. */
  close(): void;
}

interface LiveStream {
  readonly items: OpenItems;
  readonly subscribers: Set<Subscriber>;
}

export function createLiveHub(): LiveHub {
  const streams = new Map<StreamId, LiveStream>();
  const bells = new Set<Bell>();
  let closed = false;

  const enter = (stream: StreamId): LiveStream => {
    const known = streams.get(stream);
    if (known !== undefined) return known;
    const live = { items: createOpenItems(openItemLimits), subscribers: new Set<Subscriber>() };
    streams.set(stream, live);
    return live;
  };
  const forgetIfIdle = (stream: StreamId, live: LiveStream): void => {
    if (live.items.size === 0 && live.subscribers.size === 0) streams.delete(stream);
  };

  return {
    get closed() {
      return closed;
    },
    publish(delta) {
      if (closed) return;
      const live = enter(delta.stream);
      live.items.add(delta);
      for (const subscriber of live.subscribers) subscriber.offer(delta);
      forgetIfIdle(delta.stream, live);
    },
    committed(events) {
      for (const event of events) {
        const live = streams.get(event.stream);
        if (live === undefined) continue;
        live.items.settle(event);
        for (const subscriber of live.subscribers) subscriber.announce(event.seq);
        forgetIfIdle(event.stream, live);
      }
      for (const bell of bells) bell.ring();
    },
    join(stream) {
      const live = enter(stream);
      const subscriber = createSubscriber(live.items);
      live.subscribers.add(subscriber);
      const leave = (): void => {
        live.subscribers.delete(subscriber);
        forgetIfIdle(stream, live);
      };
      return Object.assign(subscriber, { leave });
    },
    joinAll() {
      const bell = createBell();
      bells.add(bell);
      return { bell, leave: () => void bells.delete(bell) };
    },
    close() {
      closed = true;
      for (const live of streams.values()) for (const subscriber of live.subscribers) subscriber.wake();
      for (const bell of bells) bell.ring();
    },
  };
}

/** What a subscriber of one stream does next, in the order in which it happened. */
type Due =
  | { readonly kind: "events"; readonly through: number }
  | { readonly kind: "delta"; readonly delta: AssistantDelta };

/**
 * One follower of one stream. It is *live* once it has read everything; only then it gets news. If it leaves
 * too much news untaken, it is no longer live: it must read to the head and go live again.
 */
interface Subscriber {
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

/**
 * The most deltas kept for a subscriber that does not take them. Beyond that, it gets the whole text later.
 */
export const MAX_QUEUED_DELTAS = 256;

function createSubscriber(items: OpenItems): Subscriber {
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

/** Lets one reader sleep until it is woken. A ring without a waiting reader is kept for the next wait. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or when the signal aborts; never rejects. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;

  return {
    ring() {
      if (wake === undefined) rung = true;
      else wake();
    },
    wait(signal) {
      if (rung || signal.aborted) {
        rung = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        wake = () => {
          wake = undefined;
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const onAbort = wake;
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
