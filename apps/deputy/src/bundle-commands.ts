import { type Command, Option } from "commander";
import type { Act } from "./command-groups.ts";

/** `deputy bundles`: programs for the contained shell, signed. */
export function addBundleCommands(program: Command, act: Act): void {
  const bundles = program
    .command("bundles")
    .description("list, add, verify and remove signed programs for `deputy sh` and agents' scripts");
  bundles
    .command("list", { isDefault: true })
    .description("list what is installed, and what there is")
    .action(act(async () => (await import("./commands/bundles.ts")).listBundles));
  bundles
    .command("add <name>")
    .description("bring a bundle here and verify it: NAME, NAME@VERSION or REGISTRY/NAME")
    .addOption(
      new Option(
        "--from <dir>",
        "a folder that has its packages already, as `npm pack` or `npm install` leaves them (can be repeated)",
      ).argParser((folder: string, before?: readonly string[]) => [...(before ?? []), folder]),
    )
    .action(act(async () => (await import("./commands/bundles.ts")).addBundle));
  bundles
    .command("remove <name>")
    .description("remove a bundle and its files")
    .action(act(async () => (await import("./commands/bundles.ts")).removeBundle));
  bundles
    .command("verify")
    .description("check every byte of what is installed")
    .addHelpText("after", "\nExit codes: 0 everything is as it was signed, 1 something is not.")
    .action(act(async () => (await import("./commands/bundles.ts")).verifyBundles));
  bundles
    .command("show <name>")
    .description("show the commands, sources and licences of an installed bundle")
    .action(act(async () => (await import("./commands/bundles.ts")).showBundle));
  bundles
    .command("update")
    .description("read the registries again: what they offer, and what they took back")
    .action(act(async () => (await import("./commands/bundles.ts")).updateRegistries));
  bundles
    .command("keygen <file>")
    .description("make a key for a registry of your own; prints its public half")
    .action(act(async () => (await import("./commands/bundles.ts")).makeKey));
  bundles
    .command("sign <kind> <file>")
    .description("sign a manifest or a registry, and print its signed form")
    .requiredOption("--key <file>", "the key that signs, made by keygen")
    .action(act(async () => (await import("./commands/bundles.ts")).signOne));
}
