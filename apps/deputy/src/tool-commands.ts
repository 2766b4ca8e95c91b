import { type Command, InvalidArgumentError, Option } from "commander";
import type { Act } from "./desk-commands.ts";
import { addMcpCommands } from "./mcp-commands.ts";

/** `deputy tools`: what programs can use, and where it comes from. */
export function addToolCommands(program: Command, act: Act, plugins: Option): void {
  const tools = program.command("tools").description("what programs can use");
  tools
    .command("list [namespace]", { isDefault: true })
    .description("the namespaces there are, or the tools at or under one")
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).listTools));
  tools
    .command("search <words...>")
    .description("tools by what they do, the best first")
    .addOption(new Option("--limit <n>", "at most so many").argParser(readCount).default(10))
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).searchTools));
  tools
    .command("describe <paths...>")
    .description("what a model reads before it calls them: declarations, large types cut")
    .option("--whole", "nothing is cut")
    .addOption(plugins)
    .action(act(async () => (await import("./commands/tool-catalogue.ts")).describeTools));
  tools
    .command("types [paths...]")
    .description("print the declarations that programs are checked against, all or those at or under a path")
    .addOption(plugins)
    .option("--out <file>", "write them to a .d.ts file for an editor instead")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed or no such tool, 2 wrong usage.")
    .action(act(async () => (await import("./commands/tools.ts")).printTypes));
  const add = tools.command("add").description("connect more tools");
  add
    .command("plugin <file>")
    .description("a plugin: a file, or the name of a package that is installed in the home")
    .action(act(async () => (await import("./commands/tool-sources.ts")).addPlugin));
  add
    .command("openapi <spec>")
    .description("a service by its OpenAPI document: a file or an address")
    .option("--name <name>", "its namespace (else from the document's title)")
    .option("--server <url>", "in place of the document's servers")
    .option("--bearer <where>", "where its token is: env:NAME or file:/path")
    .action(act(async () => (await import("./commands/tool-sources.ts")).addOpenApi));
  tools
    .command("remove <name>")
    .description("take a source away: by its name, its file or its package")
    .action(act(async () => (await import("./commands/tool-sources.ts")).removeSource));
  addMcpCommands(tools, add, act);
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
}
