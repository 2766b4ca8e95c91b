import type { McpServer } from "@modelcontextprotocol/server";

/** Makes the server that answers one exchange of the newer protocol, or one session of the older. */
export type BuildServer = (client: McpClient) => McpServer;

export interface McpClient {
  /** `modern`: a question to the user is part of the answer, and the client calls again. */
  readonly era: "modern" | "legacy";
  /**
   * Aborts when calls have to end without being cancelled: the gateway stops, or the session is forgotten. The tasks
   * that they began continue without them.
   */
  readonly leaves: AbortSignal;
}
