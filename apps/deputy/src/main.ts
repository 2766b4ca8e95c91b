import { Argument, type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AppError } from "./app-error.ts";
import { CommandLine } from "./command-line.ts";
import {
  addAgentCommands,
  addChannelCommands,
  addDecisionCommands,
  addHookCommands,
  addMemoryCommands,
  addToolCommands,
  readCount,
} from "./command-groups.ts";
import { addBundleCommands } from "./bundle-commands.ts";
import { addWorkspaceCommands } from "./workspace-commands.ts";
import { FASTEST_DEMO } from "@deputy/demo-world/fastest-demo";
import { EXIT, approveModes, flush, guardOutput } from "@deputy/terminal/output";
import type { GlobalOptions, Invocation } from "./invocation.ts";
import { reportFailure } from "./report-failure.ts";
import type { CommandTree } from "./setup/completions.ts";
import { wantsTracing } from "./telemetry/wants-tracing.ts";
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
      if (chat.args.length > 0) chat.error(`error: unknown command '${chat.args[0]}'`);
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
    .action(act(async () => (await import("./commands/check.ts")).check));
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
    .action(act(async () => (await import("./commands/init.ts")).init));
  program
    .command("doctor")
    .description("say what does not work and what to do about it; change nothing")
    .option("--online", "also call the model and the chat apps")
    .addHelpText("after", "\nExit codes: 0 no problems, 1 something is wrong.")
    .action(act(async () => (await import("./commands/doctor.ts")).doctor));
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
    .action(act(async () => (await import("./commands/service.ts")).printService));
  service
    .command("install")
    .description("write that file to its place, and say how to start the service")
    .action(act(async () => (await import("./commands/service.ts")).installService));
  program
    .command("completions")
    .description("print a completion script for your shell: source <(deputy completions bash)")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(
      act(async () => {
        const { printCompletions } = await import("./commands/completions.ts");
        return (invocation: Invocation, shell: "bash" | "zsh" | "fish", _options: unknown) =>
          printCompletions(invocation, shell, treeOf(program));
      }),
    );
  program
    .command("open")
    .description("open the page in the browser, signed in")
    .option("--print", "only print the link")
    .action(act(async () => (await import("./commands/open.ts")).openPage));
  program
    .command("token")
    .description("print the token to sign in with")
    .action(act(async () => (await import("./commands/token.ts")).printToken));

  program
    .command("demo")
    .description("the demo's issues, mail and figures")
    .command("reset")
    .description("begin the demo anew")
    .action(act(async () => (await import("./commands/demo.ts")).resetDemo));

  const config = program.command("config").description("show and change settings");
  config
    .command("get [key]", { isDefault: true })
    .description("show all settings in force, or one (such as gateway.port)")
    .action(act(async () => (await import("./commands/config.ts")).getSetting));
  config
    .command("set <key> <value>")
    .description("change one setting; the value is JSON or, if it is not valid JSON, text")
    .action(act(async () => (await import("./commands/config.ts")).setSetting));
  config
    .command("check")
    .description("find mistakes in the settings, the agents' files and the skills")
    .addHelpText("after", "\nExit codes: 0 usable, possibly with warnings; 1 not usable.")
    .action(act(async () => (await import("./commands/config.ts")).checkConfig));
  config
    .command("path")
    .description("print the path of the settings file")
    .action(act(async () => (await import("./commands/config.ts")).printPath));

  addMemoryCommands(program, act, agent);
  addToolCommands(program, act, tools);

  const sessions = program
    .command("sessions")
    .description("show, search, fork, export and import sessions (conversations)");
  const limit = new Option("--limit <n>", "show at most this many").argParser(readCount);
  sessions
    .command("list", { isDefault: true })
    .description("list the latest sessions, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./commands/sessions.ts")).listSessions));
  sessions
    .command("show <session>")
    .description("show what was said and done in a session (by its id or key)")
    .action(act(async () => (await import("./commands/sessions.ts")).showSession));
  sessions
    .command("search <words...>")
    .description("find messages that contain all of these words")
    .addOption(limit)
    .action(act(async () => (await import("./commands/sessions.ts")).searchSessions));
  sessions
    .command("fork <session>")
    .description("make a new session that begins as a copy of another")
    .addOption(
      new Option("--at <seq>", "copy only up to this event, or to the end of the turn before it").argParser(
        readCount,
      ),
    )
    .option("--key <key>", "the new session's key")
    .action(act(async () => (await import("./commands/sessions.ts")).forkSession));
  sessions
    .command("export <session>")
    .description("write a session as JSON lines to stdout")
    .option("--transcript", "write it as text for people; this cannot be imported")
    .action(act(async () => (await import("./commands/session-files.ts")).exportSession));
  sessions
    .command("import <file>")
    .description("read an exported session from a file (- reads it from stdin)")
    .action(act(async () => (await import("./commands/session-files.ts")).importSession));

  addDecisionCommands(program, act, limit);
  addHookCommands(program, act);
  addChannelCommands(program, act);
  addAgentCommands(program, act);

  program
    .command("replay <session>")
    .description("run a session again from its log and compare; no tool runs, nothing is written")
    .addOption(new Option("--turn <n>", "only that turn, counted from 1").argParser(readCount))
    .option("--typecheck", "also check its programs against today's tools")
    .addOption(tools)
    .option(
      "--fork-at <point>",
      "continue from there in a new session: an event's number, turn:N, or a turn's id",
    )
    .option("--model <ref>", "with --fork-at: the model that continues, as provider/model")
    .addOption(approve)
    .addHelpText(
      "after",
      "\nSESSION is an id, a key, or a task's id. Exit codes: 0 same as recorded, 1 different.",
    )
    .action(act(async () => (await import("./commands/replay.ts")).replay));

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
    .action(act(async () => (await import("./commands/policy.ts")).explain));

  addWorkspaceCommands(program, act);

  program
    .command("sh [file] [args...]")
    .description("run a script, or a shell to type in, over the workspace: it can reach nothing else")
    .option("-c, --command <script>", "run this script; the words after it are $0, $1 …")
    .option("--import <dir>", "first make the workspace a copy of this folder")
    .option("--commit", "afterwards show the changes, ask, and write them to your folder")
    .option("--yes", "with --commit: do not ask")
    .addHelpText(
      "after",
      "\nWithout a file and -c, it reads commands from you, or a script from its input. It exits as the script does; 124 and 137 mean that a limit ended it.",
    )
    .action(act(async () => (await import("./commands/sh.ts")).runShell));

  addBundleCommands(program, act);

  const audit = program.command("audit").description("show what happened, and verify the log");
  audit
    .command("verify", { isDefault: true })
    .description("recompute every hash of the log and of the daily files")
    .option("--anchor <anchor>", "also compare with an earlier output of `deputy audit head`")
    .addHelpText("after", "\nExit codes: 0 everything holds, 1 something does not.")
    .action(act(async () => (await import("./commands/audit.ts")).verify));
  audit
    .command("show")
    .alias("list")
    .description("show what happened, one line per event, newest last")
    .option(
      "--since <time>",
      "from this time on: a day (UTC), a moment, or how long ago: 2026-03-01, 90m, 7d",
    )
    .option("--until <time>", "up to this time, in the same formats")
    .option("--session <session>", "only that session: an id, a key, a task's id, or system")
    .option("--type <type>", "only events of that type, or under it: call.settled, auth")
    .option("--tool <path>", "only calls of that tool, or of tools under it")
    .addOption(new Option("--limit <n>", "show at most this many").argParser(readCount).default(50))
    .action(act(async () => (await import("./commands/audit-show.ts")).show));
  audit
    .command("head")
    .description("print one hash over the whole log, which you keep elsewhere")
    .action(act(async () => (await import("./commands/audit.ts")).head));
  audit
    .command("rebuild-daily")
    .description("write the daily files again from the log; the old ones are kept aside")
    .action(act(async () => (await import("./commands/audit.ts")).rebuild));
  audit
    .command("repair")
    .description(
      "rebuild a damaged log from what it and the daily files prove; the damaged files are kept aside",
    )
    .option("--new-key", "if the key is lost: give up what only it can decrypt, and keep everything else")
    .action(act(async () => (await import("./commands/audit.ts")).repair));
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
      const { openStopSignal } = await import("./stop-signal.ts");
      using invocation = openInvocation(command.optsWithGlobals<GlobalOptions>(), openStopSignal());
      const { env, warn } = invocation;
      await using _tracing = wantsTracing(env)
        ? await (await import("./telemetry/start-tracing.ts")).startTracing({ env, warn, version: VERSION })
        : undefined;
      const action = await load();
      onExit(await action(invocation, ...(args as unknown[] as Args)));
    };
}
