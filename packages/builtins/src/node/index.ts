// Commands on Node: sandboxes, processes, and what is kept of them.
// What does not belong here: anything a browser could run as it is.
export { createCommandRunner } from "./command-runner.ts";
export { createKeptOutput } from "./kept-output.ts";
export { chooseSandbox } from "./sandbox/choose-sandbox.ts";
export { createOuterShell } from "./sandbox/outer-shell.ts";
export { placeTerms } from "./sandbox/place-terms.ts";
export { createSandboxRecord } from "./sandbox/sandbox-record.ts";
