import type { SessionEntry, SessionReader } from "@deputy/agent";
import { makeVisible } from "@deputy/kit";
import { StoreError } from "@deputy/store/sqlite";

/** By its id or its key. Throws `unknown_stream`. */
export async function findSession(
  sessions: Pick<SessionReader, "find">,
  idOrKey: string,
): Promise<SessionEntry> {
  const session = await sessions.find(idOrKey);
  if (session !== undefined) return session;
  throw new StoreError("unknown_stream", `There is no session “${makeVisible(idOrKey)}”`, {
    hint: "`deputy sessions list` shows them; it takes an id or a key.",
  });
}
