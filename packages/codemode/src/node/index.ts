// Code mode on Node: the sandbox in worker threads, TypeScript's native checker, Node's type stripper.
// What does not belong here: anything a browser could run as it is.
export { createNodeTypeChecker, type NodeTypeCheckerOptions } from "./type-checker.ts";
export { createNodeTypeStripper } from "./type-stripper.ts";
export { createWorkerSandbox, type WorkerSandboxOptions } from "./worker-sandbox.ts";
