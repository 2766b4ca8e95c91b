import { createSystemClock } from "@deputy/kit";
import type { Home } from "../home.ts";
import type { DaemonClient } from "@deputy/client";
import { readDaemonFile } from "@deputy/client/daemon-file";

/** The home's running daemon; undefined when there is none. Throws `token_invalid`. */
export async function attach(
  home: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly client: DaemonClient } | undefined> {
  const daemon = await locateDaemon(home, env);
  if (daemon === undefined) return undefined;
  const { createDaemonClient } = await import("@deputy/client");
  return { url: daemon.url, client: createDaemonClient({ ...daemon, clock: createSystemClock() }) };
}

/** The daemon's address and current token; undefined when none runs. Throws `token_invalid`. */
export async function locateDaemon(
  { directory }: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  if (readDaemonFile(directory) === undefined) return undefined;
  const { findDaemon } = await import("@deputy/client");
  const url = await findDaemon(directory);
  if (url === undefined) return undefined;
  const { loadToken } = await import("../token.ts");
  return { url, token: loadToken(directory, env) };
}
