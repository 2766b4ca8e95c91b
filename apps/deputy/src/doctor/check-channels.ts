import { ChannelsError } from "@deputy/channels";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { ChannelFailure } from "@deputy/tasks";
import { AppError } from "../app-error.ts";
import { enabledApps, isKnownApp, openChatApp, titleOf } from "../channels/chat-apps.ts";
import type { Config } from "../config.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** One finding for each chat app that is connected. `online`: the app is asked whether it accepts the token. */
export async function checkChannels(
  home: { readonly directory: string; readonly config: Config },
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { mail, push } = home.config.adapters;
  return [
    ...(await Promise.all(enabledApps(home.config).map((name) => checkApp(home, name, env, online, signal)))),
    ...(mail.enabled ? [await checkMail(home, env, online, signal)] : []),
    ...(push.enabled ? [await checkPush(home)] : []),
  ];
}

async function checkMail(
  home: { readonly directory: string; readonly config: Config },
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<Finding> {
  const { mail } = home.config.adapters;
  const { answersFrom } = mail;
  if (
    answersFrom !== undefined &&
    !home.config.events.some(({ type, name }) => type === "imap" && name === answersFrom)
  )
    return wrong(
      "channels",
      `No answer by mail arrives: there is no mailbox “${makeVisible(answersFrom)}” in the settings.`,
      "Add it to `events` (docs/events.md), or unset `adapters.mail.answersFrom`.",
    );
  try {
    const { openMail } = await import("../channels/open-mail.ts");
    const nothing = (): void => undefined;
    const question = async () => undefined;
    const channel = openMail(home, { env, clock: createSystemClock(), learn: nothing, question });
    if (online === "offline") return ok("channels", `Mail goes to ${mail.to.join(", ")}.`);
    await channel.check(signal);
    return ok("channels", `The mail server accepts the sign-in; mail goes to ${mail.to.join(", ")}.`);
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ChannelFailure)) throw error;
    const fix =
      error instanceof ChannelFailure && error.code === "not_taken"
        ? "Check that this machine has a network connection."
        : "Connect it anew: `deputy channels add mail`.";
    return wrong("channels", `Mail cannot be sent: ${error.message}.`, fix);
  }
}

async function checkPush(home: { readonly directory: string; readonly config: Config }): Promise<Finding> {
  const { openPushBrowsers } = await import("../channels/push-browsers.ts");
  const { ntfy } = home.config.adapters.push;
  try {
    const count = openPushBrowsers(home.directory).list().length;
    const ways = [
      ...(ntfy.topicSecret === undefined || ntfy.topicSecret === "" ? [] : [`ntfy at ${ntfy.server}`]),
      ...(count === 0 ? [] : [`${count} ${count === 1 ? "browser" : "browsers"}`]),
    ];
    if (ways.length > 0) return ok("channels", `Pushes go to ${ways.join(" and ")}.`);
    return wrong(
      "channels",
      "Push is on, but no browser or phone has turned it on for itself.",
      "Turn it on in a browser, under Settings → Browsers on the page, or connect ntfy: `deputy channels add push`.",
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return wrong("channels", `${error.message}.`, error.hint ?? "Remove the file.");
  }
}

async function checkApp(
  home: { readonly directory: string; readonly config: Config },
  name: string,
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): Promise<Finding> {
  const title = titleOf(name);
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
      ? isKnownApp(name)
        ? `Connect it anew: \`deputy channels add ${name}\`.`
        : (error.hint ?? `Look at \`adapters.others.${name}\`.`)
      : "Check that this machine has a network connection.";
    return wrong("channels", `${title} is not connected: ${error.message}.`, fix);
  }
}
