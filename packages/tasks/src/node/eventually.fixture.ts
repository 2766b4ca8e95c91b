import { vi } from "vitest";

/** Waits for what happens outside of this process or its clock; fails only when it does not happen at all. */
export function eventually<T>(holds: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(holds, { timeout: 25_000, interval: 5 });
}
