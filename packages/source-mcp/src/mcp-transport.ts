import type { Transport } from "@modelcontextprotocol/client";
import type { ToolsError } from "@deputy/tools";

/** One way to connect to a server; a new one is made for each connection. */
export interface McpTransport {
  readonly transport: Transport;
  readonly kind: "stdio" | "http";
  /** Completes a sign-in that a request over it has begun; absent when signing in is not possible. */
  readonly finishAuth?: (answer: URLSearchParams) => Promise<void>;
  /** Tells the server that its session is over, if it has one. Never rejects. */
  readonly endSession?: () => Promise<void>;
  /** Why Deputy closed it, if it did: requests only see that it is closed. */
  readonly fault?: () => ToolsError | undefined;
  /** How a server that is a process has ended, in words; undefined while it runs. */
  readonly ended?: () => string | undefined;
  /** The last that a server that is a process wrote to stderr; undefined if that is nothing. */
  readonly said?: () => string | undefined;
}
