import { stripTypes } from "@deputy/codemode/node";
import { createGateway } from "@deputy/gateway";
import { isAbort } from "@deputy/kit";
import { loadPageFiles } from "@deputy/web/files";
import { AppError } from "../app-error.ts";
import { findBundleLayout } from "../bundle-layout.ts";
import { removeDaemonFile, writeDaemonFile } from "../client/daemon-file.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { catchStrayErrors } from "../stray-errors.ts";
import { watchToken } from "../token.ts";
import { VERSION } from "../version.ts";

export interface ServeOptions {
  readonly host?: string;
  readonly port?: string;
  readonly tools?: readonly string[];
}

/** `deputy serve`: runs until it is told to stop, then ends what it can within the gateway's deadline. */
export async function serve(invocation: Invocation, options: ServeOptions): Promise<ExitCode> {
  using stray = catchStrayErrors(invocation);
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
  const { host, port } = chooseAddress(home, options, env);
  const token = watchToken(home.directory, env);
  const page = await loadPageFiles({ ...findBundleLayout().page, stripTypes });
  await using engine = await openEngine({
    home,
    env,
    plugins: options.tools ?? [],
    secrets: [token()],
    signal,
    onBug,
  });
  const { log, tasks, approvals, clock } = engine;
  await using gateway = createGateway({
    log,
    tasks,
    approvals,
    clock,
    token,
    version: VERSION,
    page,
    onBug,
    host,
    port,
  });

  const { url } = await gateway.listen(signal);
  writeDaemonFile(home.directory, { url, pid: process.pid });
  output.object({ event: "ready", url, home: home.directory });
  output.result(`Deputy is at ${url}`);
  output.result("To sign in, give the token that `npx deputy token` prints (installed: `deputy token`).");
  output.result(`Data is in ${home.directory}. Ctrl-C stops it.`);
  await stopped(signal);
  output.note("Stopping…");
  removeDaemonFile(home.directory);
}

function chooseAddress(
  home: Home,
  options: ServeOptions,
  env: NodeJS.ProcessEnv,
): { readonly host: string; readonly port: number } {
  const host = options.host || env["DEPUTY_HOST"] || home.config.gateway.host;
  const named = options.port ?? (env["DEPUTY_PORT"] || undefined);
  if (named === undefined) return { host, port: home.config.gateway.port };
  const port = Number(named);
  if (/^\d+$/.test(named) && port <= 65_535) return { host, port };
  throw new AppError("usage", `“${named}” is not a port`, {
    hint: "Give a number from 0 to 65535; 0 takes any free one.",
  });
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
