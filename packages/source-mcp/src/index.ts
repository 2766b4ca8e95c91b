// MCP servers as a source of tools, wherever there is a fetch. The SDK is loaded with the first connection.
// What does not belong here: processes, files, listeners (see ../node).
export {
  type ConnectionDeps,
  type ConnectionLimits,
  createConnection,
  type McpConnection,
} from "./connection.ts";
export { createHttpTransports } from "./http-transport.ts";
export type { Listing } from "./listing.ts";
export { type McpSource, openMcpSource } from "./mcp-source.ts";
export type { McpTransport } from "./mcp-transport.ts";
export { createOAuthProvider, type OAuthSettings } from "./oauth/oauth-provider.ts";
export type { SignInStore } from "./oauth/sign-in-store.ts";
export type { Pins, PinStore } from "./pins.ts";
export { declineListing, inspectServer, pinServer, reviewListing, standingOf } from "./review.ts";
export { createServerFetch } from "./server-fetch.ts";
export { showHidden } from "./show-hidden.ts";
