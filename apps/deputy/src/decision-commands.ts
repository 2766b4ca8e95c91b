import { type Command, Option } from "commander";
import type { ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "./invocation.ts";

/** Turns a lazily loaded command into the parser's action. */
export type Act = <Args extends unknown[]>(
  load: () => Promise<(invocation: Invocation, ...args: Args) => Promise<ExitCode>>,
) => (...args: [...Args, Command]) => Promise<void>;

/** `deputy approvals`, `deputy tasks` and `deputy usage`: show current work, and act on it. */
export function addDecisionCommands(program: Command, act: Act, limit: Option): void {
  const approvals = program
    .command("approvals")
    .description("list and answer the questions that wait for you");
  const reason = new Option("--reason <text>", "a reason, which the program gets");
  approvals
    .command("list", { isDefault: true })
    .description("list the questions that wait for an answer")
    .action(act(async () => (await import("./commands/approvals.ts")).listApprovals));
  approvals
    .command("show <id>")
    .description("show the details of a question, and its answer")
    .action(act(async () => (await import("./commands/approvals.ts")).showOneApproval));
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
    .action(act(async () => (await import("./commands/approvals.ts")).approve));
  approvals
    .command("deny <id>")
    .description("deny a call or a plan")
    .addOption(reason)
    .option("--result <json>", "for a call that may have happened: it did happen, and this is its result")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/approvals.ts")).deny));
  approvals
    .command("grants")
    .description("list what you have allowed beyond one call")
    .action(act(async () => (await import("./commands/grants.ts")).listGrants));
  approvals
    .command("revoke <grant>")
    .description("take a grant back; the next call asks again")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/grants.ts")).revokeGrant));

  const tasks = program.command("tasks").description("list, add, change and cancel tasks");
  tasks
    .command("add <prompt>")
    .description("add a task that runs on a schedule, at a time, or when something is reported")
    .option("--schedule <when>", "when it runs: “every day at 9am”, “0 9 * * 1-5 Europe/Vienna”, “every 30m”")
    .option("--at <time>", "run once at this time: 2026-12-01T09:00")
    .option("--on <hook>", "run whenever this hook, mailbox or folder reports something")
    .option("--filter <json>", "with --on: fields that the report must have")
    .option("--agent <agent>", "the agent that does it")
    .option("--deliver <session>", "the session that gets its answers (default: the one you used last)")
    .addHelpText("after", ADD_HELP)
    .action(act(async () => (await import("./commands/add-task.ts")).addTask));
  tasks
    .command("list", { isDefault: true })
    .description("list the tasks, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./commands/tasks.ts")).listTasks));
  tasks
    .command("show <id>")
    .description("show one task and its result")
    .action(act(async () => (await import("./commands/tasks.ts")).showTask));
  tasks
    .command("history <id>")
    .description("show the activity of a task")
    .addOption(limit)
    .action(act(async () => (await import("./commands/tasks.ts")).tellTask));
  tasks
    .command("pause <id>")
    .description("skip what is due until the task is resumed")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).pauseTask));
  tasks
    .command("resume <id>")
    .description("let a paused task run again")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).resumeTask));
  tasks
    .command("run <id>")
    .description("run a task now, besides its schedule")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).runTask));
  tasks
    .command("edit <id>")
    .description("change what a task does, or when; it counts from the next run on")
    .option("--prompt <text>", "what it does from now on")
    .option("--schedule <when>", "when it runs from now on")
    .option("--at <time>", "for a task that runs once: its new time")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).editTask));
  tasks
    .command("cancel <id>")
    .description("stop a task; its open questions are denied")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).cancelTask));

  program
    .command("usage")
    .description("show the tokens and the cost of turns that have ended")
    .addOption(new Option("--by <what>", "group by").choices(usageGroups).default("day"))
    .option(
      "--since <time>",
      "from this time on: a day (UTC), a moment, or how long ago: 2026-03-01, 90m, 7d",
    )
    .option("--until <time>", "up to this time, in the same formats")
    .action(act(async () => (await import("./commands/usage.ts")).showUsage));
}

const ADD_HELP =
  "\nIt runs while `deputy serve` is running. If it missed several times, the newest one is made up." +
  "\nExit codes: 0 added, 1 refused, 2 not a schedule.";
const EXIT_CODES =
  "\nIf a daemon is running, it acts at once. Otherwise the next start does." +
  "\nExit codes: 0 done, also if it was already so; 1 not found, or already decided differently.";

/** The groups by which usage can be summed up. */
const usageGroups = ["day", "model", "session"] as const;
export type UsageGroup = (typeof usageGroups)[number];
