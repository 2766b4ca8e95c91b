import { type Command, Option } from "commander";
import { usageGroups } from "./commands/usage-groups.ts";
import type { ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "./invocation.ts";

/** Makes what the parser calls out of a command that is loaded when it is needed. */
export type Act = <Args extends unknown[]>(
  load: () => Promise<(invocation: Invocation, ...args: Args) => Promise<ExitCode>>,
) => (...args: [...Args, Command]) => Promise<void>;

/** `deputy approvals`, `deputy tasks` and `deputy usage`: look at what goes on, and act on it. */
export function addDeskCommands(program: Command, act: Act, limit: Option): void {
  const approvals = program.command("approvals").description("what waits for you, and what you have allowed");
  const reason = new Option("--reason <text>", "told to the program");
  approvals
    .command("list", { isDefault: true })
    .description("the questions that wait for an answer")
    .action(act(async () => (await import("./commands/approvals.ts")).listApprovals));
  approvals
    .command("show <id>")
    .description("all of a question, and what came of it")
    .action(act(async () => (await import("./commands/approvals.ts")).showOneApproval));
  approvals
    .command("approve <id>")
    .description("say yes to a call, or to a plan or some of it")
    .addOption(
      new Option("--scope <scope>", "how far it reaches (else just this)").choices([
        "once",
        "session",
        "task",
      ]),
    )
    .option("--expires <time>", "with --scope session or task: until 2026-03-01T12:00Z, or for 30m, 8h, 7d")
    .option("--calls <calls>", "of a plan, only these: 1,3-5, or ids; the others are denied")
    .option("--answer <json>", "of a call that asks something while it runs: what it is told")
    .addOption(reason)
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/approvals.ts")).approve));
  approvals
    .command("deny <id>")
    .description("say no")
    .addOption(reason)
    .option("--result <json>", "of a call that may have happened: it did, and gave this")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/approvals.ts")).deny));
  approvals
    .command("grants")
    .description("what you have allowed beyond one call")
    .action(act(async () => (await import("./commands/grants.ts")).listGrants));
  approvals
    .command("revoke <grant>")
    .description("take that back; the next call asks again")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/grants.ts")).revokeGrant));

  const tasks = program.command("tasks").description("what was started, and what came of it");
  tasks
    .command("add <prompt>")
    .description("a task that runs on a schedule, at a time, or when something is reported")
    .option("--schedule <when>", "such as “every day at 9am”, “0 9 * * 1-5 Europe/Vienna”, “every 30m”")
    .option("--at <time>", "once: 2026-12-01T09:00")
    .option("--on <hook>", "whenever this hook, mailbox or folder reports something")
    .option("--filter <json>", "with --on: fields that the report must have")
    .option("--agent <agent>", "whose turn it is")
    .option("--deliver <session>", "where its answers go (else to the session you used last)")
    .addHelpText("after", ADD_HELP)
    .action(act(async () => (await import("./commands/add-task.ts")).addTask));
  tasks
    .command("list", { isDefault: true })
    .description("tasks, newest first")
    .addOption(limit)
    .action(act(async () => (await import("./commands/tasks.ts")).listTasks));
  tasks
    .command("show <id>")
    .description("one task, and what came of it")
    .action(act(async () => (await import("./commands/tasks.ts")).showTask));
  tasks
    .command("history <id>")
    .description("what it has been through, as a story")
    .addOption(limit)
    .action(act(async () => (await import("./commands/tasks.ts")).tellTask));
  tasks
    .command("cancel <id>")
    .description("stop it; what it asked is denied")
    .addHelpText("after", EXIT_CODES)
    .action(act(async () => (await import("./commands/tasks.ts")).cancelTask));

  program
    .command("usage")
    .description("tokens and money that turns took, once they have ended")
    .addOption(new Option("--by <what>", "summed up by").choices(usageGroups).default("day"))
    .option("--since <time>", "a day (UTC), a moment, or how long ago: 2026-03-01, 90m, 7d")
    .option("--until <time>", "the same")
    .action(act(async () => (await import("./commands/usage.ts")).showUsage));
}

const ADD_HELP =
  "\nIt runs while `deputy serve` does; what was due meanwhile is made up for, the newest of it." +
  "\nExit codes: 0 added; 1 refused; 2 a schedule that is none.";
const EXIT_CODES =
  "\nThrough the running daemon when there is one, else in the log, for whoever opens the home next." +
  "\nExit codes: 0 done, also when it was so already; 1 not there, or decided otherwise before.";
