import type { Clock } from "@deputy/kit";
import type { ProgressCallback } from "@modelcontextprotocol/client";

const SHORTEST_GAP_MS = 250;
const MOST_CHARS = 500;

/** A server's progress in words, no more often than somebody can read them. */
export function createProgressFeed(
  clock: Pick<Clock, "monotonicMs">,
  tell: (message: string) => void,
): ProgressCallback {
  let toldMs = -Infinity;
  return ({ progress, total, message }) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - toldMs < SHORTEST_GAP_MS) return;
    toldMs = nowMs;
    const share = total === undefined ? String(progress) : `${progress} of ${total}`;
    tell(message === undefined ? share : `${message} (${share})`.slice(0, MOST_CHARS));
  };
}
