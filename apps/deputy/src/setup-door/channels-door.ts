import type { SetupDoor } from "@deputy/gateway";
import { AppError } from "../app-error.ts";
import {
  type ChannelField,
  connectable,
  connectableNames,
  connectChannel,
  type GivenField,
  isConnectable,
} from "../channels/connect-channel.ts";
import { withValue } from "../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { parseJson } from "../config/parse-config.ts";
import { readCurrent } from "../config/read-current.ts";
import { isSecretReference } from "../config/secret-reference.ts";
import type { SetupDeps } from "./setup-deps.ts";

function asField({ options, ...field }: ChannelField) {
  return { ...field, ...(options !== undefined && { options: [...options] }) };
}

/** Chat apps, mail and push as the page connects them: the same as `deputy channels add`. */
export function createChannelsDoor(
  deps: Pick<SetupDeps, "home" | "env" | "clock" | "learnSecret" | "redact">,
): Pick<
  SetupDoor,
  "channels.list" | "channels.connect" | "push.key" | "push.subscribe" | "push.unsubscribe"
> {
  const { home, env, clock } = deps;
  const browsers = async () =>
    (await import("../channels/push-browsers.ts")).openPushBrowsers(home.directory);
  return {
    "channels.list": async () => {
      const { adapters } = readCurrent(home).config;
      return {
        channels: connectableNames().map((name) => {
          const { title, fields, pairs } = connectable(name);
          return { name, title, fields: fields.map(asField), pairs, isConnected: adapters[name].enabled };
        }),
      };
    },
    "channels.connect": async ({ channel, values }, { signal }) => {
      if (!isConnectable(channel)) throw new AppError("not_found", "There is no such channel");
      const given = new Map<string, GivenField>();
      for (const { setting, kind, usual = "" } of connectable(channel).fields) {
        const value = values[setting]?.trim() ?? "";
        // A reference would have Deputy read a file of this machine and send it to whoever the page names.
        if (kind === "secret" && isSecretReference(value))
          throw new AppError("usage", "Give the token or password itself here, not its place");
        if (kind === "secret" && value !== "") deps.learnSecret(value);
        given.set(setting, { value: value === "" ? usual : value });
      }
      try {
        const as = await connectChannel(home, channel, given, { env, clock, signal });
        return { outcome: "connected", as };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { message, hint = "" } = error;
        // Whoever reads this has a form, and no terminal.
        const said = hint === "" || /`deputy /.test(hint) ? "Nothing was changed." : hint;
        return { outcome: "failed", message: deps.redact(message), hint: deps.redact(said) };
      }
    },
    "push.key": async () => ({ key: (await browsers()).keys().publicKey }),
    "push.subscribe": async ({ endpoint, p256dh, auth }) => {
      const { adapters } = readCurrent(home).config;
      const { protocol, origin } = new URL(endpoint);
      const isOwn = adapters.push.origins.some((one) => new URL(one).origin === origin);
      if (protocol !== "https:" && !isOwn)
        throw new AppError("usage", "This is no address of a push service");
      (await browsers()).add({ endpoint, p256dh, auth });
      if (adapters.push.enabled) return { turnedOn: false };
      changeConfigFile(home.directory, (text) => {
        const raw = parseJson(text ?? "{}", configFileOf(home.directory));
        return `${JSON.stringify(withValue(raw, ["adapters", "push", "enabled"], true), null, 2)}\n`;
      });
      return { turnedOn: true };
    },
    "push.unsubscribe": async ({ endpoint }) => {
      (await browsers()).remove(endpoint);
      return { ok: true };
    },
  };
}
