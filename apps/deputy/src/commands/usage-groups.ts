/** The groups by which usage can be summed up. */
export const usageGroups = ["day", "model", "session"] as const;
export type UsageGroup = (typeof usageGroups)[number];
