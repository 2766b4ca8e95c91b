import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  ChannelsError,
  type ChatApp,
  type CreateAdapter,
  createHandOver,
  createKeepTrying,
} from "@deputy/channels";
import { type Clock, makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import type { Home } from "../home.ts";
import { assertOwnPlugin } from "../sources/home-plugins.ts";
import { keptFile } from "./kept-file.ts";

/**
 * An app by the adapter that the settings name. It is the user's own code and runs in this process, with the user's
 * rights (`docs/decisions/0068-adapters-of-your-own.md`). Throws `config_invalid` for a module that is none,
 * `home_unusable` for one that others could change, and `secret_unavailable`.
 */
export async function openAdapter(
  { directory, config }: Pick<Home, "directory" | "config">,
  name: string,
  more: {
    readonly env: NodeJS.ProcessEnv;
    readonly clock: Clock;
    readonly tell: (text: string) => void;
    readonly learn: (secret: string) => void;
  },
): Promise<ChatApp> {
  const found = config.adapters.others[name];
  if (found === undefined)
    throw new AppError("config_invalid", `adapters.others.${makeVisible(name)} is missing`);
  const file = resolve(directory, found.module);
  assertOwnPlugin(directory, file);
  const wrong = (why: string, cause?: unknown): AppError =>
    new AppError("config_invalid", `The adapter ${makeVisible(file)} ${why}`, {
      cause,
      hint: `adapters.others.${name}.module names a file whose default export makes a chat app: docs/adapters.md.`,
    });
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (cause) {
    throw wrong(
      `cannot be loaded: ${cause instanceof Error ? makeVisible(cause.message) : "it threw"}`,
      cause,
    );
  }
  if (typeof loaded.default !== "function") throw wrong("has no function as its default export");
  const create = loaded.default as CreateAdapter;
  const app = create({
    name,
    settings: found.settings,
    secret: (own) => {
      const value = resolveSecret(found.secrets[own] ?? "", more.env, directory);
      more.learn(value);
      return value;
    },
    kept: keptFile(directory, name),
    clock: more.clock,
    tell: more.tell,
    parts: { ChannelsError, createHandOver, createKeepTrying },
  });
  // Its sessions and pairings are kept under the name of the settings.
  if (app.name !== name) throw wrong(`calls itself ${makeVisible(app.name)}, not ${name}`);
  return app;
}
