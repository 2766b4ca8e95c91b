import { setImmediate as nextTurn } from "node:timers/promises";
import { type Frame, frameOf } from "../event-frame.ts";
import type { FrameFeed } from "./frame-feed.ts";

/** Somebody who is told a feed. Tells nobody else when it is over. */
export interface Listener {
  /** `behind`: taken, but nothing more for now. `over`: not taken. Never throws. */
  tell(frame: Frame): "taken" | "behind" | "over";
}

/** Why a listener is no longer told, and the last event that it was. */
export interface Left {
  readonly kind: "ended" | "behind" | "over" | "dropped";
  readonly cursor: number;
}

/** The live end of a feed: read, projected and put into words once, for all who have got there. */
export interface FeedTail {
  /**
   * To be called right after the listener was told the event at `cursor`, with nothing being written as far as
   * it knows. Undefined when it cannot go on from there without gap or repeat; it must then read on itself, and
   * may ask again at the next event. Resolves
   * when it has left; on abort too, or when the tail itself is over (`dropped`).
   */
  join(cursor: number, listener: Listener, signal: AbortSignal): Promise<Left> | undefined;
  /** Everybody is dropped. Idempotent. */
  stop(): void;
}

interface Place {
  cursor: number;
  readonly listener: Listener;
  readonly leave: (kind: Left["kind"]) => void;
}

/** `onFailure` is told what broke the reading; everybody is dropped then, and meets it when reading on. */
export function openFeedTail(feed: FrameFeed, onFailure: (error: unknown) => void): FeedTail {
  const stopping = new AbortController();
  const places = new Set<Place>();
  /** The last event that was read here; undefined until it is known where to begin. */
  let seq: number | undefined;
  /** Whether somebody who was just told the event at `seq` misses nothing of what was told here. */
  let isExact = false;

  const dropAll = (kind: Left["kind"]): void => places.forEach((place) => place.leave(kind));

  const run = async (signal: AbortSignal): Promise<void> => {
    seq = await feed.head();
    for await (const step of feed.read(seq, signal)) {
      isExact = step.seq !== undefined && step.isSettled;
      seq = step.seq ?? seq;
      const frame = step.text === "" ? undefined : frameOf(step.text);
      for (const place of places) {
        // A place ahead of this has heard it already.
        if (step.seq !== undefined && place.cursor >= seq) continue;
        place.cursor = seq;
        const answer = frame === undefined ? "taken" : place.listener.tell(frame);
        if (answer !== "taken") place.leave(step.isEnd ? "ended" : answer);
      }
      if (step.isEnd) dropAll("ended");
      // One event to everybody is as long as others may have to wait.
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
      // Ahead of this, it cannot be known what was being written at that event.
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
