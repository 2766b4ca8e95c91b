import { AppError } from "../app-error.ts";
import { attach } from "../chat/attach.ts";
import { connectLocally } from "../chat/local-connection.ts";
import { endOnFailure } from "../process/report-failure.ts";
import { openEngine, type Engine } from "../engine.ts";
import { EXIT, type ExitCode, type ApproveMode } from "@deputy/terminal/output";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { createApprover, type ShowEvent, followUntilStopped, showTaskEvent } from "@deputy/terminal";
import { createSystemClock } from "@deputy/kit";

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
  const deps = { show, approver: createApprover(options.approve, invocation.reader, invocation.output) };

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

  // Stops by cancelling the task, so that its end is in the log: the engine gets its own signal.
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

interface LeftTasks {
  readonly count: number;
  /** Resolves once each task has ended, or waits for an answer from elsewhere; the lines say which. */
  settle(signal: AbortSignal): Promise<readonly string[]>;
}

const LOOK_MS = 100;

/** Continues, in the background, the tasks that an earlier process left open. */
async function goOnWithTasks(engine: Engine, warn: (text: string) => void): Promise<LeftTasks> {
  const streams = new Set(await engine.tasks.interrupted());
  const left = (await engine.tasks.list()).filter(({ stream }) => streams.has(stream));
  await engine.tasks.goOn((task, error) =>
    warn(`Task ${task} waits for the next start: ${error instanceof Error ? error.message : String(error)}`),
  );
  const clock = createSystemClock();
  return {
    count: left.length,
    async settle(signal) {
      const words: string[] = [];
      for (const { id } of left) {
        let status = (await engine.tasks.get(id))?.status;
        while (status === "running" && !signal.aborted) {
          await clock.sleep(LOOK_MS, signal).catch(() => undefined);
          status = (await engine.tasks.get(id))?.status;
        }
        words.push(
          status === "waiting"
            ? `Task ${id} waits for your answer: \`deputy serve\` continues it.`
            : `Task ${id}, which was interrupted: ${status ?? "gone"}.`,
        );
      }
      return words;
    },
  };
}
