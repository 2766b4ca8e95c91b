// Tools on Node: plugin files.
// What does not belong here: anything a browser could run as it is.
export type { PluginModules } from "./install-plugin-resolution.ts";
export { type OpenPlugin, openPlugin } from "./plugins/open-plugin.ts";
export { chooseSandbox, type SandboxChoice } from "./command/choose-sandbox.ts";
export { createSandboxRecord } from "./command/sandbox-record.ts";
export { createProcessRecord, endLeftProcesses } from "./command/process-record.ts";
export { createCommandRunner } from "./command/create-command-runner.ts";
export { namedFiles } from "./command/named-files.ts";
export { readSpec } from "./openapi/read-spec.ts";
