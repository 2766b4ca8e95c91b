import { openDaemonLink, type DaemonLink } from "@deputy/client/daemon-link";
import { createSystemClock } from "@deputy/kit";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../app-error.ts";
import { enabledApps } from "../channels/open-channels.ts";
import { locateDaemon } from "../chat/attach.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";

/** `deputy channels pair APP`: a code that one person says to the bot, to be known from then on. */
export async function pairChannel(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  if (!enabledApps(home).some((one) => one === name))
    throw new AppError("not_available", `${name} is not connected`, {
      hint: `Set adapters.${name}.enabled and adapters.${name}.botToken, and restart the daemon.`,
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
  using link = await openLink(invocation);
  const { ok } = await link.call("channels.unpair", { channel: name, person }, "safe_to_repeat", signal);
  if (!ok) throw new AppError("not_found", `Nobody with the id ${person} is paired in ${name}`);
  output.result("Done: Deputy does not know them any more.");
  return EXIT.done;
}

async function openLink({ homeDirectory, warn, env, signal }: Invocation): Promise<DaemonLink> {
  const home = openHome(homeDirectory, warn);
  if ((await locateDaemon(home, env)) === undefined)
    throw new AppError("not_available", "Deputy is not running", { hint: "Start it with `deputy serve`." });
  const find = () => locateDaemon(home, env);
  return await openDaemonLink({ find, clock: createSystemClock(), tell: () => undefined }, signal);
}
