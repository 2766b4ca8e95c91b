// MCP servers on Node: processes, and files about servers. What does not belong here: anything that also runs
// in a browser.
export { createChildTransports } from "./child-transport.ts";
export { openLoopbackSignIn } from "./loopback-sign-in.ts";
export { createPinFile } from "./pin-file.ts";
export { createSignInFile } from "./sign-in-file.ts";
export { scrubbedEnv } from "@deputy/tools/node/env";
