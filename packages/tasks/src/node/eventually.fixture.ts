import { vi } from "vitest";

/** Waits for something outside of this process or its clock; fails only if it never happens. */
export function eventually<T>(holds: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(holds, { timeout: 25_000, interval: 5 });
}
