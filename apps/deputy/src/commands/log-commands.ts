import { type Command, Option } from "commander";
import { type Act, readCount } from "./command-groups.ts";

/** `deputy sessions`. */
export function addSessionCommands(program: Command, act: Act, limit: Option): void {
  const sessions = program
    .command("sessions")
    .description("show, search, fork, export and import sessions (conversations)");
  sessions
    .command("list", { isDefault: true })
    .description("list the latest sessions, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./log/sessions.ts")).listSessions));
  sessions
    .command("show <session>")
    .description("show what was said and done in a session (by its id or key)")
    .action(act(async () => (await import("./log/sessions.ts")).showSession));
  sessions
    .command("search <words...>")
    .description("find messages that contain all of these words")
    .addOption(limit)
    .action(act(async () => (await import("./log/sessions.ts")).searchSessions));
  sessions
    .command("fork <session>")
    .description("make a new session that begins as a copy of another")
    .addOption(
      new Option("--at <seq>", "copy only up to this event, or to the end of the turn before it").argParser(
        readCount,
      ),
    )
    .option("--key <key>", "the new session's key")
    .action(act(async () => (await import("./log/sessions.ts")).forkSession));
  sessions
    .command("export <session>")
    .description("write a session as JSON lines to stdout")
    .option("--transcript", "write it as text for people; this cannot be imported")
    .action(act(async () => (await import("./log/session-files.ts")).exportSession));
  sessions
    .command("import <file>")
    .description("read an exported session from a file (- reads it from stdin)")
    .action(act(async () => (await import("./log/session-files.ts")).importSession));
}

/** `deputy replay`. */
export function addReplayCommand(
  program: Command,
  act: Act,
  { tools, approve }: { readonly tools: Option; readonly approve: Option },
): void {
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
    .action(act(async () => (await import("./log/replay.ts")).replay));
}

/** `deputy usage`. */
export function addUsageCommand(program: Command, act: Act): void {
  program
    .command("usage")
    .description("show the tokens and the cost of turns that have ended")
    .addOption(new Option("--by <what>", "group by").choices(usageGroups).default("day"))
    .option(
      "--since <time>",
      "from this time on: a day (UTC), a moment, or how long ago: 2026-03-01, 90m, 7d",
    )
    .option("--until <time>", "up to this time, in the same formats")
    .action(act(async () => (await import("./log/usage.ts")).showUsage));
}

/** `deputy audit`. */
export function addAuditCommands(program: Command, act: Act): void {
  const audit = program.command("audit").description("show what happened, and verify the log");
  audit
    .command("verify", { isDefault: true })
    .description("recompute every hash of the log and of the daily files")
    .option("--anchor <anchor>", "also compare with an earlier output of `deputy audit head`")
    .addHelpText("after", "\nExit codes: 0 everything holds, 1 something does not.")
    .action(act(async () => (await import("./log/audit.ts")).verify));
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
    .action(act(async () => (await import("./log/audit-show.ts")).show));
  audit
    .command("head")
    .description("print one hash over the whole log, which you keep elsewhere")
    .action(act(async () => (await import("./log/audit.ts")).head));
  audit
    .command("rebuild-daily")
    .description("write the daily files again from the log; the old ones are kept aside")
    .action(act(async () => (await import("./log/audit.ts")).rebuild));
  audit
    .command("repair")
    .description(
      "rebuild a damaged log from what it and the daily files prove; the damaged files are kept aside",
    )
    .option("--new-key", "if the key is lost: give up what only it can decrypt, and keep everything else")
    .action(act(async () => (await import("./log/audit.ts")).repair));
}

/** The groups by which usage can be summed up. */
const usageGroups = ["day", "model", "session"] as const;
export type UsageGroup = (typeof usageGroups)[number];
