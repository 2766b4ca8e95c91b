import { type Command, InvalidArgumentError, Option } from "commander";
import type { Act } from "./decision-commands.ts";

/** `deputy tools`: what programs can use, and where it comes from. */
export function addToolCommands(program: Command, act: Act, plugins: Option): void {
  const tools = program.command("tools").description("list, search, connect and disconnect tools");
  tools
    .command("list [namespace]", { isDefault: true })
    .description("list the namespaces, or the tools at or under one")
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).listTools));
  tools
    .command("search <words...>")
    .description("find tools by what they do, best match first")
    .addOption(new Option("--limit <n>", "show at most this many").argParser(readCount).default(10))
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).searchTools));
  tools
    .command("describe <paths...>")
    .description("show what a model reads before it calls them: declarations, with large types shortened")
    .option("--whole", "shorten nothing")
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).describeTools));
  tools
    .command("types [paths...]")
    .description("print the declarations that programs are checked against: all, or those at or under a path")
    .addOption(plugins)
    .option("--out <file>", "write them to a .d.ts file for an editor instead")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed or no such tool, 2 wrong usage.")
    .action(act(async () => (await import("./commands/tools.ts")).printTypes));
  const add = tools.command("add").description("connect more tools");
  add
    .command("plugin <file>")
    .description("connect a plugin: a file, or the name of a package that is installed in the home")
    .action(act(async () => (await import("./commands/tool-sources.ts")).addPlugin));
  add
    .command("openapi <spec>")
    .description("connect a service by its OpenAPI document: a file or an address")
    .option("--name <name>", "its namespace (default: from the title of the document)")
    .option("--server <url>", "where calls go, instead of the servers in the document")
    .option("--bearer <where>", "where its token is: env:NAME or file:/path")
    .option("--yes", "do not ask, accept a document from an address as shown")
    .action(act(async () => (await import("./commands/tool-sources.ts")).addOpenApi));
  tools
    .command("remove <name>")
    .description("disconnect a source, by its name, its file or its package")
    .action(act(async () => (await import("./commands/tool-sources.ts")).removeSource));
  addMcpCommands(tools, add, act);
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
}

/** `deputy tools add mcp`, `approve`, `auth` and `servers`: MCP servers as a source of tools. */
function addMcpCommands(tools: Command, add: Command, act: Act): void {
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
    .description("review what has changed in an MCP server's tools or an OpenAPI document, and accept it")
    .addOption(yes)
    .action(act(async () => (await import("./commands/mcp-tools.ts")).approveSource));
  tools
    .command("auth <name>")
    .description("sign in to an MCP server, with a browser")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).authMcp));
  tools
    .command("servers")
    .description("list the servers and documents you review, and whether they match what you reviewed")
    .action(act(async () => (await import("./commands/mcp-tools.ts")).listServers));
}
