import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

// As vitest's setup: `vi.waitFor` and `vi.waitUntil` give up after one second, which a busy machine may need before it
// does anything at all.
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
