// The agents' copy of the user's files, and how changes reach the real ones. What does not belong here: who
// may commit, tools, and anything that touches a disk (see ./node).
export type { FileFacts } from "./base.ts";
export type { Change, ChangeSet } from "./change-set.ts";
export type { CommitOutcome, CommittedFile, Conflict } from "./commit-plan.ts";
export { createWorkspace } from "./create-workspace.ts";
export type { FileDiff } from "./file-diff.ts";
export type { FileTree, TreeEntry, TreeStat, WriteOptions } from "./file-tree.ts";
export { createMemoryFileTree } from "./memory/memory-file-tree.ts";
export { createMemoryShadowStore } from "./memory/memory-shadow-store.ts";
export { markConflicts, mergeTexts } from "./merge3.ts";
export { recordChanges, type WorkspaceRecord } from "./recorded-workspace.ts";
export type { Skipped } from "./walk.ts";
export {
  type Applied,
  DEFAULT_EXCLUDE,
  type FileInfo,
  type ImportReport,
  type Review,
  type SnapshotInfo,
  type TreeChange,
  type Undone,
  type Workspace,
} from "./workspace.ts";
export { WorkspaceError, type WorkspaceErrorCode, workspaceErrorCodes } from "./workspace-error.ts";
export { DEFAULT_WORKSPACE_LIMITS, type WorkspaceLimits } from "./workspace-limits.ts";
export { createWorkspaceLane, type WorkspaceLane } from "./workspace-lane.ts";
export { readChangePath, readPath } from "./workspace-path.ts";
