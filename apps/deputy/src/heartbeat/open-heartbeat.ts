import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { activeHours, createCheckStates, createHeartbeat, type Heartbeat } from "@deputy/tasks/heartbeat";
import { systemCodeOf } from "@deputy/kit";
import { openDiskFolder } from "../agents/disk-folder.ts";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";

const MAX_FILE_BYTES = 24_000;

/** The heartbeat of a home, over its engine. Starts nothing yet. */
export function openHeartbeat(deps: {
  readonly home: Pick<Home, "directory" | "config">;
  readonly engine: Pick<
    Engine,
    "patientLog" | "clock" | "sessions" | "conversations" | "outbox" | "agents" | "defaultAgent"
  >;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Heartbeat {
  const { home, engine, warn, onBug, signal } = deps;
  const { patientLog: log, clock, sessions, conversations, outbox, defaultAgent } = engine;
  const { enabled, intervalMinutes, activeHours: hours, timeZone, deliverTo } = home.config.heartbeat;
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const folder = openDiskFolder(resolve(home.directory, home.config.agents.workspacePath), {
    within: "anywhere",
  });
  const instructionsOf = async (slug: string, stop: AbortSignal): Promise<string> => {
    const read = await folder.read(`${slug}/HEARTBEAT.md`, MAX_FILE_BYTES, stop);
    if (read.kind === "unreadable") warn(`${slug}/HEARTBEAT.md cannot be read: ${read.why}.`);
    return read.kind === "text" ? read.text : "";
  };
  return createHeartbeat({
    log,
    clock,
    sessions,
    conversations,
    outbox,
    checks: createCheckStates({ log, fileState: (path) => fileState(home.directory, path) }),
    instructionsOf,
    agents: async (stop) => (await engine.agents.list(stop)).slugs,
    defaultAgent,
    sha256: (text) => createHash("sha256").update(text).digest("hex"),
    regular: enabled ? { everyMs: intervalMinutes * 60_000, hours: activeHours(hours, zone) } : undefined,
    // So that what is said in a session that nobody watches reaches the owner where notifications do.
    deliverTo: deliverTo === "last" ? home.config.notifications.deliverTo : deliverTo,
    onBug,
    signal,
  });
}

/** The same text while a file has not changed; a relative path is from `directory`. Never rejects for a file that cannot be read. */
export async function fileState(directory: string, path: string): Promise<string> {
  const whole = path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : resolve(directory, path);
  try {
    const { mtimeMs, size } = await stat(whole);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    return code;
  }
}
