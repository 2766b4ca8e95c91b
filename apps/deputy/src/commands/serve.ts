import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError, createIdSource, createSystemClock, isAbort } from "@deputy/kit";
import { removeDaemonFile } from "@deputy/client/daemon-file";
import { agentsSettings } from "../agents/agents-settings.ts";
import { AppError } from "../app-error.ts";
import { defaultModelRef } from "../choose-model-ref.ts";
import { type Engine, nameOwner } from "../engine.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { type AddressOptions, planGateway } from "../serve/plan-gateway.ts";
import { keepServing, type Served } from "../serve/keep-serving.ts";
import { serveRound } from "../serve/serve-round.ts";
import { signInLink } from "../serve/sign-in-link.ts";
import { catchStrayErrors } from "../process/stray-errors.ts";
import { changeFile, configFileOf } from "../config/config-file.ts";
import { readHooks } from "../hooks/hooks-file.ts";
import { configSchema } from "../config.ts";

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
  const openSettings = async () => {
    const home = openHome(invocation.homeDirectory, warn);
    keepDefaultsFile(home.directory);
    for (const setting of home.idleSettings) warn(`${setting} has no effect in this version.`);
    assertOwnNames(home);
    return { home, plan: await planGateway(home, options, env, warn) };
  };
  let settings = await openSettings();
  /** Those that were in force before a restart, until the new ones are. */
  let before: typeof settings | undefined;
  let refusal: string | undefined;
  const clock = createSystemClock();
  const shared = {
    invocation,
    plugins: options.tools ?? [],
    owner: nameOwner(createIdSource({ clock })),
  };
  let isFirst = true;
  const serveOnce = async (tellReady: () => void): Promise<Served> => {
    const { home, plan } = settings;
    try {
      const served = await serveRound({
        ...shared,
        ...settings,
        refusal,
        // Somebody has the page open: it says what is broken, and can mend it.
        brokenSources: isFirst ? "refused" : "left_out",
        demoSpeed: isFirst || isDemo(home, env) ? options.demoSpeed : undefined,
        onReady(engine, url, signInCode) {
          // Clients find it at the same address, even if any free port was used or the settings name another.
          settings = { home, plan: { ...plan, host: plan.host, port: Number(new URL(url).port) } };
          if (isFirst) sayWhere(invocation, engine, { url, home: home.directory }, signInCode);
          isFirst = false;
          before = undefined;
          tellReady();
        },
      });
      if (served.kind !== "renewed") return served;
    } catch (error) {
      if (before === undefined || signal.aborted) throw error;
      refusal = error instanceof Error ? error.message : String(error);
      warn(`Deputy could not start with the new settings, and goes on with those from before: ${refusal}`);
      settings = before;
      before = undefined;
      return { kind: "renewed" };
    }
    await renew();
    return { kind: "renewed" };
  };
  /** The settings as they are now, at the address where clients look for it. */
  const renew = async (): Promise<void> => {
    const { host, port } = settings.plan;
    try {
      const { home, plan } = await openSettings();
      before = settings;
      refusal = undefined;
      settings = { home, plan: { ...plan, host, port } };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal = error.message;
      warn(`The new settings cannot be used, and those from before stay: ${error.message}`);
    }
  };
  await keepServing({ serveOnce, clock, warn, onBug, signal });
  removeDaemonFile(settings.home.directory);
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

/** The rehearsal has a clock of its own. */
function isDemo({ config }: Home, env: NodeJS.ProcessEnv): boolean {
  return defaultModelRef(agentsSettings(config), env).provider === "rehearsal";
}

const DEFAULTS = "config.defaults.json";

/**
 * Keeps a file with every default beside `config.json`, to read and to copy from: what stands in `config.json` itself
 * would stay when a default changes. Nothing reads it, so a home where it cannot be written does as well without it.
 */
export function keepDefaultsFile(home: string): void {
  const file = join(home, DEFAULTS);
  const text = `${JSON.stringify(configSchema.parse({}), null, 2)}\n`;
  try {
    if (existsSync(file) && readFileSync(file, "utf8") === text) return;
    changeFile(file, () => text);
  } catch (error) {
    const isOfTheSystem = error instanceof Error && "errno" in error;
    if (!(error instanceof CodedError) && !isOfTheSystem) throw error;
  }
}
