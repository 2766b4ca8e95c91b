import { type Command, InvalidArgumentError, Option } from "commander";
import { hookSchemes } from "@deputy/gateway/hooks";
import type { Invocation } from "../invocation.ts";

/** Turns a lazily loaded command into the parser's action. */
export type Act = <Args extends unknown[]>(
  load: () => Promise<(invocation: Invocation, ...args: Args) => Promise<number>>,
) => (...args: [...Args, Command]) => Promise<void>;

/** `deputy approvals` and `deputy tasks`: show current work, and act on it. */
export function addDecisionCommands(program: Command, act: Act, limit: Option): void {
  const approvals = program
    .command("approvals")
    .description("list and answer the questions that wait for you");
  const reason = new Option("--reason <text>", "a reason, which the program gets");
  approvals
    .command("list", { isDefault: true })
    .description("list the questions that wait for an answer")
    .action(act(async () => (await import("./tasks/approvals.ts")).listApprovals));
  approvals
    .command("show <id>")
    .description("show the details of a question, and its answer")
    .action(act(async () => (await import("./tasks/approvals.ts")).showOneApproval));
  approvals
    .command("approve <id>")
    .description("approve a call, a plan, or a part of a plan")
    .addOption(
      new Option(
        "--scope <scope>",
        "how far the approval reaches: this call or plan (the default), this tool for this conversation, the same whatever the values, or for this task, with --expires",
      ).choices(["once", "session", "session-any", "task"]),
    )
    .option(
      "--expires <time>",
      "with --scope session or task: when it ends: 2026-03-01T12:00Z, or after 30m, 8h, 7d",
    )
    .option("--calls <calls>", "approve only these calls of a plan: 1,3-5, or ids; deny the others")
    .option("--answer <json>", "your answer to a call that asks something while it runs")
    .addOption(reason)
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/approvals.ts")).approve));
  approvals
    .command("deny <id>")
    .description("deny a call or a plan")
    .addOption(reason)
    .option("--result <json>", "for a call that may have happened: it did happen, and this is its result")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/approvals.ts")).deny));
  approvals
    .command("grants")
    .description("list what you have allowed beyond one call")
    .action(act(async () => (await import("./tasks/grants.ts")).listGrants));
  approvals
    .command("revoke <grant>")
    .description("take a grant back; the next call asks again")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/grants.ts")).revokeGrant));
  approvals
    .command("reset")
    .description("take back everything that you have allowed beyond one call")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/grants.ts")).resetGrants));

  const tasks = program.command("tasks").description("list, add, change and cancel tasks");
  tasks
    .command("add <prompt>")
    .description("add a task that runs on a schedule, at a time, or when something is reported")
    .option("--schedule <when>", "when it runs: “every day at 9am”, “0 9 * * 1-5 Europe/Vienna”, “every 30m”")
    .option("--at <time>", "run once at this time: 2026-12-01T09:00, “tomorrow at 5pm”, “next monday at 9”")
    .option("--on <hook>", "run whenever this hook, mailbox or folder reports something")
    .option("--filter <json>", "with --on: fields that the report must have")
    .option("--agent <agent>", "the agent that does it")
    .option("--deliver <session>", "the session that gets its answers (default: the one you used last)")
    .addHelpText("after", ADD_HELP)
    .action(act(async () => (await import("./tasks/add-task.ts")).addTask));
  tasks
    .command("list", { isDefault: true })
    .description("list the tasks, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./tasks/tasks.ts")).listTasks));
  tasks
    .command("show <id>")
    .description("show one task and its result")
    .action(act(async () => (await import("./tasks/tasks.ts")).showTask));
  tasks
    .command("history <id>")
    .description("show the activity of a task")
    .addOption(limit)
    .action(act(async () => (await import("./tasks/tasks.ts")).tellTask));
  tasks
    .command("pause <id>")
    .description("skip what is due until the task is resumed")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/tasks.ts")).pauseTask));
  tasks
    .command("resume <id>")
    .description("let a paused task run again")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/tasks.ts")).resumeTask));
  tasks
    .command("run <id>")
    .description("run a task now, besides its schedule; one that runs once runs now instead")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/tasks.ts")).runTask));
  tasks
    .command("edit <id>")
    .description("change what a task does, or when; it counts from the next run on")
    .option("--prompt <text>", "what it does from now on")
    .option("--schedule <when>", "when it runs from now on")
    .option("--at <time>", "for a task that runs once: its new time")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/tasks.ts")).editTask));
  tasks
    .command("cancel <id>")
    .description("stop a task; its open questions are denied")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./tasks/tasks.ts")).cancelTask));
}

/** Plugins that Deputy brings: name, service, the usual variable of its token, and what that must be. */
const SHIPPED = [
  ["github", "GitHub", "GITHUB_TOKEN", "one that may read, and for writing one that may write issues"],
  ["posthog", "PostHog", "POSTHOG_API_KEY", "a personal API key with query:read and project:read"],
] as const;

/** `deputy tools`: what programs can use, and where it comes from. */
export function addToolCommands(program: Command, act: Act, plugins: Option): void {
  const tools = program.command("tools").description("list, search, connect and disconnect tools");
  tools
    .command("list [namespace]", { isDefault: true })
    .description("list the namespaces, or the tools at or under one")
    .addOption(plugins)
    .action(act(async () => (await import("./tools/tool-catalogue.ts")).listTools));
  tools
    .command("search <words...>")
    .description("find tools by what they do, best match first")
    .addOption(new Option("--limit <n>", "show at most this many").argParser(readCount).default(10))
    .addOption(plugins)
    .action(act(async () => (await import("./tools/tool-catalogue.ts")).searchTools));
  tools
    .command("describe <paths...>")
    .description("show what a model reads before it calls them: declarations, with large types shortened")
    .option("--whole", "shorten nothing")
    .addOption(plugins)
    .action(act(async () => (await import("./tools/tool-catalogue.ts")).describeTools));
  tools
    .command("types [paths...]")
    .description("print the declarations that programs are checked against: all, or those at or under a path")
    .addOption(plugins)
    .option("--out <file>", "write them to a .d.ts file for an editor instead")
    .addHelpText("after", "\nExit codes: 0 done, 1 failed or no such tool, 2 wrong usage.")
    .action(act(async () => (await import("./tools/tools.ts")).printTypes));
  const add = tools.command("add").description("connect more tools");
  add
    .command("plugin <file>")
    .description("connect a plugin: a file, or the name of a package that is installed in the home")
    .action(act(async () => (await import("./tools/tool-sources.ts")).addPlugin));
  for (const [name, service, variable, needs] of SHIPPED)
    add
      .command(name)
      .description(`connect ${service}; its token is ${needs}`)
      .addOption(
        new Option("--token <where>", "where its token is: env:NAME or file:/path").default(
          `env:${variable}`,
        ),
      )
      .action(
        act(async () => {
          const { addShipped } = await import("./tools/tool-sources.ts");
          return (invocation: Invocation, options: { readonly token: string }) =>
            addShipped(invocation, name, options);
        }),
      );
  add
    .command("openapi <spec>")
    .description("connect a service by its OpenAPI document: a file or an address")
    .option("--name <name>", "its namespace (default: from the title of the document)")
    .option("--server <url>", "where calls go, instead of the servers in the document")
    .option("--bearer <where>", "where its token is: env:NAME or file:/path")
    .option("--yes", "do not ask, accept a document from an address as shown")
    .action(act(async () => (await import("./tools/tool-sources.ts")).addOpenApi));
  tools
    .command("remove <name>")
    .description("disconnect a source, by its name, its file or its package")
    .action(act(async () => (await import("./tools/tool-sources.ts")).removeSource));
  addMcpCommands(tools, add, act);
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
    .addOption(
      new Option(
        "--origin <url>",
        "with --oauth: another server of yours, in your own network, that signs you in",
      ).argParser(gather),
    )
    .option("--cwd <dir>", "the directory that the command runs in (default: this one)")
    .addOption(yes)
    .addHelpText("after", "\nExit codes: 0 added, 1 failed or declined, 2 wrong usage.")
    .action(act(async () => (await import("./tools/mcp-tools.ts")).addMcp));
  tools
    .command("approve <name>")
    .description("review what has changed in an MCP server's tools or an OpenAPI document, and accept it")
    .addOption(yes)
    .action(act(async () => (await import("./tools/mcp-tools.ts")).approveSource));
  tools
    .command("auth <name>")
    .description("sign in to an MCP server, with a browser")
    .action(act(async () => (await import("./tools/mcp-tools.ts")).authMcp));
  tools
    .command("servers")
    .description("list the servers and documents you review, and whether they match what you reviewed")
    .action(act(async () => (await import("./tools/mcp-tools.ts")).listServers));
}

/** `deputy hooks`: where others may report what happened. */
export function addHookCommands(program: Command, act: Act): void {
  const hooks = program
    .command("hooks")
    .description("webhooks: addresses where other machines report events");
  const count = (flags: string, what: string): Option => new Option(flags, what).argParser(readCount);
  hooks
    .command("list", { isDefault: true })
    .description("list the hooks")
    .action(act(async () => (await import("./tasks/hooks.ts")).listHooks));
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
    .action(act(async () => (await import("./tasks/hooks.ts")).addHook));
  hooks
    .command("renew <name>")
    .description("give a hook another address and secret; shows them only once")
    .option("--url <url>", "the address where the sender reaches this machine: https://hooks.example.org")
    .action(act(async () => (await import("./tasks/hooks.ts")).renewHook));
  hooks
    .command("remove <name>")
    .description("remove a hook; what it received stays in the log")
    .action(act(async () => (await import("./tasks/hooks.ts")).removeHook));
  hooks
    .command("deliveries <name>")
    .description("show what a hook, mailbox or folder received, newest last")
    .addOption(count("--limit <n>", "show at most this many").default(20))
    .action(act(async () => (await import("./tasks/hooks.ts")).listDeliveries));
}

/** `deputy channels`: chat apps, and who may talk to Deputy in them. */
export function addChannelCommands(program: Command, act: Act): void {
  const channels = program
    .command("channels")
    .description("chat apps, mail and push, and who may talk to Deputy in them");
  channels
    .command("add <app>")
    .description(
      "connect a chat app (such as telegram), mail or push: asks for what it needs, tries it, and pairs you",
    )
    .option("--token <place>", "where the token or password is: env:NAME, file:/path, or - for stdin")
    .option("--app-token <place>", "where the app's token is, for an app that needs two")
    .option("--topic <place>", "where the name of ntfy's topic is")
    .option("--server <url>", "the ntfy server (default: https://ntfy.sh)")
    .option("--host <name>", "the mail server that sends")
    .option("--port <number>", "its port")
    .option("--secure <how>", "its encryption: tls, starttls or none (default: tls)")
    .option("--user <name>", "the name to sign in with at the mail server")
    .option("--from <address>", "the sender of mails (default: that name)")
    .option("--to <addresses>", "your mail address; several with commas between")
    .action(act(async () => (await import("./channels/add-channel.ts")).addChannel));
  channels
    .command("failed <app>")
    .description("list what could not be posted there, and why")
    .action(act(async () => (await import("./channels/channels.ts")).listFailed));
  channels
    .command("retry <app>")
    .description("post once more what could not be posted there")
    .action(act(async () => (await import("./channels/channels.ts")).retryFailed));
  channels
    .command("pair <app>")
    .description("show a code that pairs you with Deputy in a chat app (such as telegram)")
    .action(act(async () => (await import("./channels/channels.ts")).pairChannel));
  channels
    .command("people <app>")
    .description("list who is paired there")
    .action(act(async () => (await import("./channels/channels.ts")).listPeople));
  channels
    .command("unpair <app> <id>")
    .description("forget somebody who is paired there")
    .action(act(async () => (await import("./channels/channels.ts")).unpairChannel));
}

/** Throws what the parser shows as wrong usage. */
export function readCount(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

const ADD_HELP =
  "\nIt runs while `deputy serve` is running. If several times passed meanwhile, it runs once for the last of them." +
  "\nExit codes: 0 added, 1 refused, 2 not a schedule.";
const EXIT_CODES =
  "\nIf a daemon is running, it acts at once. Otherwise the next start does." +
  "\nExit codes: 0 done, also if it was already so; 1 not found, or already decided differently.";
