// MCP servers as a source of tools, for any platform with fetch. The SDK is loaded with the first connection.
// What does not belong here: processes, files, listeners (see ../node).
export type { ConnectionDeps, ConnectionLimits, McpConnection } from "./connection.ts";
export type { Listing } from "./listing.ts";
export { type McpSource, openMcpSource } from "./mcp-source.ts";
export type { McpTransport } from "./mcp-transport.ts";
export type { OAuthSettings } from "./oauth/oauth-provider.ts";
export type { SignInStore } from "./oauth/sign-in-store.ts";
export type { Pins, PinStore } from "./pins.ts";
export { pinServer } from "./compare-listing.ts";
export { showHidden } from "./show-hidden.ts";
