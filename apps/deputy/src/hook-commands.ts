import { hookSchemes } from "@deputy/gateway/hooks";
import { type Command, Option } from "commander";
import type { Act } from "./decision-commands.ts";

/** `deputy hooks`: where others may report what happened. */
export function addHookCommands(program: Command, act: Act, readCount: (text: string) => number): void {
  const hooks = program
    .command("hooks")
    .description("webhooks: addresses where other machines report events");
  const count = (flags: string, what: string): Option => new Option(flags, what).argParser(readCount);
  hooks
    .command("list", { isDefault: true })
    .description("list the hooks")
    .action(act(async () => (await import("./commands/hooks.ts")).listHooks));
  hooks
    .command("add <name>")
    .description("make a hook; shows its address and secret only once")
    .addOption(
      new Option("--scheme <scheme>", "how the sender signs").choices(hookSchemes).default("standard"),
    )
    .option(
      "--secret <where>",
      "the sender's secret: env:NAME, file:/path, or - to read it from stdin and save it",
    )
    .option("--url <url>", "the address where the sender reaches this machine: https://hooks.example.org")
    .option("--schema <file>", "a JSON schema that payloads must match")
    .addOption(count("--max-bytes <n>", "refuse larger deliveries (default: 262144)"))
    .addOption(count("--max-per-minute <n>", "refuse more deliveries than this (default: 120)"))
    .action(act(async () => (await import("./commands/hooks.ts")).addHook));
  hooks
    .command("remove <name>")
    .description("remove a hook; what it received stays in the log")
    .action(act(async () => (await import("./commands/hooks.ts")).removeHook));
  hooks
    .command("deliveries <name>")
    .description("show what a hook, mailbox or folder received, newest last")
    .addOption(count("--limit <n>", "show at most this many").default(20))
    .action(act(async () => (await import("./commands/hooks.ts")).listDeliveries));
}
