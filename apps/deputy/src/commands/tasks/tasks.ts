import { makeVisible, parseId } from "@deputy/kit";
import type { StoryLine, Task, TaskDetail } from "@deputy/protocol";
import { localStamp, momentWords } from "@deputy/protocol/schedule";
import type { SqliteReader } from "@deputy/store/sqlite";
import { describeTask, type TaskChange, type TaskPlan } from "@deputy/tasks";
import { createTasksReader, readStory } from "@deputy/tasks/readers";
import { AppError } from "../../app-error.ts";
import { openDecisions } from "../../decisions/open-decisions.ts";
import { readLog } from "../../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import { indent } from "@deputy/terminal/show";
import { onceAt } from "./once-at.ts";

/** How much of a prompt a list shows. */
const PROMPT_CHARS = 80;
const DEFAULT_LIMIT = 50;
/** The end of an id: its beginning says when it was made, which tasks share. */
const SHORT_ID = /^[0-9a-z]{4,}$/i;
const MARKS = { succeeded: "✓", failed: "✗", denied: "⊘", unknown: "?" } as const;

/** `deputy tasks list`: newest first; works beside a running daemon. */
export async function listTasks(
  invocation: Invocation,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number },
): Promise<ExitCode> {
  const { output } = invocation;
  const tasks = await readLog(invocation, [], (log) => createTasksReader(log).list());
  for (const task of tasks.slice(0, limit)) {
    const next = task.nextAt === undefined ? "" : `[next ${localTime(task.nextAt)}] `;
    output.result(lineOf(task, next + firstLine(task.prompt)));
    output.object(task);
  }
  if (tasks.length === 0) output.note("There are no tasks. `deputy tasks add` adds one.");
  if (tasks.length > limit)
    output.note(`Only the last ${limit} of ${tasks.length} are shown; --limit N shows more.`);
  return EXIT.done;
}

/** `deputy tasks show ID`: the task, and its outcome. */
export async function showTask(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output } = invocation;
  const detail = await findTask(invocation, name, describeTask);
  const plan = await readLog(invocation, undefined, (log) => createTasksReader(log).plan(detail.id));
  output.result(lineOf(detail, `[${detail.stream}]`));
  output.result(makeVisible(indent(detail.prompt, "> ")));
  if (plan !== undefined) for (const line of planLines(plan)) output.result(makeVisible(line));
  for (const line of endOf(detail)) output.result(makeVisible(line));
  output.object({ ...detail, ...plan });
  return EXIT.done;
}

/** As the clocks here show it; `--json` has the exact moment. */
function localTime(at: string): string {
  return momentWords(Date.parse(at), Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** When a task runs, as it is read back to the user. */
export function planLines({ runs, next }: TaskPlan): readonly string[] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return [`Runs ${runs}.`, ...next.map((at) => `  next ${momentWords(Date.parse(at), timeZone)}`)];
}

/** `deputy tasks history ID`: the last lines of the task's history. */
export async function tellTask(
  invocation: Invocation,
  name: string,
  { limit = DEFAULT_LIMIT }: { readonly limit?: number },
): Promise<ExitCode> {
  const { output } = invocation;
  const lines = await findTask(invocation, name, (log, task) => readStory(log, task.stream, limit + 1));
  if (lines.length > limit) output.note(`Only the last ${limit} are shown; --limit N shows more.`);
  for (const line of lines.slice(-limit)) {
    const [first = "", ...rest] = textOf(line).split("\n");
    output.result(makeVisible(line.kind === "step" ? `    ${first}` : `${localTime(line.at)}  ${first}`));
    for (const more of rest) output.result(makeVisible(`    ${more}`));
    output.object(line);
  }
  return EXIT.done;
}

/** Times that it was due are as the clocks here show them. */
function textOf({ text, slot }: StoryLine): string {
  if (slot === undefined) return text;
  const due = localTime(slot.dueAt);
  const which =
    slot.count === undefined || slot.untilAt === undefined
      ? due
      : `${slot.count} times, ${due} to ${localTime(slot.untilAt)}`;
  return `${slot.how === "ran" ? "Ran" : "Did not run"}, due ${which}: ${slot.reason}`;
}

/** `deputy tasks cancel ID` */
export async function cancelTask(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  const task = await findTask(invocation, name, async (_log, found) => found);
  await using decisions = await openDecisions(invocation);
  await decisions.cancel(task.id, signal);
  output.result(`cancelled: ${task.id}`);
  output.object({ id: task.id, status: "cancelled" });
  return EXIT.done;
}

/** `deputy tasks pause ID`, and the like. */
export const pauseTask = (invocation: Invocation, name: string): Promise<ExitCode> =>
  changeTask(invocation, name, { kind: "pause" });
export const resumeTask = (invocation: Invocation, name: string): Promise<ExitCode> =>
  changeTask(invocation, name, { kind: "resume" });
export const runTask = (invocation: Invocation, name: string): Promise<ExitCode> =>
  changeTask(invocation, name, { kind: "run" });

/** `deputy tasks edit ID`: reads back when it runs. */
export async function editTask(
  invocation: Invocation,
  name: string,
  { prompt, schedule, at }: { readonly prompt?: string; readonly schedule?: string; readonly at?: string },
): Promise<ExitCode> {
  if (schedule !== undefined && at !== undefined)
    throw new AppError("usage", "--schedule and --at contradict each other");
  const when = at === undefined ? schedule : onceAt(at);
  if (prompt === undefined && when === undefined)
    throw new AppError("usage", "There is nothing to change", {
      hint: "Use --prompt, --schedule or --at.",
    });
  return await changeTask(invocation, name, {
    kind: "edit",
    ...(prompt === undefined ? {} : { prompt }),
    ...(when === undefined ? {} : { schedule: when }),
  });
}

const CHANGED = { pause: "paused", resume: "resumed", run: "running", edit: "changed" } as const;

async function changeTask(invocation: Invocation, name: string, change: TaskChange): Promise<ExitCode> {
  const { output, signal } = invocation;
  const { id } = await findTask(invocation, name, async (_log, found) => found);
  let isLive: boolean;
  {
    await using decisions = await openDecisions(invocation);
    ({ isLive } = decisions);
    await decisions.change(id, change, signal);
  }
  const { task, plan } = (await readLog(invocation, undefined, async (log) => {
    const tasks = createTasksReader(log);
    return { task: await tasks.get(id), plan: await tasks.plan(id) };
  })) ?? { task: undefined, plan: undefined };
  output.result(`${CHANGED[change.kind]}: ${id}`);
  // Its single time is used up, which the plan shows only once the run has begun.
  if (change.kind === "run" && task?.kind === "one-shot")
    output.result("It runs once: now, and not again at the time that it was planned for.");
  else if (plan !== undefined) for (const line of planLines(plan)) output.result(makeVisible(line));
  if (!isLive && change.kind === "run")
    output.note("It runs once `deputy serve` is running, which is not the case now.");
  output.object({ ...task, ...plan, isLive });
  return EXIT.done;
}

async function findTask<T>(
  invocation: Invocation,
  name: string,
  read: (log: SqliteReader, task: Task) => Promise<T>,
): Promise<T> {
  const found = await readLog(invocation, undefined, async (log) => {
    const task = await taskNamed(createTasksReader(log), name);
    return task && { is: await read(log, task) };
  });
  if (found !== undefined) return found.is;
  throw new AppError("not_found", `There is no task “${makeVisible(name)}”`, {
    hint: "`deputy tasks` lists them.",
  });
}

/** By its id, or by the end of it where only one task ends like that. */
async function taskNamed(
  tasks: ReturnType<typeof createTasksReader>,
  name: string,
): Promise<Task | undefined> {
  const id = parseId("task", name);
  if (id !== undefined) return await tasks.get(id);
  if (!SHORT_ID.test(name)) return undefined;
  const alike = (await tasks.list()).filter((task) => task.id.endsWith(name.toUpperCase()));
  if (alike.length < 2) return alike[0];
  throw new AppError("usage", `${alike.length} tasks end in “${name}”`, { hint: "Give more of the id." });
}

function lineOf({ id, createdAt, status, agentId }: Task, what: string): string {
  return [id, localStamp(createdAt), status.padEnd(9), agentId, what].map(makeVisible).join("  ");
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
