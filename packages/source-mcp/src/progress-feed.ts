import type { Clock } from "@deputy/kit";
import type { Progress } from "@modelcontextprotocol/client";

/** A server's progress in words, not faster than a person can read. Of a burst, the last one is shown. */
export interface ProgressFeed extends Disposable {
  take(progress: Progress): void;
  /** Shows what is still waiting; later progress is ignored. */
  [Symbol.dispose](): void;
}

const SHORTEST_GAP_MS = 250;
const MOST_CHARS = 500;

export function createProgressFeed(
  clock: Pick<Clock, "monotonicMs" | "sleep">,
  tell: (message: string) => void,
): ProgressFeed {
  const ended = new AbortController();
  let toldMs = -Infinity;
  let latest: string | undefined;
  let isWaiting = false;
  const flush = (): void => {
    const message = latest;
    if (message === undefined) return;
    latest = undefined;
    toldMs = clock.monotonicMs();
    tell(message);
  };
  return {
    take(progress) {
      if (ended.signal.aborted) return;
      latest = textOf(progress);
      const leftMs = toldMs + SHORTEST_GAP_MS - clock.monotonicMs();
      if (leftMs <= 0) return flush();
      if (isWaiting) return;
      isWaiting = true;
      clock.sleep(leftMs, ended.signal).then(
        () => {
          isWaiting = false;
          flush();
        },
        () => undefined,
      );
    },
    [Symbol.dispose]() {
      ended.abort();
      flush();
    },
  };
}

function textOf({ progress, total, message }: Progress): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? share : `${message} (${share})`.slice(0, MOST_CHARS);
}
