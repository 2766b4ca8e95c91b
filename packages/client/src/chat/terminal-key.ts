import { sessionKeyOf } from "@deputy/agent/sessions";
import { parseId } from "@deputy/kit";

export const TERMINAL_CHANNEL = "terminal";

/** The key that a name stands for; an id or a key stands for itself. */
export function terminalKey(name: string): string {
  const isShort = name !== "" && parseId("session", name) === undefined && !name.includes("--");
  return isShort ? sessionKeyOf({ channel: TERMINAL_CHANNEL, sender: name }) : name;
}
