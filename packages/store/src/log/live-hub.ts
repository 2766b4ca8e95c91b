import type { AssistantDelta, StoredEvent, StreamId } from "@deputy/protocol";
import { type Bell, createBell } from "./bell.ts";
import { createSubscriber, type Subscriber } from "./subscriber.ts";
import { createOpenItems, openItemLimits, type OpenItems } from "./open-items.ts";

/** Tells those who follow the log what just happened. Holds no events, only who waits and what is being written. */
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
