// Scripts over a copy of the workspace, where nothing else can be reached. Who may run them, and what becomes of their
// changes, does not belong here.
export {
  type ContainedRun,
  type ContainedResult,
  type ContainedSession,
  type ContainedShell,
  type ContainedStreams,
  type ContainedLimitName,
  type ContainedLimits,
  defaultContainedLimits,
  exitCodeOf,
} from "./contained-shell.ts";
