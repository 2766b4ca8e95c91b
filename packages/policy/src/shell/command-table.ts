import { fileCommands } from "./commands/file-commands.ts";
import { filterCommands } from "./commands/filter-commands.ts";
import { find } from "./commands/find-command.ts";
import { createGit } from "./commands/git-command.ts";
import { plainCommands } from "./commands/plain-commands.ts";
import { shellBuiltins } from "./commands/shell-builtins.ts";
import { tar } from "./commands/tar-command.ts";
import { textCommands } from "./commands/text-commands.ts";
import { wrapperCommands } from "./commands/wrapper-commands.ts";
import type { CommandTable } from "./command-spec.ts";

/** Every command whose arguments are understood. A command that is not here always asks. */
export function createCommandTable(deps: {
  readonly gitRiskIn: (directory: string) => string | undefined;
  readonly noteGitRun: () => void;
}): CommandTable {
  return {
    ...textCommands,
    ...plainCommands,
    ...fileCommands,
    ...filterCommands,
    ...wrapperCommands,
    ...shellBuiltins,
    find,
    tar,
    git: createGit(deps.gitRiskIn, deps.noteGitRun),
    // What it changes is in judge-builtin.ts.
    cd: () => undefined,
  };
}
