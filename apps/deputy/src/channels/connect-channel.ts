import { randomUUID } from "node:crypto";
import { ChannelsError } from "@deputy/channels";
import { type Clock, makeVisible } from "@deputy/kit";
import { ChannelFailure } from "@deputy/tasks";
import { AppError } from "../app-error.ts";
import { withValue } from "../config/change-config.ts";
import { changeConfigFile, configFileOf, readConfigFile } from "../config/config-file.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import type { Home } from "../home.ts";
import { keepSecret } from "../setup/keep-secret.ts";
import { type AppSecret, CHAT_APPS, type ChatAppName, isKnownApp, openChatApp } from "./chat-apps.ts";

/** Something that the owner gives to connect a channel. */
export interface ChannelField {
  /** The setting below `adapters.NAME`. */
  readonly setting: string;
  readonly asks: string;
  readonly kind: "secret" | "text" | "number" | "addresses";
  /** What counts if nothing is given; without it, something must be. */
  readonly usual?: string;
  /** The only values there are. */
  readonly options?: readonly string[];
}

/** A chat app, or another way to reach the owner. */
export interface ConnectableChannel {
  readonly title: string;
  readonly fields: readonly ChannelField[];
  /** People pair there with a code. */
  readonly pairs: boolean;
}

/** A value that was given; a secret may be kept somewhere already. */
export interface GivenField {
  readonly value: string;
  readonly reference?: string;
}

const NOTIFIERS: Readonly<Record<"mail" | "push", ConnectableChannel>> = {
  mail: {
    title: "Mail",
    pairs: false,
    fields: [
      { setting: "host", asks: "The mail server that sends (SMTP), such as smtp.example.org", kind: "text" },
      {
        setting: "secure",
        asks: "Encryption: tls, starttls or none",
        kind: "text",
        usual: "tls",
        options: ["tls", "starttls", "none"],
      },
      { setting: "port", asks: "Its port, if it is an unusual one", kind: "number", usual: "" },
      { setting: "user", asks: "The name to sign in with, often the address", kind: "text" },
      {
        setting: "password",
        asks: "The password; many providers want one made for the purpose",
        kind: "secret",
      },
      { setting: "from", asks: "The sender's address, if it is not that name", kind: "text", usual: "" },
      { setting: "to", asks: "Your address; several with commas between", kind: "addresses" },
    ],
  },
  push: {
    title: "Push",
    pairs: false,
    fields: [
      { setting: "ntfy.server", asks: "The ntfy server", kind: "text", usual: "https://ntfy.sh" },
      {
        setting: "ntfy.topicSecret",
        asks: "The ntfy topic: a long random name, as who knows it can read along. Nothing: only browsers",
        kind: "secret",
        usual: "",
      },
      {
        setting: "ntfy.token",
        asks: "The ntfy access token, if the server needs one",
        kind: "secret",
        usual: "",
      },
    ],
  },
};

export type ConnectableName = ChatAppName | keyof typeof NOTIFIERS;

export function connectableNames(): readonly ConnectableName[] {
  return [...(Object.keys(CHAT_APPS) as ChatAppName[]), ...(Object.keys(NOTIFIERS) as ("mail" | "push")[])];
}

export function isConnectable(name: string): name is ConnectableName {
  return isKnownApp(name) || Object.hasOwn(NOTIFIERS, name);
}

export function connectable(name: ConnectableName): ConnectableChannel {
  if (!isKnownApp(name)) return NOTIFIERS[name];
  const { title, secrets } = CHAT_APPS[name];
  const fields = secrets.map(({ setting, asks }) => ({ setting, asks, kind: "secret" as const }));
  return { title, fields, pairs: true };
}

/**
 * Tries what was given, then keeps it: secrets in files of the home, the rest in the settings. Gives who Deputy is
 * there, as people see it. Throws `config_invalid` and `not_available`; then nothing was changed.
 */
export async function connectChannel(
  home: Pick<Home, "directory">,
  name: ConnectableName,
  given: ReadonlyMap<string, GivenField>,
  more: { readonly env: NodeJS.ProcessEnv; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const { directory } = home;
  const { fields } = connectable(name);
  for (const { setting, asks, usual } of fields)
    if (usual === undefined && (given.get(setting)?.value ?? "") === "")
      throw new AppError("usage", `Something is missing: ${asks}`);
  const apply = (raw: unknown, referenceOf: (field: ChannelField, one: GivenField) => string): unknown => {
    let changed = withValue(raw, ["adapters", name, "enabled"], true);
    for (const field of fields) {
      const one = given.get(field.setting);
      if (one === undefined || one.value === "") continue;
      const value = field.kind === "secret" ? referenceOf(field, one) : valueOf(field, one.value);
      changed = withValue(changed, ["adapters", name, ...field.setting.split(".")], value);
    }
    return changed;
  };
  const file = configFileOf(directory);
  const before = parseJson(readConfigFile(directory), file);
  const draft = apply(before, (field, { reference }) => reference ?? `file:keys/${keyName(name, field)}`);
  const { config } = parseConfig(draft, "It");
  const as = await tryChannel({ directory, config }, name, given, more);
  const references = new Map(
    fields.flatMap((field) => {
      const one = given.get(field.setting);
      if (field.kind !== "secret" || one === undefined || one.value === "") return [];
      return [
        [field.setting, one.reference ?? keepSecret(directory, keyName(name, field), one.value)] as const,
      ];
    }),
  );
  changeConfigFile(directory, (text) => {
    const raw = parseJson(text ?? "{}", file);
    return `${JSON.stringify(
      apply(raw, ({ setting }) => references.get(setting) ?? ""),
      null,
      2,
    )}\n`;
  });
  return makeVisible(as);
}

/** Throws `usage`. */
function valueOf({ kind, asks }: ChannelField, text: string): unknown {
  if (kind === "number") {
    if (!/^\d{1,5}$/.test(text))
      throw new AppError("usage", `“${makeVisible(text)}” is no number`, { hint: `${asks}.` });
    return Number(text);
  }
  if (kind !== "addresses") return text;
  const addresses = text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const wrong = addresses.find((one) => !/^[^\s@]+@[^\s@]+$/.test(one));
  if (wrong !== undefined)
    throw new AppError("usage", `“${makeVisible(wrong)}” is no mail address`, {
      hint: "Such as ada@example.org.",
    });
  return addresses;
}

/** The file of the home in which it is kept. */
function keyName(name: ConnectableName, { setting }: ChannelField): string {
  if (setting === "botToken" || setting === "password") return name;
  if (setting === "appToken") return `${name}-app`;
  return setting.replace("Secret", "").replace(".", "-");
}

async function tryChannel(
  home: Pick<Home, "directory" | "config">,
  name: ConnectableName,
  given: ReadonlyMap<string, GivenField>,
  {
    env,
    clock,
    signal,
  }: { readonly env: NodeJS.ProcessEnv; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const nothing = (): void => undefined;
  const more = { env, clock, learn: nothing, tell: nothing };
  const first = { key: `first ${randomUUID()}`, from: "Deputy", text: "Deputy can reach you here." };
  const valueOfField = (setting: string): string => given.get(setting)?.value ?? "";
  try {
    if (isKnownApp(name)) {
      const secrets = new Map(
        [...given].map(([setting, { value }]) => [setting as AppSecret["setting"], value]),
      );
      return await (await openChatApp(home, name, { ...more, given: secrets })).identify(signal);
    }
    if (name === "mail") {
      const { openMail } = await import("./open-mail.ts");
      const mail = openMail(home, {
        ...more,
        given: valueOfField("password"),
        question: async () => undefined,
      });
      await mail.check(signal);
      await mail.send(first, signal);
      return home.config.adapters.mail.from ?? home.config.adapters.mail.user ?? "";
    }
    const topic = valueOfField("ntfy.topicSecret");
    if (topic === "") return "the page's own notifications";
    const { openPush } = await import("./open-push.ts");
    const token = valueOfField("ntfy.token");
    await openPush(home, {
      ...more,
      given: { topic, ...(token !== "" && { token }) },
      only: "ntfy",
    }).send(first, signal);
    return home.config.adapters.push.ntfy.server;
  } catch (error) {
    if (!(error instanceof ChannelsError) && !(error instanceof ChannelFailure)) throw error;
    const isRefused = error.code === "refused" || error.code === "not_accepted";
    const hint = isRefused ? error.hint : "Nothing was changed. Try it again.";
    throw new AppError("not_available", error.message, hint === undefined ? {} : { hint });
  }
}
