// The gateway: what listens, and what it answers. Engines, stores and the page's files are handed in.
export type { MemoryDoor } from "./routes/memory-routes.ts";
export { createGateway, type Gateway, type GatewayDeps } from "./gateway.ts";
export { GatewayError, type GatewayErrorCode, gatewayErrorCodes } from "./gateway-error.ts";
export { defaultGatewayLimits, type GatewayLimits } from "./gateway-limits.ts";
export type { AuditDoor, BackgroundDoor } from "./ws/methods/activity-handlers.ts";
export type { Hook } from "./hooks/hook.ts";
export type { Route, RouteAddress } from "./route.ts";
export type { PageFile, PageFiles } from "./routes/page-routes.ts";
export type { SignInRecord, SignInStore } from "./sign-in/page-sessions.ts";
export type { SetupContext, SetupDoor } from "./ws/methods/setup-handlers.ts";
