import { homedir } from "node:os";
import { createPathFacts } from "@deputy/shell-gate/node";
import {
  createShellGate,
  DEFAULT_ALLOWED_COMMANDS,
  DEFAULT_EXTRA_VALIDATION,
  type ShellGate,
} from "@deputy/shell-gate";
import { findTreeFolder } from "@deputy/workspace/node";
import { locateDirectory, workspaceDirectoryOf } from "../builtins/workspace-directory.ts";
import type { Home } from "../home.ts";

/** Values that replace those of the configuration, or add to them. */
export interface ShellGateOverrides {
  readonly workspace?: string | undefined;
  readonly startDirectory?: string | undefined;
  readonly alsoRead?: readonly string[] | undefined;
  readonly alsoWrite?: readonly string[] | undefined;
}

/** The configured gate for host commands. The home itself is always closed to them. */
export function openShellGate(
  home: Pick<Home, "directory" | "config">,
  overrides: ShellGateOverrides = {},
): ShellGate {
  const { security } = home.config;
  const locate = (path: string): string => locateDirectory(home.directory, path);
  return createShellGate({
    facts: createPathFacts(),
    directories: {
      workspace: overrides.workspace ?? workspaceOf(home),
      read: [...security.additionalReadDirs.map(locate), ...(overrides.alsoRead ?? [])],
      write: [...security.additionalWriteDirs.map(locate), ...(overrides.alsoWrite ?? [])],
      protected: [home.directory],
    },
    allowedCommands: security.allowedCommands ?? DEFAULT_ALLOWED_COMMANDS,
    commandsNeedingExtraValidation: security.commandsNeedingExtraValidation ?? DEFAULT_EXTRA_VALIDATION,
    homeDirectory: homedir(),
    startDirectory: overrides.startDirectory,
  });
}

/** The folder in which commands run: the workspace's files, once there are any. */
export function workspaceOf(home: Pick<Home, "directory" | "config">): string {
  const directory = workspaceDirectoryOf(home);
  return findTreeFolder(directory) ?? directory;
}
