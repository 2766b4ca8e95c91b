import { text as readText } from "node:stream/consumers";
import type { DaemonLink } from "@deputy/client/daemon-link";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../../app-error.ts";
import {
  type ChannelField,
  connectable,
  connectableNames,
  connectChannel,
  type GivenField,
  isConnectable,
} from "../../channels/connect-channel.ts";
import { locateDaemon } from "../../chat/attach.ts";
import { isSecretReference, resolveSecret } from "../../config/secret-reference.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { noSuchChannel, openLink } from "./channels.ts";

export interface AddChannelOptions {
  readonly token?: string;
  readonly appToken?: string;
  readonly topic?: string;
  readonly host?: string;
  readonly port?: string;
  readonly secure?: string;
  readonly user?: string;
  readonly from?: string;
  readonly to?: string;
  readonly server?: string;
}

/** The option that gives a setting. */
const OPTIONS: Readonly<Record<string, keyof AddChannelOptions>> = {
  botToken: "token",
  appToken: "appToken",
  password: "token",
  "ntfy.topicSecret": "topic",
  "ntfy.token": "token",
  "ntfy.server": "server",
};

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
  if (!isConnectable(name)) throw noSuchChannel(name, connectableNames());
  const home = openHome(invocation.homeDirectory, invocation.warn);
  const { title, fields, pairs } = connectable(name);
  const given = new Map<string, GivenField>();
  for (const field of fields) {
    const one = await readField(invocation, field, options);
    if (one === undefined) return EXIT.failed;
    given.set(field.setting, one);
  }
  const bot = await connectChannel(home, name, given, { env, signal, clock: createSystemClock() });
  output.object({ type: "connected", channel: name, bot });
  output.result(
    pairs ? `${title} accepts it: Deputy is ${bot} there.` : `${title} works: Deputy reaches you by ${bot}.`,
  );
  if (!pairs)
    output.note(`To have notifications there: \`deputy config set notifications.deliverTo ${name}\`.`);
  if ((await locateDaemon(home, env)) === undefined) {
    output.result(
      pairs
        ? `Start Deputy with \`deputy serve\`, then pair yourself: \`deputy channels pair ${name}\`.`
        : "Start Deputy with `deputy serve`.",
    );
    return EXIT.done;
  }
  using link = await openLink(invocation);
  await link.call("daemon.restart", {}, "once", signal).catch(() => undefined);
  return pairs ? await pair(invocation, name, bot, link) : EXIT.done;
}

/** Waits until somebody has shown the code; Deputy then writes to them by itself. */
async function pair(
  { output, signal }: Invocation,
  name: string,
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

async function readField(
  invocation: Invocation,
  field: ChannelField,
  options: AddChannelOptions,
): Promise<GivenField | undefined> {
  const { stdin, env, output, homeDirectory } = invocation;
  const { setting, asks, kind, usual } = field;
  const name = OPTIONS[setting] ?? (setting as keyof AddChannelOptions);
  const option = options[name];
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (kind !== "secret" && option !== undefined) return { value: option };
  if (option !== undefined && isSecretReference(option))
    return { value: resolveSecret(option, env, homeDirectory), reference: option };
  if (option !== undefined && option !== "-")
    throw new AppError("usage", "A token must not be on the command line, where other programs can read it", {
      hint: `${flag} env:NAME, ${flag} file:/path, or ${flag} - to read it from stdin.`,
    });
  const isTyped = "isTTY" in stdin && stdin.isTTY === true && process.stdout.isTTY && output.mode !== "json";
  if (option === undefined && !isTyped) {
    if (usual !== undefined) return { value: usual };
    throw new AppError("usage", `${flag} is missing, and there is no terminal to ask in`, {
      hint: kind === "secret" ? `${asks}: ${flag} env:NAME, file:/path or - for stdin.` : `${asks}.`,
    });
  }
  const value = option === undefined ? await ask(field) : (await readText(stdin)).trim();
  if (value === "" && usual === undefined) throw new AppError("usage", "stdin has no token");
  return value === undefined ? undefined : { value };
}

async function ask({ asks: message, kind, usual }: ChannelField): Promise<string | undefined> {
  const { cancel, isCancel, password, text } = await import("@clack/prompts");
  const validate = (typed: string | undefined): string | undefined =>
    usual !== undefined || typed?.trim() ? undefined : "It is needed";
  const typed =
    kind === "secret"
      ? await password({ message, validate })
      : await text({ message, validate, ...(usual !== undefined && { initialValue: usual }) });
  // Nothing typed is undefined for one of them.
  if (!isCancel(typed)) return (typed ?? "").trim();
  cancel("Nothing was changed.");
  return undefined;
}
