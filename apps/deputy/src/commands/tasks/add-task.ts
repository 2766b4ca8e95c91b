import { isRecord, makeVisible, parseJson } from "@deputy/kit";
import type { CreateTask } from "@deputy/protocol";
import { createTasksReader } from "@deputy/tasks/readers";
import { AppError } from "../../app-error.ts";
import { openDecisions } from "../../decisions/open-decisions.ts";
import { readLog } from "../../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import { consolidationTask } from "../../memory/consolidation.ts";
import { onceAt } from "./once-at.ts";
import { planLines } from "./tasks.ts";

interface AddOptions {
  readonly schedule?: string;
  readonly at?: string;
  readonly on?: string;
  readonly filter?: string;
  readonly agent?: string;
  readonly deliver?: string;
}

/** `deputy tasks add PROMPT`: reads back when it runs. */
export async function addTask(
  invocation: Invocation,
  prompt: string,
  options: AddOptions,
): Promise<ExitCode> {
  return await createTask(invocation, requestOf(prompt, options));
}

/** `deputy memory condense`: off until the user adds it, as any other task. */
export async function addConsolidation(
  invocation: Invocation,
  options: Parameters<typeof consolidationTask>[0] & { readonly schedule: string },
): Promise<ExitCode> {
  return await createTask(invocation, consolidationTask(options));
}

async function createTask(invocation: Invocation, request: CreateTask): Promise<ExitCode> {
  const { output, signal } = invocation;
  let isLive: boolean;
  let id;
  {
    await using decisions = await openDecisions(invocation);
    ({ isLive } = decisions);
    ({ id } = await decisions.add(request, signal));
  }
  const plan = await readLog(invocation, undefined, (log) => createTasksReader(log).plan(id));
  output.result(`added: ${id}`);
  if (plan !== undefined) for (const line of planLines(plan)) output.result(makeVisible(line));
  if (!isLive) output.note("It runs only while `deputy serve` is running, which is not the case now.");
  output.object({ id, ...plan, isLive });
  return EXIT.done;
}

function requestOf(prompt: string, { schedule, at, on, filter, agent, deliver }: AddOptions): CreateTask {
  if ([schedule, at, on].filter((when) => when !== undefined).length !== 1)
    throw new AppError("usage", "A task for later needs one of --schedule, --at and --on", {
      hint: '`deputy run "PROMPT"` runs it once, now.',
    });
  if (filter !== undefined && on === undefined) throw new AppError("usage", "--filter goes with --on");
  return {
    prompt,
    ...(schedule === undefined ? {} : { schedule }),
    ...(at === undefined ? {} : { schedule: onceAt(at) }),
    ...(on === undefined ? {} : { kind: "event", hook: on }),
    ...(filter === undefined ? {} : { filter: readFilter(filter) }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(deliver === undefined ? {} : { sessionKey: deliver }),
  };
}

function readFilter(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  if (isRecord(value)) return value;
  throw new AppError("usage", `“${makeVisible(text)}” is not a JSON object`, {
    hint: `Such as --filter '{"action": "opened"}'.`,
  });
}
