import { existsSync } from "node:fs";
import type { Clock } from "@deputy/kit";
import type { PlacedEvents } from "../log/index.ts";
import { dailyFiles, putDailyAside } from "./daily-files.ts";
import { openDailyWriter } from "./daily-writer.ts";

/**
 * Writes all daily files again from the log, which can take long. Keeps the old ones under the returned name.
 * No other process may use the home.
 */
export async function rebuildDaily(deps: {
  readonly home: string;
  readonly events: PlacedEvents;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
}): Promise<string | undefined> {
  const files = dailyFiles(deps.home);
  const aside = existsSync(files.directory) ? putDailyAside(files, deps.clock.now()) : undefined;
  await openDailyWriter({ ...deps, limits: { drainMs: Infinity } }).close();
  return aside;
}
