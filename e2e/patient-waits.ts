import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

// As vitest's setup: `vi.waitFor` gives up after one second, which a busy machine may need before it does anything at
// all.
const { waitFor } = vi;
if (waitFor.name !== "waitPatiently")
  vi.waitFor = function waitPatiently(look, options = {}) {
    return waitFor(look, {
      timeout: PATIENCE_MS,
      ...(typeof options === "number" ? { timeout: options } : options),
    });
  };
