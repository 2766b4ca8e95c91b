// Runs scripts as bash does. Commands themselves (grep, sed, …) and where files are kept do not belong here.
export { builtinNames } from "./builtins/builtins.ts";
export type { CommandRun, CommandTable, ExternalCommand } from "./command-table.ts";
export { createShell, type ShellRun, type ShellRunner, type ShellSession } from "./create-shell.ts";
export { isWholeScript } from "./parse/is-whole-script.ts";
export { BrokenPipe, type ByteSink, type ByteSource, type Channel } from "./io/channel.ts";
export { defaultShellLimits, type ShellLimits } from "./limits.ts";
export { ShellError, type ShellErrorCode, shellErrorCodes } from "./shell-error.ts";
