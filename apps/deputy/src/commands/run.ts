import { AppError } from "../app-error.ts";
import { attach } from "../chat/attach.ts";
import { connectLocally } from "../chat/local-connection.ts";
import { endOnFailure } from "../end-on-failure.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { goOnWithTasks } from "../go-on-with-tasks.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { catchStrayErrors } from "../stray-errors.ts";
import type { ApproveMode } from "@deputy/terminal/output";
import { createApprover } from "@deputy/terminal";
import type { ShowEvent } from "@deputy/terminal";
import { followUntilStopped } from "@deputy/terminal";
import { showTaskEvent } from "@deputy/terminal";

export interface RunOptions {
  readonly tools?: readonly string[];
  readonly approve: ApproveMode;
  readonly agent?: string;
}

/** `deputy run "PROMPT"`: through the running daemon when there is one, else in this process. */
export async function run(invocation: Invocation, prompt: string, options: RunOptions): Promise<ExitCode> {
  if (prompt.trim() === "") throw new AppError("usage", "The prompt is empty");
  const { output, env, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const request = options.agent === undefined ? { prompt } : { prompt, agentId: options.agent };
  const show: ShowEvent = (event, answered) => showTaskEvent(output, event, answered);
  const deps = { show, approver: createApprover(options.approve, invocation.reader) };

  const daemon = await attach(home, env);
  if (daemon !== undefined) {
    if (options.tools !== undefined) {
      throw new AppError("usage", "A daemon is running for this home, and --tools cannot add to it", {
        hint: "Name the plugin in toolSources of config.json, or use another --home.",
      });
    }
    output.note(`· Through the daemon at ${daemon.url}`);
    const task = await daemon.client.createTask(request, invocation.signal);
    return (await followUntilStopped(daemon.client.connect(task), deps, invocation)).exit;
  }

  // Stopping is by cancelling the task, so that its end is in the log: the engine gets a signal of its own.
  const signal = new AbortController().signal;
  using stray = catchStrayErrors({ tell: invocation.onStray, shutDown: invocation.shutDown });
  await using engine = await openEngine({
    home,
    env,
    plugins: options.tools ?? [],
    secrets: [],
    signal,
    warn: invocation.warn,
    onBug,
    onFailed: endOnFailure(invocation.warn),
  });
  invocation.redactWith(engine.redact);
  const left = await goOnWithTasks(engine, invocation.warn);
  if (left.count > 0)
    output.note(
      `· Continuing ${left.count === 1 ? "a task that was" : `${left.count} tasks that were`} interrupted`,
    );
  const started = await engine.tasks.start(request);
  const { exit } = await followUntilStopped(connectLocally(engine, started), deps, invocation);
  for (const line of await left.settle(invocation.signal)) output.note(`· ${line}`);
  return stray.fatal() ? EXIT.failed : exit;
}
