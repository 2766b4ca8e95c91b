import type { ResolveData } from "@workflow/world";

/** The values that a reader who wants none is not given. */
const DATA = ["input", "output", "metadata", "eventData"] as const;

/** An entity or event as `resolveData` asks for it. */
export function withoutData<T extends object>(value: T, resolveData: ResolveData | undefined): T {
  if (resolveData !== "none") return value;
  const present = DATA.filter((name) => name in value);
  return { ...value, ...Object.fromEntries(present.map((name) => [name, undefined])) };
}
