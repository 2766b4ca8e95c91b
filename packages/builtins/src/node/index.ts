// Commands on Node: sandboxes, processes, and what is kept of them.
// What does not belong here: anything a browser could run as it is.
export { chooseSandbox, type SandboxChoice } from "./choose-sandbox.ts";
export { createCommandRunner } from "./create-command-runner.ts";
export { namedFiles } from "./named-files.ts";
export { createProcessRecord, endLeftProcesses } from "./process-record.ts";
export { createSandboxRecord } from "./sandbox-record.ts";
