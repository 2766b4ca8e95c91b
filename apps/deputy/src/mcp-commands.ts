import { type Command, Option } from "commander";
import type { Act } from "./decision-commands.ts";

/** `deputy tools add mcp`, `approve`, `auth` and `servers`: MCP servers as a source of tools. */
export function addMcpCommands(tools: Command, add: Command, act: Act): void {
  const yes = new Option("--yes", "do not ask, accept the tools as shown");
  const gather = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  add
    .command("mcp <name> [command...]")
    .description("connect an MCP server: a command after --, or --url; shows its tools and asks")
    .option("--url <url>", "the address of a server over HTTP")
    .option("--oauth", "with --url: sign in with OAuth")
    .addOption(
      new Option(
        "--env <name=value>",
        "an environment variable for the command; the value can be env:NAME or file:/path",
      ).argParser(gather),
    )
    .addOption(
      new Option(
        "--header <name=value>",
        "with --url: a header for every request; give a secret as env:NAME",
      ).argParser(gather),
    )
    .option("--cwd <dir>", "the directory that the command runs in (default: this one)")
    .addOption(yes)
    .addHelpText("after", "\nExit codes: 0 added, 1 failed or declined, 2 wrong usage.")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).addMcp));
  tools
    .command("approve <name>")
    .description("review what has changed in an MCP server's tools, and accept it")
    .addOption(yes)
    .action(act(async () => (await import("./commands/mcp-tools.ts")).approveMcp));
  tools
    .command("auth <name>")
    .description("sign in to an MCP server, with a browser")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).authMcp));
  tools
    .command("servers")
    .description("list the MCP servers, and whether their tools match what you reviewed")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).listServers));
}
