import { type Command, Option } from "commander";
import type { Act } from "./desk-commands.ts";

/** `deputy tools add mcp`, `approve`, `auth` and `servers`: MCP servers as a source of tools. */
export function addMcpCommands(tools: Command, add: Command, act: Act): void {
  const yes = new Option("--yes", "do not ask: have them as they are shown");
  const gather = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  add
    .command("mcp <name> [command...]")
    .description("an MCP server: a command after --, or --url; shows its tools and asks")
    .option("--url <url>", "of a server that is asked over HTTP")
    .option("--oauth", "with --url: it takes signing in")
    .addOption(
      new Option(
        "--env <name=value>",
        "a variable of the command; the value may be env:NAME or file:/path",
      ).argParser(gather),
    )
    .addOption(
      new Option(
        "--header <name=value>",
        "with --url: sent with every request; a secret as env:NAME",
      ).argParser(gather),
    )
    .option("--cwd <dir>", "where the command runs (else here)")
    .addOption(yes)
    .addHelpText("after", "\nExit codes: 0 added, 1 failed or not wanted, 2 wrong usage.")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).addMcp));
  tools
    .command("approve <name>")
    .description("look at what an MCP server's tools have become, and have them so")
    .addOption(yes)
    .action(act(async () => (await import("./commands/mcp-tools.ts")).approveMcp));
  tools
    .command("auth <name>")
    .description("sign in to an MCP server, by way of a browser")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).authMcp));
  tools
    .command("servers")
    .description("the MCP servers, and whether their tools are what you looked at")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).listServers));
}
