import { createHash } from "node:crypto";
import {
  ChannelsError,
  type ChatApp,
  createHandOver,
  createKeepTrying,
  type Message,
} from "@deputy/channels";
import { type Clock, untilStopped } from "@deputy/kit";
import { REST } from "@discordjs/rest";
import { createElement } from "react";
import { z } from "zod";
import { COMMANDS } from "./commands.ts";
import { discordFailure } from "./discord-failure.ts";
import { discordLength } from "./discord-text.ts";
import { downloadFile } from "./download-file.ts";
import { followGateway } from "./follow-gateway.ts";
import { createHearing } from "./hearing.ts";
import { type Kept, openProgress } from "./progress.ts";
import { MessageView, uploadName } from "./views/message-view.ts";
import { renderComponents } from "./views/render-components.ts";

export interface DiscordOptions {
  readonly token: string;
  /** Where Discord's API is; its own address unless given. */
  readonly apiRoot?: string;
  readonly kept: Kept;
  readonly clock: Clock;
  /** Something that the owner should see in the daemon's output. */
  readonly tell: (text: string) => void;
}

/** One call of Discord's API. Rejects with a `ChannelsError`, and with the signal's reason on abort. */
export type Ask = <Schema extends z.ZodType>(
  what: "post" | "again",
  call: { readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"; readonly path: `/${string}` } & Sent,
  schema: Schema,
  signal: AbortSignal,
) => Promise<z.infer<Schema>>;

interface Sent {
  readonly body?: object;
  readonly files?: { name: string; data: Uint8Array; contentType: string }[];
  readonly query?: Readonly<Record<string, string>>;
  /** `none`: the address has a token of its own in it. */
  readonly auth?: "none";
}

const API_ROOT = "https://discord.com";
/** What all texts of a message may have together. */
const MAX_CHARS = 4_000;
/** In a channel Discord takes five changes in five seconds. */
const EDIT_EVERY_MS = 1_500;
/** What servers without any extras take. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const LOOK_BACK = 50;
/** Its components are its content; Discord looks at no addresses in it. */
const FLAGS = (1 << 15) | (1 << 2);

const idSchema = z.object({ id: z.string() });
const meSchema = z.object({ id: z.string(), username: z.string() });
const postedSchema = z.array(
  z.object({ id: z.string(), author: idSchema, components: z.array(z.unknown()).default([]) }),
);

/** Discord by its API and gateway, through discord.js's own libraries for them. */
export function createDiscordApp(options: DiscordOptions): ChatApp {
  const { token, apiRoot = API_ROOT, clock } = options;
  const rest = new REST({
    api: `${apiRoot}/api`,
    version: "10",
    retries: 0,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: () => true,
  });

  const ask: Ask = async (what, { auth, body, files, query, path, method }, schema, signal) => {
    signal.throwIfAborted();
    // The library forgets a token that was refused once.
    rest.setToken(token);
    try {
      const request = rest.request({
        fullRoute: path,
        method: method as never,
        auth: auth === undefined,
        signal,
        ...(body !== undefined && { body }),
        ...(files !== undefined && { files }),
        ...(query !== undefined && { query: new URLSearchParams(query) }),
      });
      return schema.parse(await untilStopped(request, signal));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw discordFailure(error, what);
    }
  };
  const whoAmI = (signal: AbortSignal) =>
    ask("again", { method: "GET", path: "/users/@me" }, meSchema, signal);

  const register = async (signal: AbortSignal): Promise<void> => {
    const { id } = await ask("again", { method: "GET", path: "/applications/@me" }, idSchema, signal);
    const call = { method: "PUT", path: `/applications/${id}/commands`, body: COMMANDS } as const;
    await ask("again", call, z.unknown(), signal);
  };

  return {
    name: "discord",
    can: {
      maxChars: MAX_CHARS,
      measure: discordLength,
      deduplicates: true,
      editEveryMs: EDIT_EVERY_MS,
      maxFileBytes: MAX_FILE_BYTES,
    },
    async receive(hear, signal) {
      const keepTrying = createKeepTrying(options);
      try {
        const { id: me } = await keepTrying.until(() => whoAmI(signal), signal);
        await register(signal).catch((error: unknown) => {
          if (!(error instanceof ChannelsError) || error.code === "refused") throw error;
          options.tell(`Discord has no commands of Deputy's now: ${error.message}.`);
        });
        const progress = openProgress(options.kept);
        const handOver = createHandOver({ clock, hear }, signal);
        const read = (url: string, until: AbortSignal) => downloadFile(url, apiRoot, until);
        const hearing = createHearing({ ask, me, progress, keepTrying, handOver, read }, signal);
        while (!signal.aborted)
          await keepTrying.until(
            () =>
              followGateway(
                {
                  rest: rest.setToken(token),
                  token,
                  clock,
                  session: progress.session(),
                  onSession: progress.begin,
                  onDispatch: hearing.take,
                  isWrong: keepTrying.isWrong,
                  isWell: keepTrying.isWell,
                },
                signal,
              ),
            signal,
          );
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    async identify(signal) {
      return `@${(await whoAmI(signal)).username}`;
    },
    async post(place, message, key, signal) {
      const body = { ...lookOf(message, key), nonce: nonceOf(key), enforce_nonce: true };
      const { file } = message;
      const files =
        file === undefined
          ? {}
          : { files: [{ name: uploadName(file.name), data: file.bytes, contentType: file.mimeType }] };
      const call = { method: "POST", path: `/channels/${place}/messages`, body, ...files } as const;
      return (await ask("post", call, idSchema, signal)).id;
    },
    async find(place, key, signal) {
      const { id: me } = await whoAmI(signal);
      const query = { limit: String(LOOK_BACK) };
      const call = { method: "GET", path: `/channels/${place}/messages`, query } as const;
      const posted = await ask("again", call, postedSchema, signal);
      return posted.find(({ author, components }) => author.id === me && hasId(components, markOf(key)))?.id;
    },
    async edit(place, ref, message, signal) {
      const call = { method: "PATCH", path: `/channels/${place}/messages/${ref}` } as const;
      await ask("again", { ...call, body: lookOf(message) }, z.unknown(), signal);
    },
    async typing(place, signal) {
      await ask("again", { method: "POST", path: `/channels/${place}/typing` }, z.unknown(), signal);
    },
  };
}

/** Nobody is mentioned by what a model writes. */
function lookOf(message: Message, key?: string) {
  const id = key === undefined ? {} : { id: markOf(key) };
  return {
    components: renderComponents(createElement(MessageView, { message, ...id })),
    flags: FLAGS,
    allowed_mentions: { parse: [] },
  };
}

const LONGEST_NONCE = 25;

/** Discord posts what has the same one once, within a few minutes. */
function nonceOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, LONGEST_NONCE);
}

/** Stays in the message, so that it is found also later. */
function markOf(key: string): number {
  return (createHash("sha256").update(key).digest().readUInt32BE(0) >>> 1) | 1;
}

function hasId(components: readonly unknown[], id: number): boolean {
  return components.some((component) => {
    const { id: own, components: inner = [] } = component as {
      id?: unknown;
      components?: readonly unknown[];
    };
    return own === id || hasId(inner, id);
  });
}
