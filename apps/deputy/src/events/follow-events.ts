import { statSync } from "node:fs";
import { openTaskGroup } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { configFileOf } from "../config/config-file.ts";
import { readCurrent } from "../config/read-current.ts";
import type { Config } from "../config.ts";
import type { watchEvents } from "./watch-events.ts";

/** How soon a mailbox or a folder that was added is watched. */
const LOOK_MS = 1_000;

/**
 * Watches the mailboxes and folders in the settings, those too that are added later, until it is disposed. A change of
 * one opens all of them again, and each goes on where it was. While the file is invalid, the last valid one counts.
 */
export function followEvents(deps: Omit<Parameters<typeof watchEvents>[0], "events">): AsyncDisposable {
  const { home, engine, onBug } = deps;
  const group = openTaskGroup(deps.signal);
  const follow = async (signal: AbortSignal): Promise<void> => {
    let { events } = home.config;
    let stamp = "";
    while (!signal.aborted) {
      await using _watched =
        events.length === 0
          ? undefined
          : (await import("./watch-events.ts")).watchEvents({ ...deps, events, signal });
      let changed: Config["events"] | undefined;
      while (changed === undefined) {
        const now = stampOf(home.directory);
        if (now !== stamp) {
          stamp = now;
          changed = changedEvents(home, events, onBug);
        }
        if (changed === undefined) await engine.clock.sleep(LOOK_MS, signal);
      }
      events = changed;
    }
  };
  group.spawn(async (signal) => {
    try {
      await follow(signal);
    } catch (error) {
      if (!signal.aborted) onBug(error);
    }
  });
  return group;
}

/** Undefined if they are the same, or cannot be read. */
function changedEvents(
  home: Parameters<typeof readCurrent>[0],
  before: Config["events"],
  onBug: (error: unknown) => void,
): Config["events"] | undefined {
  try {
    const { events } = readCurrent(home).config;
    return JSON.stringify(events) === JSON.stringify(before) ? undefined : events;
  } catch (error) {
    if (!(error instanceof AppError)) onBug(error);
    return undefined;
  }
}

/** Changes whenever the file does. */
function stampOf(directory: string): string {
  const stat = statSync(configFileOf(directory), { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
