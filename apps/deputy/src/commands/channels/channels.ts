import { openDaemonLink, type DaemonLink } from "@deputy/client/daemon-link";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { localStamp } from "@deputy/protocol/schedule";
import { AppError } from "../../app-error.ts";
import { chatAppNames, enabledApps, isKnownApp } from "../../channels/chat-apps.ts";
import { locateDaemon } from "../../chat/attach.ts";
import { type Home, openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

/** `deputy channels pair APP`: a code that one person says to the bot, to be known from then on. */
export async function pairChannel(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  assertChatApp(home, name);
  if (!enabledApps(home.config).includes(name))
    throw new AppError("not_available", `${name} is not connected`, {
      hint: isKnownApp(name)
        ? `Connect it with \`deputy channels add ${name}\`.`
        : `\`deputy config set adapters.others.${name}.enabled true\` connects it at the next start.`,
    });
  using link = await openLink(invocation);
  const { code, expiresAt } = await link.call("channels.code", { channel: name }, "once", signal);
  output.object({ code, expiresAt });
  output.result(`Within ten minutes, send this to the bot, in a chat of your own with it: ${code}`);
  return EXIT.done;
}

/** `deputy channels people APP`. */
export async function listPeople(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  assertChatApp(homeOf(invocation), name);
  using link = await openLink(invocation);
  const { people } = await link.call("channels.people", { channel: name }, "safe_to_repeat", signal);
  for (const person of people) {
    output.object(person);
    output.result(`${person.id}  ${person.name}`);
  }
  if (people.length === 0) output.note("Nobody is paired.");
  return EXIT.done;
}

/** `deputy channels unpair APP PERSON`: from the next message on they are a stranger. */
export async function unpairChannel(invocation: Invocation, name: string, person: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  assertChatApp(homeOf(invocation), name);
  using link = await openLink(invocation);
  const { ok } = await link.call("channels.unpair", { channel: name, person }, "safe_to_repeat", signal);
  if (!ok) throw new AppError("not_found", `Nobody with the id ${person} is paired in ${name}`);
  output.result("Done: Deputy does not know them any more.");
  return EXIT.done;
}

/** `deputy channels failed APP`: what could not be posted, the newest first. */
export async function listFailed(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  assertSends(homeOf(invocation), name);
  using link = await openLink(invocation);
  const { failed } = await link.call("channels.failed", { channel: name }, "safe_to_repeat", signal);
  for (const one of failed) {
    output.object(one);
    output.result(
      `${localStamp(one.at)}  ${one.session === undefined ? "" : `${one.session}  `}${one.item}: ${makeVisible(one.reason)}`,
    );
  }
  if (failed.length === 0) output.note("Everything was posted.");
  return EXIT.done;
}

/** `deputy channels retry APP`: posts once more what was given up. */
export async function retryFailed(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  assertSends(homeOf(invocation), name);
  using link = await openLink(invocation);
  const { count } = await link.call("channels.retry", { channel: name }, "safe_to_repeat", signal);
  output.object({ count });
  output.result(count === 0 ? "Nothing waits for that." : `Deputy posts ${count} of them once more.`);
  return EXIT.done;
}

/** Throws `usage` for a name that no chat app has. */
function assertChatApp({ config }: Pick<Home, "config">, name: string): void {
  const names = chatAppNames(config);
  if (!names.includes(name)) throw noSuchChannel(name, names);
}

function homeOf({ homeDirectory, warn }: Invocation): Home {
  return openHome(homeDirectory, warn);
}

export function noSuchChannel(name: string, names: readonly string[]): AppError {
  return new AppError("usage", `There is no chat app “${makeVisible(name)}”`, {
    hint: `One of: ${names.join(", ")}.`,
  });
}

/** What could not be posted there is listed, and can be sent once more. */
function assertSends({ config }: Pick<Home, "config">, name: string): void {
  const names = [...chatAppNames(config), "mail", "push"];
  if (!names.includes(name)) throw noSuchChannel(name, names);
}

export async function openLink({ homeDirectory, warn, env, signal }: Invocation): Promise<DaemonLink> {
  const home = openHome(homeDirectory, warn);
  if ((await locateDaemon(home, env)) === undefined)
    throw new AppError("not_available", "Deputy is not running", { hint: "Start it with `deputy serve`." });
  const find = () => locateDaemon(home, env);
  return await openDaemonLink({ find, clock: createSystemClock(), tell: () => undefined }, signal);
}
