// Code mode in a page: the sandbox in Web Workers. The worker's own entry is sandbox-worker.ts.
// What does not belong here: anything that a worker imports.
export { type BrowserSandboxDeps, createBrowserSandbox } from "./worker-sandbox.ts";
