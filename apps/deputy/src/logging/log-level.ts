/** From the fewest lines to the most. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `DEPUTY_LOG_LEVEL`, else what the settings say. What is no level is warned about, and the settings hold. */
export function logLevelOf(
  env: NodeJS.ProcessEnv,
  setting: LogLevel,
  warn: (text: string) => void,
): LogLevel {
  const given = env["DEPUTY_LOG_LEVEL"] ?? "";
  if (given === "") return setting;
  const level = LOG_LEVELS.find((known) => known === given.toLowerCase());
  if (level === undefined)
    warn(`DEPUTY_LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}; it is ${setting}.`);
  return level ?? setting;
}
