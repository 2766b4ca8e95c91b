import { type Clock, isAbort, retry } from "@deputy/kit";
import type { Heard } from "./chat-app.ts";

const REMEMBERED = 1_000;
const POLICY = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 30_000 };

/**
 * Hands over what people do, for apps that deliver it all in one stream: of one place one after the other, again until
 * it is taken, and the same thing once. Rejects only on abort.
 */
export function createHandOver(
  deps: { readonly clock: Clock; readonly hear: (heard: Heard) => Promise<void> },
  signal: AbortSignal,
): (heard: Heard) => Promise<void> {
  /** The end of what happened before, in each place. */
  const lanes = new Map<string, Promise<void>>();
  const known = new Map<string, Promise<void>>();
  return (heard) => {
    const before = known.get(heard.id);
    if (before !== undefined) return before;
    const policy = { ...POLICY, retryable: (error: unknown) => !isAbort(error) };
    const turn = (lanes.get(heard.place) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => retry(deps, policy, signal, () => deps.hear(heard)));
    lanes.set(heard.place, turn);
    known.set(heard.id, turn);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    void turn
      .catch(() => known.delete(heard.id))
      .finally(() => {
        if (lanes.get(heard.place) === turn) lanes.delete(heard.place);
      });
    return turn;
  };
}
