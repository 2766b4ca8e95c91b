import { createSystemClock } from "@deputy/kit";
import type { Home } from "../home.ts";
import { loadToken } from "../token.ts";
import { createDaemonClient, type DaemonClient, findDaemon } from "./daemon-client.ts";

/** The home's running daemon; undefined when there is none. Throws `token_invalid`. */
export async function attach(
  home: Home,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly client: DaemonClient } | undefined> {
  const url = await findDaemon(home.directory);
  if (url === undefined) return undefined;
  const token = loadToken(home.directory, env);
  return { url, client: createDaemonClient({ url, token, clock: createSystemClock() }) };
}
