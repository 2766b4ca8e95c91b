// The workspace on a local disk.
export { findTreeFolder } from "./find-tree-folder.ts";
export { type LocalWorkspace, openLocalWorkspace } from "./open-local-workspace.ts";
export { createLocalFileTree } from "./local-file-tree.ts";
