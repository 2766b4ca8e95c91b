import { Argument, type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AppError } from "./app-error.ts";
import { CommandLine, unknownCommand } from "./commands/command-line.ts";
import { addAgentCommands, addMemoryCommands } from "./commands/agent-commands.ts";
import {
  addChannelCommands,
  addDecisionCommands,
  addHookCommands,
  addToolCommands,
  readCount,
} from "./commands/command-groups.ts";
import {
  addAuditCommands,
  addReplayCommand,
  addSessionCommands,
  addUsageCommand,
} from "./commands/log-commands.ts";
import { addBundleCommands, addWorkspaceCommands } from "./commands/workspace-commands.ts";
import { FASTEST_DEMO } from "@deputy/demo-world/fastest-demo";
import { EXIT, approveModes, flush, guardOutput } from "@deputy/terminal/output";
import type { GlobalOptions, Invocation } from "./invocation.ts";
import { reportFailure } from "./process/report-failure.ts";
import type { CommandTree } from "./setup/completions.ts";
import { VERSION } from "./version.ts";

/** The action of a command. Its modules load only when it is called, so that `--version` stays fast. */
type Action<Args extends unknown[]> = (invocation: Invocation, ...args: Args) => Promise<number>;

/** Parses the command line, runs the command and exits, even if a plugin has left something open. */
export async function main(argv: readonly string[]): Promise<void> {
  guardOutput(() => undefined);
  const exit = await runCommand(argv);
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(exit);
}

async function runCommand(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.done;
  const mode = argv.includes("--json") ? "json" : "human";
  const program = createProgram(mode, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, mode);
    if (error.exitCode === 0) return EXIT.done;
    // In the other modes the parser has already written it to stderr.
    if (mode === "json") reportFailure(new AppError("usage", error.message), mode);
    return EXIT.usage;
  }
}

function createProgram(mode: "human" | "json", onExit: (code: number) => void): Command {
  const act = actWith(onExit);
  const program = new CommandLine("deputy")
    .description("A personal assistant that acts by writing typed programs against your tools.")
    .version(
      mode === "json" ? JSON.stringify({ type: "version", version: VERSION }) : VERSION,
      "-V, --version",
    )
    .option("--json", "print one JSON object per line on stdout, nothing else")
    .option("--home <dir>", "data directory (default: DEPUTY_HOME, then ~/.deputy)")
    .showHelpAfterError("(deputy --help lists the commands)")
    .exitOverride();
  const approve = new Option("--approve <mode>", "answer approvals: all, none, or ask")
    .choices(approveModes)
    .default("ask");
  const tools = new Option(
    "--tools <plugin>",
    "a plugin file with more tools than the settings name (can be repeated)",
  ).argParser((file: string, before?: readonly string[]) => [...(before ?? []), file]);

  const agent = new Option("--agent <slug>", "the agent to use (default: agents.default of the settings)");

  program
    .command("chat", { isDefault: true })
    .description("talk to Deputy in the terminal (the default command)")
    .option("--session <name>", "continue that session: an id, a key, or a name that you choose")
    .option("--new", "begin a new session")
    .option("--plain", "print lines and draw nothing, for screen readers (or set terminal.plain)")
    .addOption(agent)
    .allowExcessArguments()
    .hook("preAction", (_program, chat) => {
      // Unknown commands end up here, because this is the default command.
      const [typed] = chat.args;
      if (typed !== undefined) chat.error(unknownCommand(typed, program.commands));
    })
    .action(act(async () => (await import("./commands/chat.ts")).chat));
  program
    .command("acp")
    .description("serve an editor: the Agent Client Protocol on stdin and stdout")
    .addOption(agent)
    .action(act(async () => (await import("./commands/acp.ts")).acp));
  program
    .command("run <prompt>")
    .description("run one turn: show the activity and ask for approvals")
    .addOption(agent)
    .addOption(tools)
    .addOption(approve)
    .action(act(async () => (await import("./commands/run.ts")).run));
  program
    .command("exec <file>")
    .description("run your own TypeScript program with the tools (- reads it from stdin)")
    .addOption(tools)
    .addOption(approve)
    .option("--serve", "also serve the page and the API while it runs")
    .action(act(async () => (await import("./commands/exec.ts")).exec));
  program
    .command("check <files...>")
    .description("typecheck programs against the tools and run nothing (- reads one from stdin)")
    .addOption(tools)
    .addHelpText("after", "\nExit codes: 0 all programs typecheck, 1 something is wrong, 2 wrong usage.")
    .action(act(async () => (await import("./commands/tools/check.ts")).check));
  program
    .command("serve")
    .description("run the daemon: API, page and tasks")
    .option(
      "--host <address>",
      "address to listen on (default: DEPUTY_HOST, then the settings, then 127.0.0.1)",
    )
    .option(
      "--port <number>",
      "port to listen on; 0 takes any free one (default: DEPUTY_PORT, then the settings, then 18789)",
    )
    .addOption(tools)
    .addOption(
      new Option(
        "--demo-speed <times>",
        "with the rehearsal model: let the time of tasks and of the demo pass this many times faster",
      ).argParser(readSpeed),
    )
    .action(act(async () => (await import("./commands/serve.ts")).serve));
  program
    .command("init")
    .description("connect a model, and create the home")
    .option(
      "--model <ref>",
      "provider/model, such as anthropic/claude-sonnet-5, local/qwen3 or rehearsal/tour",
    )
    .option("--key <where>", "where its key is: env:NAME, file:/path, or - to read it from stdin and save it")
    .option(
      "--base-url <url>",
      "the address of any server with an API like OpenAI's, or of Ollama; without --model, its models are listed",
    )
    .option("--no-check", "do not test the model first")
    .option("--demo", "play the example afterwards")
    .action(act(async () => (await import("./commands/setup/init.ts")).init));
  program
    .command("doctor")
    .description("say what does not work and what to do about it; change nothing")
    .option("--online", "also call the model and the chat apps")
    .addHelpText("after", "\nExit codes: 0 no problems, 1 something is wrong.")
    .action(act(async () => (await import("./commands/setup/doctor.ts")).doctor));
  const service = program.command("service").description("keep the daemon running");
  service
    .command("print", { isDefault: true })
    .description("print a systemd user unit, or a launchd agent, that does this")
    .addOption(
      new Option("--kind <kind>", "which of the two (default: by this system)").choices([
        "systemd",
        "launchd",
      ]),
    )
    .action(act(async () => (await import("./commands/setup/service.ts")).printService));
  service
    .command("install")
    .description("write that file to its place, and say how to start the service")
    .action(act(async () => (await import("./commands/setup/service.ts")).installService));
  program
    .command("completions")
    .description("print a completion script for your shell: source <(deputy completions bash)")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(
      act(async () => {
        const { printCompletions } = await import("./commands/setup/completions.ts");
        return (invocation: Invocation, shell: "bash" | "zsh" | "fish", _options: unknown) =>
          printCompletions(invocation, shell, treeOf(program));
      }),
    );
  program
    .command("open")
    .description("open the page in the browser, signed in")
    .option("--print", "only print the link")
    .action(act(async () => (await import("./commands/setup/open.ts")).openPage));
  program
    .command("token")
    .description("print the token to sign in with")
    .action(act(async () => (await import("./commands/setup/token.ts")).printToken));

  program
    .command("demo")
    .description("the demo's issues, mail and figures")
    .command("reset")
    .description("begin the demo anew")
    .action(act(async () => (await import("./commands/setup/demo.ts")).resetDemo));

  const config = program.command("config").description("show and change settings");
  config
    .command("get [key]", { isDefault: true })
    .description("show all settings in force, or one (such as gateway.port)")
    .action(act(async () => (await import("./commands/setup/config.ts")).getSetting));
  config
    .command("set <key> <value>")
    .description("change one setting; the value is JSON or, if it is not valid JSON, text")
    .action(act(async () => (await import("./commands/setup/config.ts")).setSetting));
  config
    .command("check")
    .description("find mistakes in the settings, the agents' files and the skills")
    .addHelpText("after", "\nExit codes: 0 usable, possibly with warnings; 1 not usable.")
    .action(act(async () => (await import("./commands/setup/config.ts")).checkConfig));
  config
    .command("path")
    .description("print the path of the settings file")
    .action(act(async () => (await import("./commands/setup/config.ts")).printPath));

  addMemoryCommands(program, act, agent);
  addToolCommands(program, act, tools);

  const limit = new Option("--limit <n>", "show at most this many").argParser(readCount);
  addSessionCommands(program, act, limit);
  addDecisionCommands(program, act, limit);
  addHookCommands(program, act);
  addChannelCommands(program, act);
  addAgentCommands(program, act);

  addUsageCommand(program, act);
  addReplayCommand(program, act, { tools, approve });

  const policy = program.command("policy").description("what runs without approval");
  const directory = (flags: string, what: string): Option =>
    new Option(flags, what).argParser((path: string, before?: readonly string[]) => [
      ...(before ?? []),
      path,
    ]);
  policy
    .command("explain")
    .description("say what the gate would decide about a call or command, and why; run nothing")
    .option("--shell <command>", "judge this command line (- reads one JSON string per line from stdin)")
    .option("--workspace <dir>", "with --shell: use this workspace instead of security.workspace")
    .option("--cwd <dir>", "with --shell: the directory that the command starts in (default: the workspace)")
    .addOption(directory("--allow-read <dir>", "with --shell: a further directory to read (can be repeated)"))
    .addOption(
      directory("--allow-write <dir>", "with --shell: a further directory to write to (can be repeated)"),
    )
    .option("--tool <path>", "judge a call of this tool; an unknown tool is judged by its name")
    .option("--input <json>", "with --tool: the input of the call (default: {})")
    .addOption(directory("--user <text>", "with --tool: what the user said (can be repeated)"))
    .addOption(
      directory(
        "--context <file>",
        "with --tool: text that was read before (can be repeated; - reads stdin)",
      ),
    )
    .addOption(tools)
    .option("--agent <slug>", "with --tool: the agent that calls it; its files count as yours")
    .option("--description <text>", "with --tool: the description of an unknown tool")
    .addOption(
      new Option("--effect <effect>", "with --tool: judge it as if it had this effect").choices([
        "read",
        "write",
        "egress",
        "destructive",
      ]),
    )
    .addOption(
      new Option("--approval <mode>", "with --tool: judge it as if its tool said this").choices([
        "auto",
        "required",
      ]),
    )
    .option("--critical <names>", "with --tool: judge it as if these arguments were critical (a,b or all)")
    .addHelpText(
      "after",
      "\nA context file is untrusted text, or JSON lines or an array of" +
        '\n{"source","trust":"user|configuration|trusted|untrusted","text" or "json"}.',
    )
    .addHelpText(
      "after",
      "\n--shell answers as if tools.bash.approval were allowlist. Exit codes: 0 answered, 2 wrong usage.",
    )
    .action(act(async () => (await import("./commands/setup/policy.ts")).explain));

  addWorkspaceCommands(program, act);
  addBundleCommands(program, act);
  addAuditCommands(program, act);

  return program;
}

/** The tree of commands from which completions are made. */
function treeOf(command: Command): CommandTree {
  return {
    name: command.name(),
    does: command.description(),
    options: command.options.flatMap(({ long, hidden, argChoices = [] }) =>
      typeof long !== "string" || hidden ? [] : [{ name: long, choices: argChoices }],
    ),
    commands: command.commands.map(treeOf),
  };
}

function readSpeed(text: string): number {
  const speed = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (speed >= 1 && speed <= FASTEST_DEMO) return speed;
  throw new InvalidArgumentError(`It must be a number from 1 to ${FASTEST_DEMO}.`);
}

/** Wraps a command: global options, signals, exit code. */
function actWith(onExit: (code: number) => void) {
  return <Args extends unknown[]>(load: () => Promise<Action<Args>>) =>
    async (...args: [...Args, Command]): Promise<void> => {
      const command = args.pop() as Command;
      const { openInvocation } = await import("./invocation.ts");
      const { openStopSignal } = await import("./process/stop-signal.ts");
      using invocation = openInvocation(command.optsWithGlobals<GlobalOptions>(), openStopSignal());
      const { env, warn } = invocation;
      await using _tracing = wantsTracing(env)
        ? await (await import("./telemetry/start-tracing.ts")).startTracing({ env, warn, version: VERSION })
        : undefined;
      const action = await load();
      onExit(await action(invocation, ...(args as unknown[] as Args)));
    };
}

/**
 * True if the environment says where spans go, in the words of OpenTelemetry. What
 * exports them loads only then.
 */
function wantsTracing(env: NodeJS.ProcessEnv): boolean {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  const exporter = env["OTEL_TRACES_EXPORTER"] ?? "";
  if (exporter !== "") return exporter !== "none";
  return ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"].some(
    (name) => (env[name] ?? "") !== "",
  );
}
