// The gate for host command lines. What runs them, and asking the user, are not here.
export { DEFAULT_ALLOWED_COMMANDS, DEFAULT_EXTRA_VALIDATION } from "./default-commands.ts";
export { type CommandListing, listCommands, type ListedCommand } from "./list-commands.ts";
export { MAX_COMMAND_CHARS } from "./limits.ts";
export type { Entry, PathFacts } from "./paths/path-facts.ts";
export { createShellGate, type ShellGate, type ShellGateDeps } from "./shell-gate.ts";
export type { ShellVerdict } from "./shell-verdict.ts";
export type { Directories } from "./paths/zones.ts";
