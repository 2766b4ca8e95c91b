import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Clock } from "@deputy/kit";
import type { EventSource } from "@deputy/tasks";
import {
  createFolderSource,
  createMailSource,
  type FolderSettings,
  folderSourceId,
  type MailSettings,
  mailSourceId,
} from "@deputy/tasks/node/sources";
import type { EventSettings } from "../config/events-schema.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import { openRenewedToken } from "./open-renewed-token.ts";

type Mail = EventSettings & { readonly type: "imap" };
type Files = EventSettings & { readonly type: "files" };

/** The source that a setting describes. */
export function createSource(
  settings: EventSettings,
  deps: {
    readonly home: string;
    readonly env: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly learnSecret: (value: string) => void;
  },
): EventSource {
  const { home, env, clock } = deps;
  const { name } = settings;
  const cursorFile = join(home, "events", `${name}.cursor.json`);
  if (settings.type === "files")
    return createFolderSource({ name, settings: folderOf(settings), snapshotFile: cursorFile, home, clock });
  const lookUp = (reference: string): string => {
    const value = resolveSecret(reference, env, home);
    deps.learnSecret(value);
    return value;
  };
  const { password, accessToken, oauth } = settings;
  const renewed = oauth === undefined ? undefined : openRenewedToken(name, oauth, { ...deps, lookUp });
  return createMailSource({
    name,
    settings: mailboxOf(settings),
    secret: async (signal) => {
      if (renewed !== undefined) return { kind: "accessToken", value: await renewed(signal) };
      return password === undefined
        ? { kind: "accessToken", value: lookUp(accessToken ?? "") }
        : { kind: "password", value: lookUp(password) };
    },
    cursorFile,
    clock,
  });
}

/** The id by which its deliveries are found. */
export function sourceIdOf(settings: EventSettings): string {
  return settings.type === "imap"
    ? mailSourceId(settings.name, mailboxOf(settings))
    : folderSourceId(settings.name, folderOf(settings));
}

function mailboxOf({ host, port, secure, user, mailbox }: Mail): MailSettings {
  return { host, ...(port === undefined ? {} : { port }), encryption: secure, user, mailbox };
}

function folderOf({ path, glob, on }: Files): FolderSettings {
  return { path: folderPath(path), ...(glob === undefined ? {} : { glob }), on };
}

export function folderPath(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(path);
}
