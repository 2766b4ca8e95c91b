import { basename, resolve } from "node:path";
import { assertProgramSize } from "@deputy/agent/turns";
import type { CreateTask } from "@deputy/protocol";
import { attach } from "../chat/attach.ts";
import { connectLocally } from "../chat/local-connection.ts";
import type { TaskConnection } from "@deputy/client";
import { endOnFailure } from "../process/report-failure.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { gatewayOver, planGateway } from "../serve/plan-gateway.ts";
import { languageOf, readSource } from "../read-source.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { createApprover } from "@deputy/terminal";
import { followUntilStopped } from "@deputy/terminal";
import { showProgramEnd, showProgramEvent } from "@deputy/terminal/show";
import type { RunOptions } from "./run.ts";

export interface ExecOptions extends RunOptions {
  readonly serve?: true;
}

/** How long clients that follow the task have to receive its end, before the gateway of `--serve` closes. */
const LAST_READERS_MS = 2_000;

/**
 * `deputy exec FILE.ts`: typecheck, gate, receipts, all recorded; no model needed. A task of the running
 * daemon when there is one, else of this process.
 */
export async function exec(invocation: Invocation, file: string, options: ExecOptions): Promise<ExitCode> {
  const { output, env } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const code = await readSource(file, invocation.stdin, invocation.signal);
  assertProgramSize(code);
  const plugins = options.tools?.map((plugin) => resolve(plugin));
  const request: CreateTask = {
    prompt: `Run ${file === "-" ? "a program from stdin" : basename(file)}`,
    program: { code, language: languageOf(file), ...(plugins === undefined ? {} : { plugins }) },
  };
  const approver = createApprover(options.approve, invocation.reader, invocation.output);
  const follow = async (connection: TaskConnection): Promise<ExitCode> => {
    const show = showProgramEvent.bind(undefined, output);
    const { exit, task } = await followUntilStopped(connection, { show, approver }, invocation);
    showProgramEnd(output, task, file);
    return exit;
  };

  const daemon = await attach(home, env);
  if (daemon === undefined) return await execHere(invocation, home, request, options, follow);
  const task = await daemon.client.createTask(request, invocation.signal);
  const say = options.serve === true ? invocation.announce : output.note;
  say(`· Through the daemon, live at ${daemon.url}/#${task.id}`);
  return await follow(daemon.client.connect(task));
}

async function execHere(
  invocation: Invocation,
  home: Home,
  request: CreateTask,
  options: ExecOptions,
  follow: (connection: TaskConnection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { env, warn, onBug, onStray, shutDown } = invocation;
  using stray = catchStrayErrors({ tell: onStray, shutDown });
  const plan = options.serve === true ? await planGateway(home, {}, env, invocation.warn) : undefined;
  // Stops by cancelling the task, so that its end is in the log: the engine gets its own signal.
  const signal = new AbortController().signal;
  const secrets = plan === undefined ? [] : [plan.token()];
  const onFailed = endOnFailure(warn);
  await using engine = await openEngine({ home, env, plugins: [], secrets, signal, warn, onBug, onFailed });
  invocation.redactWith(engine.redact);
  await using gateway = plan === undefined ? undefined : gatewayOver(engine, plan, onBug);
  const address = await gateway?.listen(invocation.signal);
  const started = await engine.tasks.start(request);
  if (address !== undefined) invocation.announce(`· Live at ${address.url}/#${started.task.id}`);
  const exit = await follow(connectLocally(engine, started));
  await gateway?.idle(AbortSignal.timeout(LAST_READERS_MS));
  return stray.fatal() ? EXIT.failed : exit;
}
