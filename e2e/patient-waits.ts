import { vi } from "vitest";

/** As long as `expect.poll` in vitest.config.ts. */
const PATIENCE_MS = 30_000;

// As vitest's setup: `vi.waitFor` gives up after one second, which a busy machine may need before it does anything at
// all. What holds ends the wait, so that patience costs time only where a test fails.
const { waitFor } = vi;
if (waitFor.name !== "waitPatiently")
  vi.waitFor = function waitPatiently(look, options = {}) {
    return waitFor(look, {
      timeout: PATIENCE_MS,
      ...(typeof options === "number" ? { timeout: options } : options),
    });
  };
