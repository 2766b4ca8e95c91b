import type { Transport } from "@modelcontextprotocol/client";
import type { ToolsError } from "@deputy/tools";

/** One way to connect to a server; a new one is made for each connection. */
export interface McpTransport {
  readonly transport: Transport;
  readonly kind: "stdio" | "http";
  /** Completes a sign-in that a request over it has begun; absent when signing in is not possible. */
  readonly finishAuth?: (answer: URLSearchParams) => Promise<void>;
  /** Tells the server that its session is over, where it has one. Never rejects. */
  readonly endSession?: () => Promise<void>;
  /** Why Deputy broke it off, where it did: requests only learn that it is closed. */
  readonly fault?: () => ToolsError | undefined;
}
