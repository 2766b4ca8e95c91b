// Threads that run scripts over the workspace on this disk.
export { openContainedShell } from "./open-contained-shell.ts";
