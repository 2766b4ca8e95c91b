import type { ServerContext } from "@modelcontextprotocol/server";

/** Tells a client that wants it how a call goes on; one that does not, or has left, is told nothing. */
export function progressTo({ mcpReq }: ServerContext): (message: string) => Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return async (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
