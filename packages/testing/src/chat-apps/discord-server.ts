import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import { openDiscordGateway } from "./discord-gateway.ts";
import { readDiscordMarkdown } from "./discord-markdown.ts";
import { buttonsOf, discordBodies, type DiscordComponent, textsOf } from "./discord-rules.ts";

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
}

export type DiscordFault =
  | { readonly kind: "cut_after" }
  | { readonly kind: "limit"; readonly seconds: number; readonly scope?: "user" | "global" | "shared" }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "error"; readonly status: number; readonly code: number; readonly message: string };

const ROUTES = [
  ["GET me", "GET", /^\/users\/@me$/],
  ["GET application", "GET", /^\/applications\/@me$/],
  ["GET gateway", "GET", /^\/gateway\/bot$/],
  ["PUT commands", "PUT", /^\/applications\/(\d+)\/commands$/],
  ["GET channel", "GET", /^\/channels\/(\d+)$/],
  ["GET messages", "GET", /^\/channels\/(\d+)\/messages$/],
  ["POST messages", "POST", /^\/channels\/(\d+)\/messages$/],
  ["PATCH messages", "PATCH", /^\/channels\/(\d+)\/messages\/(\d+)$/],
  ["POST typing", "POST", /^\/channels\/(\d+)\/typing$/],
  ["POST callback", "POST", /^\/interactions\/(\d+)\/([^/]+)\/callback$/],
  ["POST webhook", "POST", /^\/webhooks\/(\d+)\/([^/]+)$/],
  ["DELETE original", "DELETE", /^\/webhooks\/(\d+)\/([^/]+)\/messages\/@original$/],
] as const;
export type DiscordCall = (typeof ROUTES)[number][0];

interface Stored {
  readonly id: string;
  readonly author: object & { readonly id: string };
  readonly nonce?: string | number | undefined;
  /** As it is given out again, of what people wrote. */
  readonly said?: object;
  components: DiscordComponent[];
  edits: number;
  pinged: readonly string[];
}

interface Channel {
  readonly id: string;
  readonly type: 0 | 1 | 11;
  readonly guild?: string;
  readonly parent?: string;
  readonly messages: Stored[];
}

interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly by: string;
  readonly channel: Channel;
  readonly at: number;
  readonly reason: string;
  readonly message?: Stored;
  readonly told: PromiseWithResolvers<string>;
  isAnswered: boolean;
}

const BOT = { id: "900000000000000001", username: "deputy", discriminator: "0", bot: true, avatar: null };
const APPLICATION = "900000000000000001";
const GUILD = "700000000000000001";
const ANSWER_MS = 3_000;
const INTENTS = { guild: 1 << 9, direct: 1 << 12 };

/** The chat of one person with the bot. */
export const discordChat = (user: string): string => `5${user.slice(1)}`;

class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

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
  let next = 1_200_000_000_000_000_000n;
  const channels = new Map<string, Channel>();
  const files = new Map<string, Uint8Array>();
  const interactions = new Map<string, Interaction>();
  const faults = new Map<DiscordCall, DiscordFault[]>();
  const taken = new Map<string, number[]>();
  const nonces = new Map<string, Stored>();
  const calls: string[] = [];
  let commands: readonly string[] = [];
  let tapped: (call: string, moment: "before" | "after") => void = () => undefined;

  const newId = (): string => String(++next);
  const userOf = (id: string) => ({
    id,
    username: `user${id}`,
    discriminator: "0",
    global_name: `Person ${id}`,
    avatar: null,
  });
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = openDiscordGateway({
    isToken: (one) => !isRevoked && one === token,
    ready: () => ({
      v: 10,
      user: BOT,
      guilds: [{ id: GUILD, unavailable: true }],
      application: { id: APPLICATION, flags: 0 },
    }),
    url: () => `ws://${address()}/gateway`,
    heartbeatMs,
  });
  server.on("upgrade", (request, socket, head) => {
    if (isStorm) {
      socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
      return;
    }
    gateway.server.handleUpgrade(request, socket, head, (opened) => gateway.open(opened, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const apiRoot = `http://${address()}`;

  const channelOf = (id: string): Channel => {
    const channel = channels.get(id);
    if (channel === undefined) throw new Refusal(404, 10_003, "Unknown Channel");
    return channel;
  };
  const openChannel = (id: string, by: string): Channel => {
    const isDirect = id === discordChat(by);
    const channel = channels.get(id) ?? {
      id,
      messages: [],
      ...(isDirect ? { type: 1 as const } : { type: 0 as const, guild: GUILD }),
    };
    channels.set(id, channel);
    return channel;
  };
  const look = (components: readonly DiscordComponent[]) =>
    readDiscordMarkdown(textsOf(components).join("\n"));
  /** Whoever is mentioned is called, unless the message says that nobody is to be. */
  const pingedBy = (
    components: readonly DiscordComponent[],
    allowed: { parse?: unknown[] | undefined } | undefined,
  ) => (allowed?.parse?.length === 0 ? [] : look(components).mentions);
  const messageOf = (channel: Channel, stored: Stored): object =>
    stored.said ?? {
      id: stored.id,
      channel_id: channel.id,
      author: stored.author,
      content: "",
      components: stored.components,
      type: 0,
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      attachments: [],
      embeds: [],
      mentions: [],
      mention_roles: [],
      flags: 1 << 15,
    };
  const interactionOf = (id: string, secret: string): Interaction => {
    const found = interactions.get(id);
    if (found?.token !== secret) throw new Refusal(404, 10_062, "Unknown interaction");
    return found;
  };
  const byToken = (secret: string): Interaction => {
    const found = [...interactions.values()].find((one) => one.token === secret);
    if (found === undefined || !found.isAnswered) throw new Refusal(404, 10_015, "Unknown Webhook");
    return found;
  };
  const happen = (
    type: 2 | 3 | 5,
    data: object,
    more: Pick<Interaction, "by" | "channel" | "reason" | "told"> & { message?: Stored; context?: number },
  ): void => {
    const { by, channel, message, context } = more;
    const interaction: Interaction = {
      id: newId(),
      token: `interaction-${next}`,
      at: Date.now(),
      isAnswered: false,
      ...more,
    };
    interactions.set(interaction.id, interaction);
    const who =
      channel.guild === undefined
        ? { user: userOf(by) }
        : { guild_id: channel.guild, member: { user: userOf(by), permissions: "0" } };
    gateway.dispatch(
      "INTERACTION_CREATE",
      {
        id: interaction.id,
        application_id: APPLICATION,
        type,
        token: interaction.token,
        version: 1,
        context: context ?? (channel.guild === undefined ? 1 : 0),
        channel_id: channel.id,
        channel: {
          id: channel.id,
          type: channel.type,
          ...(channel.parent !== undefined && { parent_id: channel.parent }),
        },
        data,
        ...who,
        ...(message !== undefined && { message: messageOf(channel, message) }),
      },
      0,
    );
  };

  const answer = (
    call: DiscordCall,
    [one = "", two = ""]: readonly string[],
    body: unknown,
    query: URLSearchParams,
  ): unknown => {
    switch (call) {
      case "GET me":
        return BOT;
      case "GET application":
        return { id: APPLICATION, name: "Deputy", flags: 0 };
      case "GET gateway":
        return {
          url: `ws://${address()}/gateway`,
          shards: 1,
          session_start_limit: { total: 1_000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
        };
      case "PUT commands": {
        if (one !== APPLICATION)
          throw new Refusal(403, 20_012, "You are not authorized to perform this action on this application");
        const read = parse(discordBodies.commands, body);
        commands = read.map(({ name }) => name);
        return read;
      }
      case "GET channel": {
        const { id, type, guild, parent } = channelOf(one);
        return {
          id,
          type,
          ...(guild !== undefined && { guild_id: guild }),
          ...(parent !== undefined && { parent_id: parent }),
        };
      }
      case "GET messages": {
        const channel = channelOf(one);
        const count = Number(query.get("limit") ?? 50);
        if (!(count >= 1 && count <= 100)) throw new Refusal(400, 50_035, "Invalid Form Body");
        const after = query.get("after");
        const all = channel.messages.filter(({ id }) => after === null || BigInt(id) > BigInt(after));
        const page = after === null ? all.slice(-count) : all.slice(0, count);
        return page.toReversed().map((stored) => messageOf(channel, stored));
      }
      case "POST messages": {
        const channel = channelOf(one);
        const {
          components = [],
          nonce,
          enforce_nonce: isOnce,
          allowed_mentions: allowed,
        } = parse(discordBodies.create, body);
        const key = `${one} ${nonce}`;
        const before = isOnce === true && nonce !== undefined ? nonces.get(key) : undefined;
        if (before !== undefined) return messageOf(channel, before);
        const stored: Stored = {
          id: newId(),
          author: BOT,
          components,
          edits: 0,
          pinged: pingedBy(components, allowed),
        };
        if (nonce !== undefined) nonces.set(key, stored);
        channel.messages.push(stored);
        return messageOf(channel, stored);
      }
      case "PATCH messages": {
        const channel = channelOf(one);
        const stored = channel.messages.find(({ id }) => id === two);
        if (stored === undefined) throw new Refusal(404, 10_008, "Unknown Message");
        if (stored.author.id !== BOT.id)
          throw new Refusal(403, 50_005, "Cannot edit a message authored by another user");
        const { components = [] } = parse(discordBodies.edit, body);
        Object.assign(stored, { components, edits: stored.edits + 1 });
        return messageOf(channel, stored);
      }
      case "POST typing":
        channelOf(one);
        return undefined;
      case "POST callback": {
        const interaction = interactionOf(one, two);
        if (interaction.isAnswered)
          throw new Refusal(400, 40_060, "Interaction has already been acknowledged.");
        if (Date.now() - interaction.at > ANSWER_MS) throw new Refusal(404, 10_062, "Unknown interaction");
        const read = parse(discordBodies.callback, body);
        interaction.isAnswered = true;
        if (read.type === 9) {
          const { by, channel, reason, told, message } = interaction;
          const [label] = read.data.components;
          const component = { type: 4, custom_id: label?.component.custom_id, value: reason };
          const data = { custom_id: read.data.custom_id, components: [{ type: 18, component }] };
          setImmediate(() =>
            happen(5, data, { by, channel, reason, told, ...(message !== undefined && { message }) }),
          );
        }
        return undefined;
      }
      case "POST webhook": {
        const { content = "" } = parse(discordBodies.followUp, body);
        byToken(two).told.resolve(readDiscordMarkdown(content).text);
        return { id: newId() };
      }
      default:
        byToken(two).told.resolve("");
        return undefined;
    }
  };

  /** As many as the channel takes; the headers say how many are left. */
  const limited = (
    call: DiscordCall,
    channel: string,
  ): { headers: Record<string, string>; retryMs: number } => {
    const key = `${call} ${channel}`;
    const now = Date.now();
    const recent = (taken.get(key) ?? []).filter((at) => at > now - limit.perMs);
    const isFull = recent.length >= limit.count;
    if (!isFull) recent.push(now);
    taken.set(key, recent);
    const resetMs = (recent[0] ?? now) + limit.perMs - now;
    return {
      retryMs: isFull ? resetMs : 0,
      headers: {
        "x-ratelimit-limit": String(limit.count),
        "x-ratelimit-remaining": String(limit.count - recent.length),
        "x-ratelimit-reset": String((now + resetMs) / 1_000),
        "x-ratelimit-reset-after": String(resetMs / 1_000),
        "x-ratelimit-bucket": call.replace(" ", "-"),
      },
    };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
    const route = ROUTES.find(([, method, pattern]) => method === request.method && pattern.test(path));
    if (route === undefined) return send(404, { message: "404: Not Found", code: 0 });
    const [call, , pattern] = route;
    const isOpen = /^\/(?:interactions|webhooks)\//.test(path);
    if (!isOpen && (isRevoked || request.headers.authorization !== `Bot ${token}`))
      return send(401, { message: "401: Unauthorized", code: 0 });
    if (request.headers["user-agent"]?.startsWith("DiscordBot (") !== true)
      return send(403, { message: "no user agent", code: 40_333 });
    calls.push(call);
    const body = await readText(request);
    const fault = faults.get(call)?.shift();
    if (fault?.kind === "limit") return tooMany(fault.seconds * 1_000, fault.scope ?? "user");
    if (fault?.kind === "status") return send(fault.status, { message: "fault" });
    if (fault?.kind === "error") return send(fault.status, { message: fault.message, code: fault.code });
    const [, ...parts] = pattern.exec(path) ?? [];
    const { headers, retryMs } = limited(call, parts[0] ?? "");
    if (retryMs > 0) return tooMany(retryMs, "user", headers);
    try {
      tapped(call, "before");
      const result = answer(call, parts, body === "" ? undefined : jsonOf(body), searchParams);
      tapped(call, "after");
      if (fault?.kind === "cut_after") return void request.socket.destroy();
      send(200, result, headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
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
    commands: () => commands,
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
        author: byBot === true ? { ...userOf(by), bot: true } : userOf(by),
        content: isTo ? `<@${BOT.id}> ${text}` : text,
        timestamp: new Date().toISOString(),
        edited_timestamp: edits === undefined || byDiscord === true ? null : new Date().toISOString(),
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
      if (!commands.includes(name)) throw new Error(`There is no command /${name}`);
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
    messages: (id) =>
      (channels.get(id)?.messages ?? [])
        .filter(({ author }) => author.id === BOT.id)
        .map(({ id: message, components, edits, pinged }) => ({
          id: message,
          text: look(components).text,
          markdown: textsOf(components).join("\n"),
          buttons: buttonsOf(components).map((one) => one.label),
          edits,
          pinged,
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
    forgetNonces: () => nonces.clear(),
    openThread(parent) {
      const id = newId();
      channels.set(id, { id, type: 11, guild: GUILD, parent, messages: [] });
      return id;
    },
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

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = schema.safeParse(body);
  if (!read.success) throw new Refusal(400, 50_035, `Invalid Form Body: ${z.prettifyError(read.error)}`);
  return read.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 50_109, "The request body contains invalid JSON.");
  }
}
