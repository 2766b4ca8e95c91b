import { type ListSessionsRequest, type ListSessionsResponse, RequestError } from "@agentclientprotocol/sdk";
import type { SessionSummary } from "@deputy/agent/sessions";
import { folderOfKey } from "./folder-key.ts";

const PAGE = 50;

/** Those that an editor began, the one used last first. A cursor is the last session that was told. */
export function listSessions(
  sessions: readonly SessionSummary[],
  { cwd, cursor }: ListSessionsRequest,
): ListSessionsResponse {
  const listed = sessions.flatMap(({ id, key, title, lastAt }) => {
    const folder = folderOfKey(key);
    if (folder === undefined || folder !== (cwd ?? folder)) return [];
    return [{ sessionId: id, cwd: folder, title, updatedAt: lastAt }];
  });
  const isFirst = cursor === undefined || cursor === null;
  const after = isFirst ? -1 : listed.findIndex(({ sessionId }) => sessionId === cursor);
  if (!isFirst && after < 0) throw RequestError.invalidParams(undefined, "That is no cursor of this list");
  const page = listed.slice(after + 1, after + 1 + PAGE);
  const last = page.at(-1);
  const hasMore = after + 1 + PAGE < listed.length;
  return { sessions: page, ...(hasMore && last !== undefined ? { nextCursor: last.sessionId } : {}) };
}
