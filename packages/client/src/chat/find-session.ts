import type { SessionEntry, SessionReader } from "@deputy/agent/sessions";
import { makeVisible } from "@deputy/kit";
import { ClientError } from "../client-error.ts";
import { terminalKey } from "./terminal-key.ts";

/** Finds a session by its id, its key, or, for one of the terminal, its name. Throws `unknown_stream`. */
export async function findSession(
  sessions: Pick<SessionReader, "find">,
  name: string,
): Promise<SessionEntry> {
  const session = (await sessions.find(name)) ?? (await sessions.find(terminalKey(name)));
  if (session !== undefined) return session;
  throw new ClientError("unknown_stream", `There is no session “${makeVisible(name)}”`, {
    hint: "`deputy sessions list` shows them; take an id or a key from there.",
  });
}
