import { text as readText } from "node:stream/consumers";
import { ChannelsError } from "@deputy/channels";
import type { DaemonLink } from "@deputy/client/daemon-link";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../app-error.ts";
import { type AppSecret, CHAT_APPS, type ChatAppName, openChatApp } from "../channels/chat-apps.ts";
import { locateDaemon } from "../chat/attach.ts";
import { withSetting } from "../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { parseJson } from "../config/parse-config.ts";
import { isSecretReference, resolveSecret } from "../config/secret-reference.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { keepSecret } from "../setup/connect-model.ts";
import { assertChatApp, openLink } from "./channels.ts";

export interface AddChannelOptions {
  readonly token?: string;
  readonly appToken?: string;
}

/** A secret that was given, and where it is kept already, if it is. */
interface Given {
  readonly value: string;
  readonly reference?: string;
}

const LOOK_EVERY_MS = 1_000;
const PAIR_MS = 10 * 60_000;

/**
 * `deputy channels add APP`: asks for what the app needs, tries it, keeps it, and pairs whoever shows the code in the
 * app. What the app does not accept changes nothing.
 */
export async function addChannel(
  invocation: Invocation,
  name: string,
  options: AddChannelOptions,
): Promise<ExitCode> {
  const { output, env, signal } = invocation;
  assertChatApp(name);
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const { title, secrets } = CHAT_APPS[name];
  const given = new Map<AppSecret["setting"], Given>();
  for (const secret of secrets) {
    const option = secret.setting === "botToken" ? options.token : options.appToken;
    const one = await readSecret(invocation, home, secret, option);
    if (one === undefined) return EXIT.failed;
    given.set(secret.setting, one);
  }
  const bot = makeVisible(await tryApp(invocation, home, name, given));
  keep(home.directory, name, given);
  output.object({ type: "connected", channel: name, bot });
  output.result(`${title} accepts it: Deputy is ${bot} there.`);
  if ((await locateDaemon(home, env)) === undefined) {
    output.result(
      `Start Deputy with \`deputy serve\`, then pair yourself: \`deputy channels pair ${name}\`.`,
    );
    return EXIT.done;
  }
  using link = await openLink(invocation);
  await link.call("daemon.restart", {}, "once", signal).catch(() => undefined);
  return await pair(invocation, name, bot, link);
}

async function tryApp(
  { env, signal, warn }: Invocation,
  home: Home,
  name: ChatAppName,
  given: ReadonlyMap<AppSecret["setting"], Given>,
): Promise<string> {
  const values = new Map([...given].map(([setting, { value }]) => [setting, value]));
  const clock = createSystemClock();
  const learn = (): void => undefined;
  try {
    const app = await openChatApp(home, name, { env, clock, tell: warn, learn, given: values });
    return await app.identify(signal);
  } catch (error) {
    if (!(error instanceof ChannelsError)) throw error;
    const hint = error.code === "refused" ? error.hint : "Nothing was changed. Try it again.";
    throw new AppError("not_available", error.message, hint === undefined ? {} : { hint });
  }
}

function keep(directory: string, name: ChatAppName, given: ReadonlyMap<AppSecret["setting"], Given>): void {
  const references = [...given].map(([setting, { value, reference }]): [string, string] => [
    setting,
    reference ?? keepSecret(directory, setting === "botToken" ? name : `${name}-app`, value),
  ]);
  changeConfigFile(directory, (text) => {
    let raw = parseJson(text ?? "{}", configFileOf(directory));
    for (const [setting, value] of [...references, ["enabled", "true"] as const])
      raw = withSetting(raw, ["adapters", name, setting], value);
    return `${JSON.stringify(raw, null, 2)}\n`;
  });
}

/** Waits until somebody has shown the code; Deputy then writes to them by itself. */
async function pair(
  { output, signal }: Invocation,
  name: ChatAppName,
  bot: string,
  link: DaemonLink,
): Promise<ExitCode> {
  const people = async (): Promise<readonly { readonly id: string; readonly name: string }[]> =>
    (await link.call("channels.people", { channel: name }, "safe_to_repeat", signal)).people;
  const before = new Set((await people()).map(({ id }) => id));
  const { code, expiresAt } = await link.call("channels.code", { channel: name }, "safe_to_repeat", signal);
  output.object({ type: "code", code, expiresAt });
  output.result(`Within ten minutes, send this to ${bot}, in a chat of your own with it: ${code}`);
  const clock = createSystemClock();
  const end = clock.monotonicMs() + PAIR_MS;
  while (clock.monotonicMs() < end) {
    const found = (await people()).find(({ id }) => !before.has(id));
    if (found !== undefined) {
      output.object({ type: "paired", ...found });
      output.result(`Paired with ${makeVisible(found.name)} (${found.id}). Deputy has written to you there.`);
      return EXIT.done;
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  throw new AppError("not_available", "Nobody has sent the code", {
    hint: `\`deputy channels pair ${name}\` gives another one.`,
  });
}

async function readSecret(
  { stdin, env, output, homeDirectory }: Invocation,
  home: Home,
  { setting, asks }: AppSecret,
  option: string | undefined,
): Promise<Given | undefined> {
  const flag = setting === "botToken" ? "--token" : "--app-token";
  if (option !== undefined && isSecretReference(option))
    return { value: resolveSecret(option, env, homeDirectory), reference: option };
  if (option !== undefined && option !== "-")
    throw new AppError("usage", "A token must not be on the command line, where other programs can read it", {
      hint: `${flag} env:NAME, ${flag} file:/path, or ${flag} - to read it from stdin.`,
    });
  const isTyped = "isTTY" in stdin && stdin.isTTY === true && process.stdout.isTTY && output.mode !== "json";
  if (option === undefined && !isTyped)
    throw new AppError("usage", `${flag} is missing, and there is no terminal to ask in`, {
      hint: `${asks}: ${flag} env:NAME, file:/path or - for stdin. The home is ${home.directory}.`,
    });
  const value = option === undefined ? await ask(asks) : (await readText(stdin)).trim();
  if (value === "") throw new AppError("usage", "stdin has no token");
  return value === undefined ? undefined : { value };
}

async function ask(message: string): Promise<string | undefined> {
  const { cancel, isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message, validate: (text) => (text?.trim() ? undefined : "It is needed") });
  if (!isCancel(typed)) return typed.trim();
  cancel("Nothing was changed.");
  return undefined;
}
