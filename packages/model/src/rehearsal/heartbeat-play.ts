import type { RehearsalAnswer } from "./rehearsal-answer.ts";

const PROMPT = "[Deputy's heartbeat;";
const REMINDERS = "Reminders that were set are due:";
const NOTHING_TO_TELL = "HEARTBEAT_OK";

/**
 * The answer to a heartbeat: reminders are repeated as they were set, and nothing else, because a script
 * cannot check anything. Undefined if the prompt is not a heartbeat's.
 */
export function playHeartbeat(said: string): RehearsalAnswer | undefined {
  if (!said.startsWith(PROMPT)) return undefined;
  const [, list] = said.split(`${REMINDERS}\n\n`);
  if (list === undefined) return { text: NOTHING_TO_TELL };
  // The last paragraph says what to do about them.
  return { text: list.split("\n\n").slice(0, -1).join("\n\n").replaceAll(/^- /gm, "") };
}
