// Threads that run scripts over the workspace on this disk.
export { openContainedShell, type ScriptRepository } from "./open-contained-shell.ts";
export type { OuterShell } from "./process-box.ts";
export { askHost } from "./ask-host.ts";
