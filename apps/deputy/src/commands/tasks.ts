import { makeVisible, parseId } from "@deputy/kit";
import type { Task, TaskDetail } from "@deputy/protocol";
import { openSqliteReader, type SqliteReader } from "@deputy/store/sqlite";
import { createTasksReader, describeTask } from "@deputy/tasks";
import { AppError } from "../app-error.ts";
import { openDesk } from "../desk/open-desk.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { indent } from "../terminal/indent.ts";

/** How much of a prompt a list shows. */
const PROMPT_CHARS = 80;
const DEFAULT_LIMIT = 50;
const MARKS = { succeeded: "✓", failed: "✗", denied: "⊘", unknown: "?" } as const;

/** `deputy tasks list`: newest first; works beside a running daemon. */
export async function listTasks(
  invocation: Invocation,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number },
): Promise<ExitCode> {
  const { output } = invocation;
  await using log = openLog(invocation);
  const tasks = await createTasksReader(log).list();
  for (const task of tasks.slice(0, limit)) {
    output.result(lineOf(task, firstLine(task.prompt)));
    output.object(task);
  }
  if (tasks.length > limit)
    output.note(`These are the last ${limit} of ${tasks.length}; --limit N shows more.`);
  return EXIT.done;
}

/** `deputy tasks show ID`: the task, and what came of it. */
export async function showTask(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output } = invocation;
  await using log = openLog(invocation);
  const detail = await describeTask(log, await findTask(log, name));
  output.result(lineOf(detail, `[${detail.stream}]`));
  output.result(makeVisible(indent(detail.prompt, "> ")));
  for (const line of endOf(detail)) output.result(makeVisible(line));
  output.object(detail);
  return EXIT.done;
}

/** `deputy tasks cancel ID` */
export async function cancelTask(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  const task = await taskNamed(invocation, name);
  await using desk = await openDesk(invocation);
  await desk.cancel(task.id, signal);
  output.result(`cancelled: ${task.id}`);
  output.object({ id: task.id, status: "cancelled" });
  return EXIT.done;
}

function openLog({ homeDirectory, warn }: Invocation): SqliteReader {
  return openSqliteReader({ directory: openHome(homeDirectory, warn).directory });
}

async function taskNamed(invocation: Invocation, name: string): Promise<Task> {
  await using log = openLog(invocation);
  return await findTask(log, name);
}

async function findTask(log: SqliteReader, name: string): Promise<Task> {
  const id = parseId("task", name);
  const task = id && (await createTasksReader(log).get(id));
  if (task !== undefined) return task;
  throw new AppError("not_found", `There is no task “${makeVisible(name)}”`, {
    hint: "`deputy tasks` lists them.",
  });
}

function lineOf({ id, createdAt, status, agentId }: Task, what: string): string {
  return [id, createdAt, status.padEnd(9), agentId, what].map(makeVisible).join("  ");
}

function firstLine(prompt: string): string {
  const [line = ""] = prompt.split("\n");
  return line.length < prompt.length || line.length > PROMPT_CHARS ? `${line.slice(0, PROMPT_CHARS)}…` : line;
}

function endOf({ message, error, result, diagnostics = [], logs = [], receipts = [] }: TaskDetail): string[] {
  return [
    ...diagnostics.map(({ line, message: text }) => `✗ line ${line}: ${text}`),
    ...logs.map((text) => `· ${text}`),
    ...receipts.map(({ status, toolPath, input, error: failure }) =>
      [
        MARKS[status],
        toolPath,
        JSON.stringify(input),
        ...(failure === undefined ? [] : [failure.message]),
      ].join(" "),
    ),
    ...(error === undefined ? [] : [`✗ ${error.message} (${error.code})`]),
    ...(message === undefined ? [] : [message]),
    ...(result === undefined ? [] : [JSON.stringify(result, null, 2)]),
  ];
}
