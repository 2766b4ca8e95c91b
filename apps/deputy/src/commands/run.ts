import { createSystemClock } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { createDaemonClient, findDaemon } from "../client/daemon-client.ts";
import { connectLocally } from "../client/local-connection.ts";
import { openEngine } from "../engine.ts";
import type { ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import type { ApproveMode } from "../terminal/approve-modes.ts";
import { createApprover } from "../terminal/approver.ts";
import { followUntilStopped } from "../terminal/follow-until-stopped.ts";
import { loadToken } from "../token.ts";

export interface RunOptions {
  readonly tools?: readonly string[];
  readonly approve: ApproveMode;
}

/** `deputy run "PROMPT"`: through the running daemon when there is one, else in this process. */
export async function run(invocation: Invocation, prompt: string, options: RunOptions): Promise<ExitCode> {
  if (prompt.trim() === "") throw new AppError("usage", "The prompt is empty");
  const { output, env, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const deps = { output, approver: createApprover(options.approve, invocation.reader) };

  const url = await findDaemon(home.directory);
  if (url !== undefined) {
    if (options.tools !== undefined) {
      throw new AppError("usage", "A daemon is running for this home, and --tools cannot add to it", {
        hint: "Name the plugin in toolSources of config.json, or use another --home.",
      });
    }
    output.note(`· Through the daemon at ${url}`);
    const client = createDaemonClient({
      url,
      token: loadToken(home.directory, env),
      clock: createSystemClock(),
    });
    const task = await client.createTask({ prompt }, invocation.signal);
    return await followUntilStopped(client.connect(task), deps, invocation);
  }

  // Stopping is by cancelling the task, so that its end is in the log: the engine gets a signal of its own.
  const signal = new AbortController().signal;
  await using engine = await openEngine({
    home,
    env,
    plugins: options.tools ?? [],
    secrets: [],
    signal,
    onBug,
  });
  const started = await engine.tasks.start({ prompt }, engine.turns.run);
  return await followUntilStopped(connectLocally(engine, started), deps, invocation);
}
