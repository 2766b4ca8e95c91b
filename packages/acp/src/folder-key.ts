import { isAbsolute } from "node:path";
import { sessionKeyOf } from "@deputy/agent/sessions";

export const ACP_CHANNEL = "acp";

const PREFIX = `${ACP_CHANNEL}--`;
/** The longest key. */
const MOST_KEY_CHARS = 500;

/** The key of sessions that an editor began in that folder: they all share it. */
export function keyOfFolder(folder: string): string {
  const key = sessionKeyOf({ channel: ACP_CHANNEL, sender: folder });
  // Such sessions are continued by their id. Lists do not know their folder and leave them out.
  return key.length <= MOST_KEY_CHARS ? key : sessionKeyOf({ channel: ACP_CHANNEL, sender: "long" });
}

/** Undefined for a session that no editor began, or whose folder is not known. */
export function folderOfKey(key: string): string | undefined {
  if (!key.startsWith(PREFIX)) return undefined;
  try {
    const name = decodeURIComponent(key.slice(PREFIX.length).replaceAll("~", "%"));
    return isAbsolute(name) ? name : undefined;
  } catch {
    // Not one of our keys.
    return undefined;
  }
}
