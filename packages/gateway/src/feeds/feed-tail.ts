import { setImmediate as nextTurn } from "node:timers/promises";
import { type Frame, frameOf } from "../event-frame.ts";
import type { FrameFeed } from "./frame-feed.ts";

/** A reader of a feed. It does not announce its end. */
export interface Listener {
  /** `behind`: taken, but nothing more for now. `over`: not taken. Never throws. */
  tell(frame: Frame): "taken" | "behind" | "over";
}

/** Why a listener gets no more events, and the last event that it got. */
export interface Left {
  readonly kind: "ended" | "behind" | "over" | "dropped";
  readonly cursor: number;
}

/** The live end of a feed. Each event is read, projected and encoded once, for all listeners that are up to date. */
export interface FeedTail {
  /**
   * Call it right after the listener got the event at `cursor`, while nothing is being written as far as it knows.
   * Undefined when it cannot continue from there without a gap or a repeat; it must then read on by itself, and may
   * ask again at the next event. Resolves when the listener has left, on abort, or when the tail itself is over
   * (`dropped`).
   */
  join(cursor: number, listener: Listener, signal: AbortSignal): Promise<Left> | undefined;
  /** Drops all listeners. Idempotent. */
  stop(): void;
}

interface Place {
  cursor: number;
  readonly listener: Listener;
  readonly leave: (kind: Left["kind"]) => void;
}

/**
 * Calls `onFailure` with the error that broke the reading. All listeners are dropped then, and get the error when
 * they read on.
 */
export function openFeedTail(feed: FrameFeed, onFailure: (error: unknown) => void): FeedTail {
  const stopping = new AbortController();
  const places = new Set<Place>();
  /** The last event that was read here; undefined until it is known where to begin. */
  let seq: number | undefined;
  /** True when a listener that just got the event at `seq` has missed nothing that was sent here. */
  let isExact = false;

  const dropAll = (kind: Left["kind"]): void => places.forEach((place) => place.leave(kind));

  const run = async (signal: AbortSignal): Promise<void> => {
    seq = await feed.head();
    for await (const step of feed.read(seq, signal)) {
      isExact = step.seq !== undefined && step.isSettled;
      seq = step.seq ?? seq;
      const frame = step.text === "" ? undefined : frameOf(step.text);
      for (const place of places) {
        // A listener that is ahead of this has already got it.
        if (step.seq !== undefined && place.cursor >= seq) continue;
        place.cursor = seq;
        const answer = frame === undefined ? "taken" : place.listener.tell(frame);
        if (answer !== "taken") place.leave(step.isEnd ? "ended" : answer);
      }
      if (step.isEnd) dropAll("ended");
      // Yield after each event, so that other work is not held up longer.
      if (frame !== undefined && places.size > 1) await nextTurn();
    }
  };
  run(stopping.signal)
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) onFailure(error);
    })
    .finally(() => {
      seq = undefined;
      dropAll("dropped");
    });

  return {
    join(cursor, listener, signal) {
      if (seq === undefined || stopping.signal.aborted || signal.aborted) return undefined;
      // It is ahead of this tail, so it is unknown what was being written at that event.
      if (feed.transient === "none" ? cursor < seq : cursor !== seq || !isExact) return undefined;
      return new Promise((resolve) => {
        const leave = (kind: Left["kind"]): void => {
          if (!places.delete(place)) return;
          signal.removeEventListener("abort", onAbort);
          resolve({ kind, cursor: place.cursor });
        };
        const onAbort = (): void => leave("over");
        const place: Place = { cursor, listener, leave };
        places.add(place);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    stop() {
      stopping.abort();
      dropAll("dropped");
    },
  };
}
