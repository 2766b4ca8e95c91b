import { type Command, Option } from "commander";
import type { Act } from "./command-groups.ts";

/** `deputy workspace` and `deputy sh`: the agents' copy of your files, and scripts over it. */
export function addWorkspaceCommands(program: Command, act: Act): void {
  const workspace = program.command("workspace").description("the agents' copy of your files");
  workspace
    .command("status", { isDefault: true })
    .description("list what differs from your folder")
    .action(act(async () => (await import("./workspace/workspace.ts")).showStatus));
  workspace
    .command("diff [paths...]")
    .description("show all differences line by line, or those at or under a path")
    .action(act(async () => (await import("./workspace/workspace.ts")).showDiff));
  workspace
    .command("commit [paths...]")
    .description("show the changes, ask, and write them to your folder")
    .option("--yes", "do not ask, because you have reviewed the changes")
    .addHelpText("after", "\nExit codes: 0 written, 1 conflict or failure (nothing written), 3 you said no.")
    .action(act(async () => (await import("./workspace/workspace.ts")).commitChanges));
  workspace
    .command("revert [paths...]")
    .description("discard changes: take those files from your folder again")
    .option("--all", "discard all changes")
    .action(act(async () => (await import("./workspace/workspace.ts")).revertChanges));
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
    .action(act(async () => (await import("./workspace/workspace-resolve.ts")).resolveConflict));
  workspace
    .command("snapshots")
    .description("list the files' states before each turn that changed them")
    .action(act(async () => (await import("./workspace/workspace.ts")).showSnapshots));
  workspace
    .command("undo [snapshot]")
    .description("take back what the last turn did to the files; again: the turn before; or go to a snapshot")
    .action(act(async () => (await import("./workspace/workspace.ts")).undoChanges));
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
    .action(act(async () => (await import("./workspace/workspace.ts")).importDirectory));

  program
    .command("sh [file] [args...]")
    .description("run a script, or a shell to type in, over the workspace: it can reach nothing else")
    .option("-c, --command <script>", "run this script; the words after it are $0, $1 …")
    .option("--import <dir>", "first make the workspace a copy of this folder")
    .option("--commit", "afterwards show the changes, ask, and write them to your folder")
    .option("--yes", "with --commit: do not ask")
    .addHelpText(
      "after",
      "\nWithout a file and -c, it reads commands from you, or a script from its input. It exits as the script does; 124 and 137 mean that a limit ended it.",
    )
    .action(act(async () => (await import("./workspace/sh.ts")).runShell));
}

/** `deputy bundles`: programs for the contained shell, signed. */
export function addBundleCommands(program: Command, act: Act): void {
  const bundles = program
    .command("bundles")
    .description("list, add, verify and remove signed programs for `deputy sh` and agents' scripts");
  bundles
    .command("list", { isDefault: true })
    .description("list what is installed, and what there is")
    .action(act(async () => (await import("./workspace/bundles.ts")).listBundles));
  bundles
    .command("add <name>")
    .description("bring a bundle here and verify it: NAME, NAME@VERSION or REGISTRY/NAME")
    .addOption(
      new Option(
        "--from <dir>",
        "a folder that has its packages already, as `npm pack` or `npm install` leaves them (can be repeated)",
      ).argParser((folder: string, before?: readonly string[]) => [...(before ?? []), folder]),
    )
    .action(act(async () => (await import("./workspace/bundles.ts")).addBundle));
  bundles
    .command("remove <name>")
    .description("remove a bundle and its files")
    .action(act(async () => (await import("./workspace/bundles.ts")).removeBundle));
  bundles
    .command("verify")
    .description("check every byte of what is installed")
    .addHelpText("after", "\nExit codes: 0 everything is as it was signed, 1 something is not.")
    .action(act(async () => (await import("./workspace/bundles.ts")).verifyBundles));
  bundles
    .command("show <name>")
    .description("show the commands, sources and licences of an installed bundle")
    .action(act(async () => (await import("./workspace/bundles.ts")).showBundle));
  bundles
    .command("update")
    .description("read the registries again: what they offer, and what they took back")
    .action(act(async () => (await import("./workspace/bundles.ts")).updateRegistries));
  bundles
    .command("keygen <file>")
    .description("make a key for a registry of your own; prints its public half")
    .action(act(async () => (await import("./workspace/bundles.ts")).makeKey));
  bundles
    .command("sign <kind> <file>")
    .description("sign a manifest or a registry, and print its signed form")
    .requiredOption("--key <file>", "the key that signs, made by keygen")
    .action(act(async () => (await import("./workspace/bundles.ts")).signOne));
}
