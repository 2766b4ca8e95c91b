import { type ReadonlySignal, signal } from "@preact/signals-core";

const MINUTE_MS = 60_000;

/** The time, renewed every minute while the page is looked at. */
export function createTicker(life: AbortSignal): ReadonlySignal<number> {
  const now = signal(Date.now());
  const look = (): void => {
    if (document.visibilityState === "visible") now.value = Date.now();
  };
  const timer = setInterval(look, MINUTE_MS);
  document.addEventListener("visibilitychange", look, { signal: life });
  life.addEventListener("abort", () => clearInterval(timer), { once: true });
  return now;
}
