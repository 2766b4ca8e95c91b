import type { EventData } from "./canonical-event.ts";

/** What Deputy itself tells a session: shown to the agent, and to people by whom it is. Nobody's word. */
export interface SessionNote {
  readonly from: string;
  readonly text: string;
}

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
