import { ChannelsError } from "@deputy/channels";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { CHAT_APPS, type ChatAppName, enabledApps, openChatApp } from "../channels/chat-apps.ts";
import type { Config } from "../config.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** One finding for each chat app that is connected. `online`: the app is asked whether it accepts the token. */
export async function checkChannels(
  home: { readonly directory: string; readonly config: Config },
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  return await Promise.all(enabledApps(home.config).map((name) => checkApp(home, name, env, online, signal)));
}

async function checkApp(
  home: { readonly directory: string; readonly config: Config },
  name: ChatAppName,
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<Finding> {
  const { title } = CHAT_APPS[name];
  const nothing = (): void => undefined;
  try {
    const more = { env, clock: createSystemClock(), tell: nothing, learn: nothing };
    const app = await openChatApp(home, name, more);
    if (online === "offline") return ok("channels", `${title} is connected once a daemon runs.`);
    return ok(
      "channels",
      `${title} accepts the token: Deputy is ${makeVisible(await app.identify(signal))}.`,
    );
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ChannelsError)) throw error;
    const isRefused = error instanceof AppError || error.code === "refused";
    const fix = isRefused
      ? `Connect it anew: \`deputy channels add ${name}\`.`
      : "Look whether this machine reaches the network.";
    return wrong("channels", `${title} is not connected: ${error.message}.`, fix);
  }
}
