/** How often it is looked whether time has passed unnoticed. */
const LOOK_MS = 10_000;
/** A look that comes this much later than it should: the machine has slept. */
const SLEPT_MS = 15_000;

/**
 * Calls `woke` when this page may have missed something: the machine has slept, the network is another, the reader has
 * come back. Calls `look` now and then while the page is looked at.
 */
export function watchWaking(woke: () => void, look: () => void, life: AbortSignal): void {
  let lookedMs = Date.now();
  const timer = setInterval(() => {
    const nowMs = Date.now();
    const hasSlept = nowMs - lookedMs > LOOK_MS + SLEPT_MS;
    lookedMs = nowMs;
    if (hasSlept) woke();
    else if (document.visibilityState === "visible") look();
  }, LOOK_MS);
  life.addEventListener("abort", () => clearInterval(timer), { once: true });
  const options = { signal: life };
  window.addEventListener("online", woke, options);
  window.addEventListener("offline", woke, options);
  window.addEventListener("pageshow", ({ persisted }) => persisted && woke(), options);
  document.addEventListener(
    "visibilitychange",
    () => document.visibilityState === "visible" && woke(),
    options,
  );
}
