import type { ResolveData } from "@workflow/world";

/** The values that are left out for a reader who does not want data. */
const DATA = ["input", "output", "metadata", "eventData"] as const;

/** An entity or event, with or without data as `resolveData` says. */
export function withoutData<T extends object>(value: T, resolveData: ResolveData | undefined): T {
  if (resolveData !== "none") return value;
  const present = DATA.filter((name) => name in value);
  return { ...value, ...Object.fromEntries(present.map((name) => [name, undefined])) };
}
