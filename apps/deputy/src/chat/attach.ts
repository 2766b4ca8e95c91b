import { createSystemClock } from "@deputy/kit";
import type { Home } from "../home.ts";
import { loadToken } from "../token.ts";
import { createDaemonClient, type DaemonClient, findDaemon } from "@deputy/client";

/** The home's running daemon; undefined when there is none. Throws `token_invalid`. */
export async function attach(
  home: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly client: DaemonClient } | undefined> {
  const daemon = await locateDaemon(home, env);
  return daemon && { url: daemon.url, client: createDaemonClient({ ...daemon, clock: createSystemClock() }) };
}

/** The daemon's address and current token; undefined when none runs. Throws `token_invalid`. */
export async function locateDaemon(
  { directory }: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const url = await findDaemon(directory);
  return url === undefined ? undefined : { url, token: loadToken(directory, env) };
}
