import { createSystemClock, isAbort, openTaskGroup } from "@deputy/kit";
import { removeDaemonFile, writeDaemonFile } from "../client/daemon-file.ts";
import { type Engine, openEngine } from "../engine.ts";
import { assertOwnNames } from "../events/assert-own-names.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHeartbeat } from "../heartbeat/open-heartbeat.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { collectGarbage } from "../memory/collect-garbage.ts";
import { collectWhenQuiet } from "../memory/collect-when-quiet.ts";
import { type AddressOptions, gatewayOver, planGateway } from "../plan-gateway.ts";
import { openShutdownDeadline } from "../shutdown-deadline.ts";
import { catchStrayErrors } from "../stray-errors.ts";

export interface ServeOptions extends AddressOptions {
  readonly tools?: readonly string[];
  readonly demoSpeed?: number;
}

/** `deputy serve`: runs until it is told to stop, then ends what it can within the gateway's deadline. */
export async function serve(invocation: Invocation, options: ServeOptions): Promise<ExitCode> {
  using stray = catchStrayErrors({ tell: invocation.onBug, shutDown: invocation.shutDown });
  using _deadline = openShutdownDeadline({
    signal: invocation.signal,
    clock: createSystemClock(),
    end() {
      invocation.warn("Some work did not stop in time, so it was ended. The next start continues it.");
      process.exit(EXIT.failed);
    },
  });
  try {
    await serveUntilStopped(invocation, options);
  } catch (error) {
    // Told to stop before it was ready: that is an end like any other.
    if (!(invocation.signal.aborted && isAbort(error))) throw error;
  }
  return stray.fatal() ? EXIT.failed : EXIT.done;
}

async function serveUntilStopped(invocation: Invocation, options: ServeOptions): Promise<void> {
  const { output, env, signal, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  for (const setting of home.idleSettings) invocation.warn(`${setting} has no effect in this version.`);
  assertOwnNames(home);
  const plan = await planGateway(home, options, env, invocation.warn);
  await using engine = await openEngine({
    home,
    env,
    plugins: options.tools ?? [],
    demoSpeed: options.demoSpeed,
    secrets: [plan.token()],
    signal,
    warn: invocation.warn,
    onBug,
  });
  invocation.redactWith(engine.redact);
  await using gateway = gatewayOver(engine, plan, onBug);

  const { url } = await gateway.listen(signal);
  writeDaemonFile(home.directory, { url, pid: process.pid });
  output.object({ event: "ready", url, home: home.directory });
  output.result(`Deputy is at ${url}`);
  output.result(
    "To sign in, run `npx deputy token` in a second terminal (installed: `deputy token`) and paste the token.",
  );
  output.result(`Data is in ${home.directory}. Ctrl-C stops the daemon.`);
  const { dueBy } = engine;
  if (dueBy.speed !== 1) output.result(describeDemoTime(dueBy));
  await engine.tasks.goOn((task, error) =>
    invocation.warn(
      `Task ${task} waits for the next start: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
  await engine.conversations.goOn(await engine.tasks.list());
  await engine.outbox.goOn();
  await engine.repeating.keep();
  await using heartbeat = openHeartbeat({ home, engine, warn: invocation.warn, onBug, signal });
  await heartbeat.start();
  await engine.reminders.keep();
  await using _events =
    home.config.events.length === 0
      ? undefined
      : (await import("../events/watch-events.ts")).watchEvents({ ...invocation, home, engine });
  await using _mailbox =
    engine.defaultModel.provider === "rehearsal"
      ? (await import("../demo-world/mailbox/watch-mailbox.ts")).watchMailbox({
          ...engine,
          home: home.directory,
          time: dueBy.clock,
          onBug,
          signal,
        })
      : undefined;
  await using background = openTaskGroup(signal);
  const quiet = { clock: engine.clock, cpuMs, collect: collectGarbage };
  background.spawn((until) => collectWhenQuiet(quiet, until));
  background.spawn((until) => engine.keepRetention(until));
  await stopped(signal);
  output.note("Stopping…");
  removeDaemonFile(home.directory);
}

function describeDemoTime({ clock, speed }: Engine["dueBy"]): string {
  const now = new Date(clock.now()).toISOString();
  return `Tasks and the demo use a clock of their own: it is now ${now}, and it runs ${speed} times as fast.`;
}

/** All threads counted. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
