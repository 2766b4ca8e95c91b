import type { EventData } from "../canonical-event.ts";

/**
 * A message from Deputy itself in a session. The agent and people see that it is from Deputy; it does not
 * count as the user's words.
 */
export interface SessionNote {
  readonly from: string;
  readonly text: string;
}

/** In these messages Deputy asks an agent to look after things: nobody said them, and nobody is to read them. */
export const HEARTBEAT_CHANNEL = "heartbeat";

const CHANNEL = "note";
const MARK = "[Not written by the user; a note of Deputy's:] ";

/** The note as a message of a session. */
export function noteMessage({ from, text }: SessionNote): EventData<"user.message"> {
  return { text: `${MARK}${text}`, attachments: [], channel: CHANNEL, sender: from, trust: "untrusted" };
}

/** Undefined for what somebody said. */
export function readNote(message: {
  readonly text: string;
  readonly channel: string;
  readonly sender: string;
}): SessionNote | undefined {
  const { text, channel, sender } = message;
  if (channel !== CHANNEL) return undefined;
  return { from: sender, text: text.startsWith(MARK) ? text.slice(MARK.length) : text };
}

/** As people see it, in a line of its own. */
export function showNote({ from, text }: SessionNote): string {
  return `● ${from}: ${text}`;
}
