import { hookSchemes } from "@deputy/gateway/hooks";
import { type Command, Option } from "commander";
import type { Act } from "./desk-commands.ts";

/** `deputy hooks`: where others may report what happened. */
export function addHookCommands(program: Command, act: Act, readCount: (text: string) => number): void {
  const hooks = program.command("hooks").description("webhooks: where others may report what happened");
  const count = (flags: string, what: string): Option => new Option(flags, what).argParser(readCount);
  hooks
    .command("list", { isDefault: true })
    .description("the hooks there are")
    .action(act(async () => (await import("./commands/hooks.ts")).listHooks));
  hooks
    .command("add <name>")
    .description("make one; shows its address and secret, once")
    .addOption(
      new Option("--scheme <scheme>", "how its sender signs").choices(hookSchemes).default("standard"),
    )
    .option("--secret <where>", "of the sender's own: env:NAME, file:/path, or - to keep what stdin gives")
    .option("--url <url>", "where its sender reaches this machine: https://hooks.example.org")
    .option("--schema <file>", "a JSON schema that payloads must fit")
    .addOption(count("--max-bytes <n>", "larger deliveries are refused (else 262144)"))
    .addOption(count("--max-per-minute <n>", "so are more of them (else 120)"))
    .action(act(async () => (await import("./commands/hooks.ts")).addHook));
  hooks
    .command("remove <name>")
    .description("take one away; what came to it stays in the log")
    .action(act(async () => (await import("./commands/hooks.ts")).removeHook));
  hooks
    .command("deliveries <name>")
    .description("what came to one, the newest last")
    .addOption(count("--limit <n>", "at most so many").default(20))
    .action(act(async () => (await import("./commands/hooks.ts")).listDeliveries));
}
