import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import type { DeliveryFault } from "./delivery-fault.ts";
import { readForm, type SentFile } from "./read-form.ts";
import { createDiscordApi, DISCORD_ROUTES, type DiscordCall } from "./discord-api.ts";
import {
  createDiscordChannels,
  DISCORD_APPLICATION,
  DISCORD_BOT as BOT,
  discordChat,
  DISCORD_GUILD,
  discordUser,
} from "./discord-channels.ts";
import { openDiscordGateway } from "./discord-gateway.ts";
import { createDiscordInteractions } from "./discord-interactions.ts";
import { buttonsOf, DiscordRefusal, textsOf } from "./discord-rules.ts";

/**
 * Discord's API (version 10) and gateway as its documentation describes them: what messages and interactions take,
 * limits, nonces, sessions that can be resumed. People are played by the test.
 */
export interface DiscordServer extends AsyncDisposable {
  readonly apiRoot: string;
  readonly token: string;
  /** Deputy's own id there. */
  readonly me: string;
  /** Somebody says something; gives the message's id. */
  say(by: string, text: string, more?: DiscordSaying): string;
  /** Somebody presses a button; gives what they alone are told. A form that it opens is sent off with the reason. */
  press(by: string, channel: string, message: string, label: string, reason?: string): Promise<string>;
  /** Somebody puts a sign under a message. It comes even if it was not asked for. */
  react(by: string, channel: string, message: string): void;
  /** Somebody uses a command; resolves once Discord has an answer and it is gone again. */
  command(
    by: string,
    name: string,
    more?: { readonly channel?: string; readonly what?: string; readonly context?: number },
  ): Promise<void>;
  /** What Deputy shows in a channel, in order. */
  messages(channel: string): readonly DiscordShown[];
  readonly calls: readonly string[];
  /** The names of the commands that are registered. */
  commands(): readonly string[];
  /** The next call of this kind meets it: `POST messages`. */
  fail(call: DiscordCall, how: DiscordFault): void;
  storm(state: "begins" | "ends"): void;
  /** This is told of each call that does something: before it is done, and after it and before it is answered. */
  tap(on: (call: string, moment: "before" | "after") => void): void;
  /** How many sessions somebody is connected to; how often somebody identified and resumed. */
  connections(): number;
  readonly counts: { readonly identified: number; readonly resumed: number };
  recycle(how: "reconnect" | "cut"): void;
  /** Discord forgets sessions after some minutes. */
  forget(how: "silently" | "tells"): void;
  mute(): void;
  disallow(intents: number): void;
  /** The few minutes are over in which it remembers nonces. */
  forgetNonces(): void;
  /** A thread in a channel; gives its id. */
  openThread(channel: string): string;
  /** What happens next comes with this fault. */
  upset(how: DeliveryFault): void;
  /** Its clock is that far off from now on. */
  skew(ms: number): void;
  revoke(): void;
}

export interface DiscordSaying {
  /** A channel of a server; the chat of their own with Deputy unless given. */
  readonly channel?: string;
  readonly byBot?: true;
  readonly mentions?: boolean;
  readonly edits?: string;
  readonly answers?: string;
  /** Discord itself changes the message, as it does after looking at links. */
  readonly byDiscord?: true;
  readonly file?: {
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: Uint8Array;
    readonly url?: string;
  };
}

export interface DiscordShown {
  readonly id: string;
  readonly text: string;
  readonly markdown: string;
  readonly buttons: readonly string[];
  readonly edits: number;
  /** Whom it has called. */
  readonly pinged: readonly string[];
  readonly file?: SentFile | undefined;
}

/** `cut_after`: it is done, and the answer is lost. `garble`: it is done, and something else comes as the answer. */
export type DiscordFault =
  | { readonly kind: "cut_after" }
  | { readonly kind: "garble"; readonly body: string }
  | { readonly kind: "limit"; readonly seconds: number; readonly scope?: "user" | "global" | "shared" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "error"; readonly status: number; readonly code: number; readonly message: string };

const INTENTS = { guild: 1 << 9, direct: 1 << 12 };

export async function serveDiscord(
  options: {
    readonly heartbeatMs?: number;
    /** How many messages a channel takes in how long. */
    readonly limit?: { readonly count: number; readonly perMs: number };
  } = {},
): Promise<DiscordServer> {
  const { heartbeatMs = 41_250, limit = { count: 1_000, perMs: 1_000 } } = options;
  let token = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs";
  let isRevoked = false;
  let isStorm = false;
  let skewMs = 0;
  let next = 1_200_000_000_000_000_000n;
  const files = new Map<string, Uint8Array>();
  const faults = new Map<DiscordCall, DiscordFault[]>();
  const taken = new Map<string, number[]>();
  const calls: string[] = [];
  let tapped: (call: string, moment: "before" | "after") => void = () => undefined;

  const newId = (): string => String(++next);
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = openDiscordGateway({
    isToken: (one) => !isRevoked && one === token,
    ready: () => ({
      v: 10,
      user: BOT,
      guilds: [{ id: DISCORD_GUILD, unavailable: true }],
      application: { id: DISCORD_APPLICATION, flags: 0 },
    }),
    url: () => gatewayUrl(),
    heartbeatMs,
  });
  server.on("upgrade", (request, socket, head) => {
    if (isStorm) {
      socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
      return;
    }
    gateway.server.handleUpgrade(request, socket, head, (opened) => gateway.open(opened, request));
  });
  const now = (): Date => new Date(Date.now() + skewMs);
  const channels = createDiscordChannels(newId, now);
  const { channelOf, openChannel, look, messageOf } = channels;
  const interactions = createDiscordInteractions({ newId, dispatch: gateway.dispatch, messageOf });
  const { happen } = interactions;
  /** By which name it was asked last: there may be something in between. */
  let reachedAt = "";
  const gatewayUrl = (): string => `ws://${reachedAt}/gateway`;
  const api = createDiscordApi({ newId, channels, interactions, gatewayUrl });
  const { answer, commands } = api;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiRoot = `http://${address()}`;

  /** As many as the channel takes; the headers say how many are left. */
  const limited = (
    call: DiscordCall,
    channel: string,
  ): { headers: Record<string, string>; retryMs: number } => {
    const key = `${call} ${channel}`;
    const at = Date.now();
    const recent = (taken.get(key) ?? []).filter((before) => before > at - limit.perMs);
    const isFull = recent.length >= limit.count;
    if (!isFull) recent.push(at);
    taken.set(key, recent);
    const resetMs = (recent[0] ?? at) + limit.perMs - at;
    return {
      retryMs: isFull ? resetMs : 0,
      headers: {
        "x-ratelimit-limit": String(limit.count),
        "x-ratelimit-remaining": String(limit.count - recent.length),
        "x-ratelimit-reset": String((at + skewMs + resetMs) / 1_000),
        "x-ratelimit-reset-after": String(resetMs / 1_000),
        "x-ratelimit-bucket": call.replace(" ", "-"),
      },
    };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("date", now().toUTCString());
    reachedAt = request.headers.host ?? "";
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
      void (body === undefined
        ? response.writeHead(204, headers).end()
        : response
            .writeHead(status, { "content-type": "application/json", ...headers })
            .end(JSON.stringify(body)));
    const tooMany = (retryMs: number, scope: string, headers: Record<string, string> = {}): void => {
      const seconds = String(Math.ceil(retryMs) / 1_000);
      const isGlobal = scope === "global";
      send(
        429,
        { message: "You are being rate limited.", retry_after: Number(seconds), global: isGlobal },
        {
          ...headers,
          "retry-after": seconds,
          "x-ratelimit-scope": scope,
          ...(isGlobal && { "x-ratelimit-global": "true" }),
        },
      );
    };
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    if (isStorm) return send(502, { message: "502: Bad Gateway" });
    const file = files.get(pathname);
    if (file !== undefined) return void response.writeHead(200).end(file);
    const path = /^\/api\/v10(\/.*)$/.exec(pathname)?.[1] ?? "";
    const route = DISCORD_ROUTES.find(
      ([, method, pattern]) => method === request.method && pattern.test(path),
    );
    if (route === undefined) return send(404, { message: "404: Not Found", code: 0 });
    const [call, , pattern] = route;
    const isOpen = /^\/(?:interactions|webhooks)\//.test(path);
    if (!isOpen && (isRevoked || request.headers.authorization !== `Bot ${token}`))
      return send(401, { message: "401: Unauthorized", code: 0 });
    if (request.headers["user-agent"]?.startsWith("DiscordBot (") !== true)
      return send(403, { message: "no user agent", code: 40_333 });
    calls.push(call);
    const { body, uploads } = await readBody(request);
    const fault = faults.get(call)?.shift();
    if (fault?.kind === "limit") return tooMany(fault.seconds * 1_000, fault.scope ?? "user");
    if (fault?.kind === "status") return send(fault.status, { message: "fault" });
    if (fault?.kind === "error") return send(fault.status, { message: fault.message, code: fault.code });
    const [, ...parts] = pattern.exec(path) ?? [];
    const { headers, retryMs } = limited(call, parts[0] ?? "");
    if (retryMs > 0) return tooMany(retryMs, "user", headers);
    try {
      tapped(call, "before");
      const result = answer(call, parts, body === "" ? undefined : jsonOf(body), searchParams, uploads);
      tapped(call, "after");
      if (fault?.kind === "cut_after") return void request.socket.destroy();
      if (fault?.kind === "garble")
        return void response.writeHead(200, { "content-type": "application/json" }).end(fault.body);
      send(200, result, headers);
    } catch (error) {
      if (!(error instanceof DiscordRefusal)) throw error;
      send(error.status, { message: error.message, code: error.code }, headers);
    }
  };

  return {
    apiRoot,
    me: BOT.id,
    get token() {
      return token;
    },
    calls,
    commands,
    counts: gateway.counts,
    say(
      by,
      text,
      { channel: id = discordChat(by), byBot, mentions = true, edits, answers, byDiscord, file } = {},
    ) {
      const channel = openChannel(id, by);
      const isDirect = channel.guild === undefined;
      const isTo = !isDirect && mentions;
      const answered = channel.messages.find((one) => one.id === answers);
      const path = `/attachments/${newId()}/file`;
      if (file !== undefined) files.set(path, file.bytes);
      const message = {
        id: edits ?? newId(),
        channel_id: id,
        type: answered === undefined ? 0 : 19,
        author: byBot === true ? { ...discordUser(by), bot: true } : discordUser(by),
        content: isTo ? `<@${BOT.id}> ${text}` : text,
        timestamp: now().toISOString(),
        edited_timestamp: edits === undefined || byDiscord === true ? null : now().toISOString(),
        mentions: isTo || answered !== undefined ? [BOT] : [],
        mention_roles: [],
        embeds: [],
        ...(answered !== undefined && {
          message_reference: { message_id: answered.id, channel_id: id },
          referenced_message: messageOf(channel, answered),
        }),
        attachments:
          file === undefined
            ? []
            : [
                {
                  id: newId(),
                  filename: file.name,
                  content_type: file.mimeType,
                  size: file.bytes.byteLength,
                  url: file.url ?? `${apiRoot}${path}?ex=1&is=2&hm=3`,
                },
              ],
      };
      if (edits === undefined)
        channel.messages.push({
          id: message.id,
          author: message.author,
          said: message,
          components: [],
          edits: 0,
          pinged: [],
        });
      gateway.dispatch(
        edits === undefined ? "MESSAGE_CREATE" : "MESSAGE_UPDATE",
        isDirect ? message : { ...message, guild_id: channel.guild, member: { roles: [] } },
        isDirect ? INTENTS.direct : INTENTS.guild,
        isDirect || message.mentions.length > 0
          ? {}
          : { hide: (data) => ({ ...data, content: "", attachments: [] }) },
      );
      return message.id;
    },
    async press(by, id, ref, label, reason = "") {
      const channel = channelOf(id);
      const message = channel.messages.find((one) => one.id === ref);
      const button = buttonsOf(message?.components ?? []).find((one) => one.label === label);
      if (message === undefined || button === undefined)
        throw new Error(`There is no button “${label}” under ${ref}`);
      const told = Promise.withResolvers<string>();
      happen(3, { component_type: 2, custom_id: button.custom_id }, { by, channel, reason, told, message });
      return await told.promise;
    },
    async command(by, name, { channel: id = discordChat(by), what, context } = {}) {
      if (!commands().includes(name)) throw new Error(`There is no command /${name}`);
      const told = Promise.withResolvers<string>();
      const choices = what === undefined ? [] : [{ name: "what", type: 3, value: what }];
      const more = context === undefined ? {} : { context };
      happen(
        2,
        { id: "1", name, type: 1, options: choices },
        { by, channel: openChannel(id, by), reason: "", told, ...more },
      );
      await told.promise;
    },
    react(by, id, message) {
      const { guild } = channelOf(id);
      const data = {
        user_id: by,
        channel_id: id,
        message_id: message,
        emoji: { id: null, name: "✅" },
        burst: false,
        type: 0,
        ...(guild !== undefined && { guild_id: guild, member: { user: discordUser(by), roles: [] } }),
      };
      gateway.dispatch("MESSAGE_REACTION_ADD", data, 0);
    },
    messages: (id) =>
      (channels.find(id)?.messages ?? [])
        .filter(({ author }) => author.id === BOT.id)
        .map(({ id: message, components, edits, pinged, file }) => ({
          id: message,
          text: look(components).text,
          markdown: textsOf(components).join("\n"),
          buttons: buttonsOf(components).map((one) => one.label),
          edits,
          pinged,
          file,
        })),
    fail: (call, how) => void faults.set(call, [...(faults.get(call) ?? []), how]),
    storm: (state) => {
      isStorm = state === "begins";
      if (isStorm) gateway.end("cut");
    },
    tap: (on) => void (tapped = on),
    connections: gateway.connections,
    recycle: gateway.end,
    forget: gateway.forget,
    mute: gateway.mute,
    disallow: gateway.disallow,
    forgetNonces: api.forgetNonces,
    openThread: channels.openThread,
    upset: gateway.upset,
    skew: (ms) => void (skewMs = ms),
    revoke: () => {
      isRevoked = true;
      token = `${token}x`;
    },
    async [Symbol.asyncDispose]() {
      gateway.end("cut");
      gateway.server.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Files come as a form, with all else as one of its fields. */
async function readBody(
  request: IncomingMessage,
): Promise<{ readonly body: string; readonly uploads: readonly SentFile[] }> {
  if (request.headers["content-type"]?.startsWith("multipart/form-data") !== true)
    return { body: await readText(request), uploads: [] };
  const { fields, files } = await readForm(request);
  return { body: fields["payload_json"] ?? "", uploads: [...files.values()] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DiscordRefusal(400, 50_109, "The request body contains invalid JSON.");
  }
}
