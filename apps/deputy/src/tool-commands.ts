import { type Command, InvalidArgumentError, Option } from "commander";
import type { Act } from "./decision-commands.ts";
import { addMcpCommands } from "./mcp-commands.ts";

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
