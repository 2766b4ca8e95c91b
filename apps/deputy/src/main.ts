import { Argument, type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AppError } from "./app-error.ts";
import { CommandLine } from "./command-line.ts";
import { addDeskCommands } from "./desk-commands.ts";
import { addHookCommands } from "./hook-commands.ts";
import { FASTEST_DEMO } from "@deputy/demo-world/fastest-demo";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { GlobalOptions, Invocation } from "./invocation.ts";
import { reportFailure } from "./report-failure.ts";
import type { CommandTree } from "./setup/completions.ts";
import { approveModes } from "@deputy/terminal/output";
import { flush } from "@deputy/terminal/output";
import { guardOutput } from "@deputy/terminal/output";
import { addToolCommands } from "./tool-commands.ts";
import { VERSION } from "./version.ts";

/** What a command does; its modules load only when it is called, so that `--version` stays quick. */
type Action<Args extends unknown[]> = (invocation: Invocation, ...args: Args) => Promise<ExitCode>;

/** Reads the command line, runs the command and exits, whatever a plugin may have left open. */
export async function main(argv: readonly string[]): Promise<void> {
  guardOutput(() => undefined);
  const exit = await runCommand(argv);
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(exit);
}

async function runCommand(argv: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
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
    // For people, the parser has said it already, on stderr.
    if (mode === "json") reportFailure(new AppError("usage", error.message), mode);
    return EXIT.usage;
  }
}

function createProgram(mode: "human" | "json", onExit: (code: ExitCode) => void): Command {
  const act = actWith(onExit);
  const program = new CommandLine("deputy")
    .description("A personal assistant that acts by writing typed programs against your tools.")
    .version(
      mode === "json" ? JSON.stringify({ type: "version", version: VERSION }) : VERSION,
      "-V, --version",
    )
    .option("--json", "one JSON object per line on stdout, nothing else")
    .option("--home <dir>", "data directory (else DEPUTY_HOME, else ~/.deputy)")
    .showHelpAfterError("(deputy --help shows what there is)")
    .exitOverride();
  const approve = new Option("--approve <mode>", "answer approvals: all, none, or ask")
    .choices(approveModes)
    .default("ask");
  const tools = new Option(
    "--tools <plugin>",
    "a plugin file with tools, besides those of the config (may be repeated)",
  ).argParser((file: string, before?: readonly string[]) => [...(before ?? []), file]);

  const agent = new Option("--agent <slug>", "who is asked (else agents.default of the config)");

  program
    .command("chat", { isDefault: true })
    .description("talk to Deputy in the terminal (the default)")
    .option("--session <name>", "go on with that session: an id, a key, or a name of your own for one")
    .option("--new", "begin anew")
    .option(
      "--plain",
      "line by line with nothing drawn, for screen readers (or terminal.plain of the config)",
    )
    .addOption(agent)
    .allowExcessArguments()
    .hook("preAction", (_program, chat) => {
      // Whatever is no command lands here, because this is the default one.
      if (chat.args.length > 0) chat.error(`error: unknown command '${chat.args[0]}'`);
    })
    .action(act(async () => (await import("./commands/chat.ts")).chat));
  program
    .command("acp")
    .description("talk to Deputy in an editor: the Agent Client Protocol on stdin and stdout")
    .addOption(agent)
    .action(act(async () => (await import("./commands/acp.ts")).acp));
  program
    .command("run <prompt>")
    .description("one turn: shows what happens, asks for approvals on the spot")
    .addOption(agent)
    .addOption(tools)
    .addOption(approve)
    .action(act(async () => (await import("./commands/run.ts")).run));
  program
    .command("exec <file>")
    .description("run your own TypeScript against the tools (- reads it from stdin)")
    .addOption(tools)
    .addOption(approve)
    .option("--serve", "open the gateway while it runs, so that the page shows it live")
    .action(act(async () => (await import("./commands/exec.ts")).exec));
  program
    .command("check <files...>")
    .description("typecheck programs against the tools (- reads one from stdin); nothing runs")
    .addOption(tools)
    .addHelpText("after", "\nExit codes: 0 all typecheck, 1 something is wrong, 2 wrong usage.")
    .action(act(async () => (await import("./commands/check.ts")).check));
  program
    .command("serve")
    .description("the daemon: gateway, page and tasks")
    .option("--host <address>", "bind address (else DEPUTY_HOST, else the config, else 127.0.0.1)")
    .option("--port <number>", "port; 0 takes any free one (else DEPUTY_PORT, else the config, else 18789)")
    .addOption(tools)
    .addOption(
      new Option(
        "--demo-speed <times>",
        "with the rehearsal model: tasks are due, and the demo's days pass, so many times as fast",
      ).argParser(readSpeed),
    )
    .action(act(async () => (await import("./commands/serve.ts")).serve));
  program
    .command("init")
    .description("connect a model, and make what the first start needs")
    .option(
      "--model <ref>",
      "provider/model, such as anthropic/claude-sonnet-5, local/qwen3 or rehearsal/tour",
    )
    .option("--key <where>", "where its key is: env:NAME, file:/path, or - to keep what stdin gives")
    .option("--base-url <url>", "where it is asked, for a server of your own")
    .option("--no-check", "do not try it out first")
    .option("--demo", "then play the example")
    .action(act(async () => (await import("./commands/init.ts")).init));
  program
    .command("doctor")
    .description("what would not work, each with what to do about it; changes nothing")
    .option("--online", "also ask the model")
    .addHelpText("after", "\nExit codes: 0 nothing is in the way, 1 something is wrong.")
    .action(act(async () => (await import("./commands/doctor.ts")).doctor));
  const service = program.command("service").description("keep the daemon running");
  service
    .command("print", { isDefault: true })
    .description("the file that does: a systemd user unit, or a launchd agent")
    .addOption(new Option("--kind <kind>", "of which (else this system's)").choices(["systemd", "launchd"]))
    .action(act(async () => (await import("./commands/service.ts")).printService));
  service
    .command("install")
    .description("write it where it belongs; says how to start it")
    .action(act(async () => (await import("./commands/service.ts")).installService));
  program
    .command("completions")
    .description("what a shell sources to complete commands: source <(deputy completions bash)")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action(
      act(async () => {
        const { printCompletions } = await import("./commands/completions.ts");
        return (invocation: Invocation, shell: "bash" | "zsh" | "fish", _options: unknown) =>
          printCompletions(invocation, shell, treeOf(program));
      }),
    );
  program
    .command("token")
    .description("print the token to sign in with")
    .action(act(async () => (await import("./commands/token.ts")).printToken));

  const config = program.command("config").description("look at and change settings");
  config
    .command("get [key]", { isDefault: true })
    .description("what is in force, all or one setting (such as gateway.port)")
    .action(act(async () => (await import("./commands/config.ts")).getSetting));
  config
    .command("set <key> <value>")
    .description("change one setting; the value is JSON where that fits, else text")
    .action(act(async () => (await import("./commands/config.ts")).setSetting));
  config
    .command("check")
    .description("say what is wrong with the settings, the agents' files and the skills")
    .addHelpText(
      "after",
      "\nExit codes: 0 sound, also where something should be mended; 1 it cannot be used.",
    )
    .action(act(async () => (await import("./commands/config.ts")).checkConfig));
  config
    .command("path")
    .description("print where the settings are")
    .action(act(async () => (await import("./commands/config.ts")).printPath));

  addToolCommands(program, act, tools);

  const sessions = program
    .command("sessions")
    .description("look at, search, fork, export and import sessions");
  const limit = new Option("--limit <n>", "at most so many").argParser(readCount);
  sessions
    .command("list", { isDefault: true })
    .description("the sessions used last, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./commands/sessions.ts")).listSessions));
  sessions
    .command("show <session>")
    .description("what was said and done in a session (by its id or key)")
    .action(act(async () => (await import("./commands/sessions.ts")).showSession));
  sessions
    .command("search <words...>")
    .description("messages that hold all of these words")
    .addOption(limit)
    .action(act(async () => (await import("./commands/sessions.ts")).searchSessions));
  sessions
    .command("fork <session>")
    .description("begin a new session as a copy of another")
    .addOption(
      new Option("--at <seq>", "only up to this event, or the end of the turn before it").argParser(
        readCount,
      ),
    )
    .option("--key <key>", "the new session's key")
    .action(act(async () => (await import("./commands/sessions.ts")).forkSession));
  sessions
    .command("export <session>")
    .description("write a session as JSON lines to stdout")
    .option("--transcript", "what was said and done, for people; it cannot be imported")
    .action(act(async () => (await import("./commands/session-files.ts")).exportSession));
  sessions
    .command("import <file>")
    .description("take in an exported session (- reads it from stdin)")
    .action(act(async () => (await import("./commands/session-files.ts")).importSession));

  addDeskCommands(program, act, limit);
  addHookCommands(program, act, readCount);

  program
    .command("replay <session>")
    .description("run a session again from its log, and compare: no tool runs, nothing is written")
    .addOption(new Option("--turn <n>", "only that turn, counted from 1").argParser(readCount))
    .option("--typecheck", "also check its programs against today's tools")
    .addOption(tools)
    .option("--fork-at <point>", "go on from there in a fork: an event's number, turn:N, or a turn's id")
    .option("--model <ref>", "with --fork-at: the model that goes on, as provider/model")
    .addOption(approve)
    .addHelpText("after", "\nSESSION is an id, a key, or a task's id. Exit codes: 0 as recorded, 1 not.")
    .action(act(async () => (await import("./commands/replay.ts")).replay));

  const policy = program.command("policy").description("what may happen without asking");
  const directory = (flags: string, what: string): Option =>
    new Option(flags, what).argParser((path: string, before?: readonly string[]) => [
      ...(before ?? []),
      path,
    ]);
  policy
    .command("explain")
    .description("what the gate would say, and why; nothing runs")
    .option("--shell <command>", "of a command line (- reads one JSON string per line from stdin)")
    .option("--workspace <dir>", "with --shell: instead of security.workspace of the config")
    .option("--cwd <dir>", "with --shell: where the command starts (else the workspace)")
    .addOption(directory("--allow-read <dir>", "with --shell: may be read besides (may be repeated)"))
    .addOption(directory("--allow-write <dir>", "with --shell: may be written to besides (may be repeated)"))
    .option("--tool <path>", "of a call of this tool; one that is not there is judged by its name")
    .option("--input <json>", "with --tool: what it is called with (else {})")
    .addOption(directory("--user <text>", "with --tool: what the user said (may be repeated)"))
    .addOption(
      directory("--context <file>", "with --tool: what was read before (may be repeated; - reads stdin)"),
    )
    .addOption(tools)
    .option("--agent <slug>", "with --tool: as if this agent called it, whose files count as yours")
    .option("--description <text>", "with --tool: what a tool that is not there says it does")
    .addOption(
      new Option("--effect <effect>", "with --tool: as if it had this effect").choices([
        "read",
        "write",
        "egress",
        "destructive",
      ]),
    )
    .addOption(
      new Option("--approval <mode>", "with --tool: as if it had this").choices(["auto", "required"]),
    )
    .option("--critical <names>", "with --tool: as if these arguments were critical (a,b or all)")
    .addHelpText(
      "after",
      "\nA context file is text that nobody vouches for, or JSON lines or an array of" +
        '\n{"source","trust":"user|configuration|trusted|untrusted","text" or "json"}.',
    )
    .addHelpText(
      "after",
      "\n--shell answers as if tools.bash.approval were allowlist. Exit codes: 0 answered, 2 wrong usage.",
    )
    .action(act(async () => (await import("./commands/policy.ts")).explain));

  const workspace = program.command("workspace").description("the agents' copy of your files");
  workspace
    .command("status", { isDefault: true })
    .description("what differs from your folder")
    .action(act(async () => (await import("./commands/workspace.ts")).showStatus));
  workspace
    .command("diff [paths...]")
    .description("the same line by line, all or what is at or under a path")
    .action(act(async () => (await import("./commands/workspace.ts")).showDiff));
  workspace
    .command("commit [paths...]")
    .description("write changes to your folder, after you have looked at them")
    .option("--yes", "do not ask: you have looked")
    .addHelpText(
      "after",
      "\nExit codes: 0 written, 1 a conflict or a failure (nothing written), 3 you said no.",
    )
    .action(act(async () => (await import("./commands/workspace.ts")).commitChanges));
  workspace
    .command("revert [paths...]")
    .description("give up changes: those files are as in your folder again")
    .option("--all", "all of them")
    .action(act(async () => (await import("./commands/workspace.ts")).revertChanges));
  workspace
    .command("import [dir]")
    .description("make it a copy of a folder; without one, of the same folder as it is now")
    .addOption(
      new Option(
        "--exclude <name>",
        "leave out files and folders of that name (may be repeated; else .git and node_modules)",
      ).argParser((name: string, before?: readonly string[]) => [...(before ?? []), name]),
    )
    .option("--discard", "also when changes that are not committed are lost")
    .action(act(async () => (await import("./commands/workspace.ts")).importDirectory));

  const audit = program.command("audit").description("what happened, and whether the record of it holds");
  audit
    .command("verify", { isDefault: true })
    .description("recompute every hash of the log and of the daily files")
    .option("--anchor <anchor>", "also compare with what `deputy audit head` printed earlier")
    .addHelpText("after", "\nExit codes: 0 everything holds, 1 something does not.")
    .action(act(async () => (await import("./commands/audit.ts")).verify));
  audit
    .command("show")
    .alias("list")
    .description("what happened, one line each, the newest last")
    .option("--since <time>", "a day (UTC), a moment, or how long ago: 2026-03-01, 90m, 7d")
    .option("--until <time>", "the same")
    .option("--session <session>", "only that one: an id, a key, a task's id, or system")
    .option("--type <type>", "only that type of event, or those under it: call.settled, auth")
    .option("--tool <path>", "only calls of that tool, or of those under it")
    .addOption(new Option("--limit <n>", "at most so many").argParser(readCount).default(50))
    .action(act(async () => (await import("./commands/audit-show.ts")).show));
  audit
    .command("head")
    .description("print one hash over the whole log, to be kept elsewhere")
    .action(act(async () => (await import("./commands/audit.ts")).head));
  audit
    .command("rebuild-daily")
    .description("write the daily files anew from the log; the old ones are kept aside")
    .action(act(async () => (await import("./commands/audit.ts")).rebuild));
  audit
    .command("repair")
    .description(
      "rebuild a damaged log of what it and the daily files prove; the damaged files are kept aside",
    )
    .option("--new-key", "when the key is lost: give up what only it can read, and keep everything else")
    .action(act(async () => (await import("./commands/audit.ts")).repair));
  return program;
}

/** What completions are made of. */
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

function readCount(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

function readSpeed(text: string): number {
  const speed = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (speed >= 1 && speed <= FASTEST_DEMO) return speed;
  throw new InvalidArgumentError(`It must be a number from 1 to ${FASTEST_DEMO}.`);
}

/** Wraps a command: global options, signals, exit code. */
function actWith(onExit: (code: ExitCode) => void) {
  return <Args extends unknown[]>(load: () => Promise<Action<Args>>) =>
    async (...args: [...Args, Command]): Promise<void> => {
      const command = args.pop() as Command;
      const { openInvocation } = await import("./invocation.ts");
      const { openStopSignal } = await import("./stop-signal.ts");
      using invocation = openInvocation(command.optsWithGlobals<GlobalOptions>(), openStopSignal());
      const action = await load();
      onExit(await action(invocation, ...(args as unknown[] as Args)));
    };
}
