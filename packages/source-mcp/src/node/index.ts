// MCP servers on Node: processes, and what is kept of servers in files.
// What does not belong here: anything a browser could run as it is.
export { createChildTransports } from "./child-transport.ts";
export { openLoopbackSignIn } from "./loopback-sign-in.ts";
export { createPinFile } from "./pin-file.ts";
export { createSignInFile } from "./sign-in-file.ts";
export { scrubbedEnv } from "@deputy/tools/node/env";
