import { createIdSource, createSystemClock, isAbort } from "@deputy/kit";
import { removeDaemonFile } from "@deputy/client/daemon-file";
import { type Engine, nameOwner } from "../engine.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome, type Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { type AddressOptions, planGateway } from "../plan-gateway.ts";
import { keepServing } from "../serve/keep-serving.ts";
import { serveRound } from "../serve/serve-round.ts";
import { signInLink } from "../serve/sign-in-link.ts";
import { catchStrayErrors } from "../stray-errors.ts";
import { AppError } from "../app-error.ts";
import { configFileOf } from "../config/config-file.ts";
import { readHooks } from "../hooks/hooks-file.ts";

export interface ServeOptions extends AddressOptions {
  readonly tools?: readonly string[];
  readonly demoSpeed?: number;
}

/** `deputy serve`: runs until it is stopped, then ends what it can within the gateway's deadline. */
export async function serve(invocation: Invocation, options: ServeOptions): Promise<ExitCode> {
  using stray = catchStrayErrors({ tell: invocation.onBug, shutDown: invocation.shutDown });
  try {
    await serveUntilStopped(invocation, options);
  } catch (error) {
    // A stop before it was ready is a normal end.
    if (!(invocation.signal.aborted && isAbort(error))) throw error;
  }
  return stray.fatal() ? EXIT.failed : EXIT.done;
}

async function serveUntilStopped(invocation: Invocation, options: ServeOptions): Promise<void> {
  const { env, warn, onBug, signal } = invocation;
  const home = openHome(invocation.homeDirectory, warn);
  for (const setting of home.idleSettings) warn(`${setting} has no effect in this version.`);
  assertOwnNames(home);
  let plan = await planGateway(home, options, env, warn);
  const clock = createSystemClock();
  const shared = {
    invocation,
    home,
    plugins: options.tools ?? [],
    demoSpeed: options.demoSpeed,
    owner: nameOwner(createIdSource({ clock })),
  };
  let isFirst = true;
  const serveOnce = (tellReady: () => void) =>
    serveRound({
      ...shared,
      plan,
      onReady(engine, url, signInCode) {
        // Clients find it at the same address, even if any free port was used.
        plan = { ...plan, port: Number(new URL(url).port) };
        if (isFirst) sayWhere(invocation, engine, { url, home: home.directory }, signInCode);
        isFirst = false;
        tellReady();
      },
    });
  await keepServing({ serveOnce, clock, warn, onBug, signal });
  removeDaemonFile(home.directory);
}

function sayWhere(
  { output }: Invocation,
  { dueBy }: Engine,
  { url, home }: { readonly url: string; readonly home: string },
  signInCode: () => string,
): void {
  output.object({ event: "ready", url, home });
  output.result(`Deputy is at ${url}`);
  // Not into files and logs: whoever reads the link within two minutes is signed in.
  if (process.stdout.isTTY)
    output.result(`Open this, signed in (once, within two minutes): ${signInLink(url, signInCode())}`);
  output.result(
    "Later, `npx deputy open` in a second terminal (installed: `deputy open`) opens it signed in.",
  );
  output.result(`Data is in ${home}. Ctrl-C stops the daemon.`);
  if (dueBy.speed !== 1) output.result(describeDemoTime(dueBy));
}

function describeDemoTime({ clock, speed }: Engine["dueBy"]): string {
  const now = new Date(clock.now()).toISOString();
  return `Tasks and the demo use a clock of their own: it is now ${now}, and it runs ${speed} times as fast.`;
}

/** Throws `config_invalid` if a source has the name of a hook, because that name would be ambiguous. */
function assertOwnNames({ directory, config }: Home): void {
  if (config.events.length === 0) return;
  const hooks = new Set(readHooks(directory).map(({ name }) => name));
  const both = config.events.find(({ name }) => hooks.has(name));
  if (both === undefined) return;
  throw new AppError(
    "config_invalid",
    `${configFileOf(directory)}: events has “${both.name}”, which is the name of a hook`,
    {
      hint: `Give it another name, or remove the hook: \`deputy hooks remove ${both.name}\`.`,
    },
  );
}
