// The tools that Deputy brings: files, commands, the web, and Deputy itself.
// What does not belong here: processes, and anything that reads a disk (see ./node).
export type { CommandJudge } from "./bash/judged-command.ts";
export { builtinSource } from "./builtin-source.ts";
export type { Process, ProcessRegistry } from "./exec/process-registry.ts";
export type { OwnMemory, Proposal } from "./own-tools/memory-tools.ts";
export type { HookWish, OwnHooks } from "./own-tools/hook-tools.ts";
export type { OwnServices } from "./own-tools/own-services.ts";
export type { SessionLine } from "./own-tools/session-tools.ts";
export { todoInputSchema } from "./own-tools/todo-tools.ts";
export { OWN_NAMESPACES } from "./builtin-source.ts";
export type { SearchProvider } from "./web/web-tools.ts";
export type { WebDeps } from "./web/web-tools.ts";
export type { FurtherFolders, FurtherPlace } from "./files/further-folders.ts";
export type { CommandPlace } from "./sandbox/command-place.ts";
export type { SandboxAudit } from "./sandbox/sandbox-audit.ts";
