import type { Allowed, ChatApp } from "@deputy/channels";
import type { Clock } from "@deputy/kit";
import type { Config } from "../config.ts";
import { keptSecret } from "../setup/keep-secret.ts";
import { AppError } from "../app-error.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import type { Home } from "../home.ts";
import { keptFile } from "./kept-file.ts";

export type ChatAppName = "telegram" | "slack" | "discord";

/** A secret that an app needs, as the settings name it. */
export interface AppSecret {
  readonly setting: "botToken" | "appToken";
  /** Where its owner finds it. */
  readonly asks: string;
}

interface KnownApp {
  readonly title: string;
  readonly secrets: readonly AppSecret[];
  /** Loads the app's library, which is loaded for nothing else. */
  readonly open: (options: {
    readonly secret: (setting: AppSecret["setting"]) => string;
    readonly adapters: Config["adapters"];
    /** The home. */
    readonly directory: string;
    readonly clock: Clock;
    readonly tell: (text: string) => void;
    /** A secret that Deputy makes up itself, and keeps. */
    readonly ownSecret: (name: string) => string;
  }) => Promise<ChatApp>;
}

/** The chat apps that can be connected. */
export const CHAT_APPS: Readonly<Record<ChatAppName, KnownApp>> = {
  telegram: {
    title: "Telegram",
    secrets: [{ setting: "botToken", asks: "The bot's token; @BotFather gives it for /newbot" }],
    open: async ({ secret, adapters, clock, tell, ownSecret }) => {
      const { createTelegramApp } = await import("@deputy/adapter-telegram");
      const { apiRoot, mode, webhook } = adapters.telegram;
      const { url, host, port } = webhook;
      if (mode === "webhook" && url === undefined)
        throw new AppError("config_invalid", "adapters.telegram.webhook.url is missing", {
          hint: "It is the address that Telegram comes to; docs/telegram.md says how.",
        });
      return createTelegramApp({
        ...(mode === "webhook" &&
          url !== undefined && { webhook: { url, host, port, secret: ownSecret("telegram-webhook") } }),
        token: secret("botToken"),
        clock,
        tell,
        ...(apiRoot !== undefined && { apiRoot }),
      });
    },
  },
  slack: {
    title: "Slack",
    secrets: [
      { setting: "botToken", asks: "The bot's token (xoxb-…); Slack shows it under OAuth & Permissions" },
      { setting: "appToken", asks: "The app's token (xapp-…); Slack shows it under Basic Information" },
    ],
    open: async ({ secret, adapters, clock, tell }) => {
      const { createSlackApp } = await import("@deputy/adapter-slack");
      const { apiRoot } = adapters.slack;
      return createSlackApp({
        botToken: secret("botToken"),
        appToken: secret("appToken"),
        clock,
        tell,
        ...(apiRoot !== undefined && { apiRoot }),
      });
    },
  },
  discord: {
    title: "Discord",
    secrets: [
      { setting: "botToken", asks: "The bot's token; Discord shows it once, under Bot, Reset Token" },
    ],
    open: async ({ secret, adapters, directory, clock, tell }) => {
      const { createDiscordApp } = await import("@deputy/adapter-discord");
      const { apiRoot } = adapters.discord;
      return createDiscordApp({
        token: secret("botToken"),
        kept: keptFile(directory, "discord"),
        clock,
        tell,
        ...(apiRoot !== undefined && { apiRoot }),
      });
    },
  },
};

/** True for an app that Deputy knows itself. */
export function isKnownApp(name: string): name is ChatAppName {
  return Object.hasOwn(CHAT_APPS, name);
}

/** The names of all chat apps: those that Deputy knows, and those of the settings. */
export function chatAppNames({ adapters }: Config): readonly string[] {
  return [...Object.keys(CHAT_APPS), ...Object.keys(adapters.others)];
}

/** The names of the chat apps that the settings connect. */
export function enabledApps(config: Config): readonly string[] {
  return chatAppNames(config).filter((name) => settingsOf(config, name)?.enabled === true);
}

/** What people call it. */
export function titleOf(name: string): string {
  return isKnownApp(name) ? CHAT_APPS[name].title : name;
}

/** Who may talk to Deputy there. */
export function allowedIn(config: Config, name: string): Allowed {
  const {
    allowedUserIds: people = [],
    guestIds: guests = [],
    groupIds: groups = [],
  } = settingsOf(config, name) ?? {};
  return { people, guests, groups };
}

function settingsOf({ adapters }: Config, name: string) {
  return isKnownApp(name) ? adapters[name] : adapters.others[name];
}

/**
 * An app with the secrets of the settings, unless others are `given`. Throws `secret_unavailable`, and for an adapter of
 * the settings also what `openAdapter` does.
 */
export async function openChatApp(
  { directory, config }: Pick<Home, "directory" | "config">,
  name: string,
  more: {
    readonly env: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly tell: (text: string) => void;
    readonly learn: (secret: string) => void;
    readonly given?: ReadonlyMap<AppSecret["setting"], string>;
  },
): Promise<ChatApp> {
  if (!isKnownApp(name))
    return await (await import("./open-adapter.ts")).openAdapter({ directory, config }, name, more);
  const settings: { readonly [key in AppSecret["setting"]]?: string | undefined } = config.adapters[name];
  const secret = (setting: AppSecret["setting"]): string => {
    const value = more.given?.get(setting) ?? resolveSecret(settings[setting] ?? "", more.env, directory);
    more.learn(value);
    return value;
  };
  return await CHAT_APPS[name].open({
    secret,
    adapters: config.adapters,
    directory,
    clock: more.clock,
    tell: more.tell,
    ownSecret: (own) => {
      const value = keptSecret(directory, own);
      more.learn(value);
      return value;
    },
  });
}
