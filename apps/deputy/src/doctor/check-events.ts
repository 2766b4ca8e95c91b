import { accessSync, constants, statSync } from "node:fs";
import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import type { EventSettings } from "../config/events-schema.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import { folderPath } from "../events/create-source.ts";
import { readStates, type ShownState } from "../events/states-file.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";

/** One finding for each source with a problem, or one for all of them; none if there are no sources. */
export function checkEvents(
  directory: string,
  { events }: Config,
  env: NodeJS.ProcessEnv,
): readonly Finding[] {
  if (events.length === 0) return [];
  const states = readStates(directory);
  const found = events.flatMap(
    (source) => checkSource(source, directory, env) ?? checkState(source, states?.get(source.name)) ?? [],
  );
  if (found.length > 0) return found;
  const count = events.length === 1 ? "1 source" : `${events.length} sources`;
  return [ok("events", `${count}, ${states === undefined ? "watched once a daemon runs" : "watched"}.`)];
}

function checkSource(source: EventSettings, home: string, env: NodeJS.ProcessEnv): Finding | undefined {
  return source.type === "imap" ? checkMail(source, home, env) : checkFolder(source);
}

function checkMail(
  { name, host, secure, password, accessToken, oauth }: EventSettings & { type: "imap" },
  home: string,
  env: NodeJS.ProcessEnv,
): Finding | undefined {
  try {
    resolveSecret(password ?? accessToken ?? oauth?.refreshToken ?? "", env, home);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return wrong("events", `${name} cannot sign in: ${error.message}.`, "Set it where the daemon finds it.");
  }
  if (secure !== "none" || /^(?:localhost|127\.[\d.]+|::1)$/i.test(host)) return undefined;
  return advise("events", `${name} sends its password to ${host} in the clear.`, "Set its secure to tls.");
}

function checkFolder({ name, path }: EventSettings & { type: "files" }): Finding | undefined {
  const folder = folderPath(path);
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    if (statSync(folder).isDirectory()) return undefined;
  } catch {
    // Reported below, like a file in its place.
  }
  return wrong(
    "events",
    `${name} watches ${folder}, which is not a readable folder.`,
    "Make it, or set path.",
  );
}

function checkState({ name }: EventSettings, state: ShownState | undefined): Finding | undefined {
  if (state?.kind !== "failed") return undefined;
  return wrong("events", `${name} is not watched: ${state.reason}.`, state.hint ?? "Deputy tries again.");
}
