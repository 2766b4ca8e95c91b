import { type Command, Option } from "commander";
import type { Act } from "./command-groups.ts";

/** `deputy workspace …` */
export function addWorkspaceCommands(program: Command, act: Act): void {
  const workspace = program.command("workspace").description("the agents' copy of your files");
  workspace
    .command("status", { isDefault: true })
    .description("list what differs from your folder")
    .action(act(async () => (await import("./commands/workspace.ts")).showStatus));
  workspace
    .command("diff [paths...]")
    .description("show all differences line by line, or those at or under a path")
    .action(act(async () => (await import("./commands/workspace.ts")).showDiff));
  workspace
    .command("commit [paths...]")
    .description("show the changes, ask, and write them to your folder")
    .option("--yes", "do not ask, because you have reviewed the changes")
    .addHelpText("after", "\nExit codes: 0 written, 1 conflict or failure (nothing written), 3 you said no.")
    .action(act(async () => (await import("./commands/workspace.ts")).commitChanges));
  workspace
    .command("revert [paths...]")
    .description("discard changes: take those files from your folder again")
    .option("--all", "discard all changes")
    .action(act(async () => (await import("./commands/workspace.ts")).revertChanges));
  workspace
    .command("resolve <path>")
    .description("end a conflict of one file; without an option, show both sides in one text")
    .option("--ours", "take what agents have")
    .option("--theirs", "keep what your folder has")
    .option("--merged <file>", "take the text of this file; `-` is the input")
    .addHelpText(
      "after",
      "\nThe file then counts as a change of what your folder has now; `deputy workspace commit` writes it.",
    )
    .action(act(async () => (await import("./commands/workspace-resolve.ts")).resolveConflict));
  workspace
    .command("snapshots")
    .description("list the files' states before each turn that changed them")
    .action(act(async () => (await import("./commands/workspace.ts")).showSnapshots));
  workspace
    .command("undo [snapshot]")
    .description("take back what the last turn did to the files; again: the turn before; or go to a snapshot")
    .action(act(async () => (await import("./commands/workspace.ts")).undoChanges));
  workspace
    .command("import [dir]")
    .description("make the workspace a copy of a folder; without one, update it from the same folder")
    .addOption(
      new Option(
        "--exclude <name>",
        "leave out files and folders of that name (can be repeated; default: .git and node_modules)",
      ).argParser((name: string, before?: readonly string[]) => [...(before ?? []), name]),
    )
    .option("--discard", "import even if uncommitted changes are lost")
    .action(act(async () => (await import("./commands/workspace.ts")).importDirectory));
}
