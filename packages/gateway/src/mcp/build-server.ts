import type { McpServer } from "@modelcontextprotocol/server";

/** Makes the server that answers one exchange of the newer protocol, or one session of the older. */
export type BuildServer = (client: McpClient) => McpServer;

export interface McpClient {
  /** `modern`: what a call needs to know is asked in its answer, and the client calls again. */
  readonly era: "modern" | "legacy";
  /**
   * Aborts when calls have to end that nobody cancelled: the gateway stops, or the session is forgotten. What
   * they began goes on without them.
   */
  readonly leaves: AbortSignal;
}
