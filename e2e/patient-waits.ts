import { vi } from "vitest";

/** As long as `expect.poll` in vitest.config.ts. */
const PATIENCE_MS = 60_000;

// As vitest's setup: `vi.waitFor` and `vi.waitUntil` give up after one second, which a busy machine may need before it
// does anything at all. What holds ends the wait, so that patience costs time only where a test fails.
const { waitFor, waitUntil } = vi;
if (waitFor.name !== "waitPatiently") {
  vi.waitFor = function waitPatiently(look, options) {
    return waitFor(look, patient(options));
  };
  vi.waitUntil = function waitUntilPatiently(look, options) {
    return waitUntil(look, patient(options));
  };
}

interface Waiting {
  readonly timeout?: number;
  readonly interval?: number;
}

function patient(options: number | Waiting = {}): Waiting {
  return { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) };
}
