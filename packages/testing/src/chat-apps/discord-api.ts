import {
  DISCORD_APPLICATION,
  DISCORD_BOT,
  type DiscordChannels,
  type StoredMessage,
} from "./discord-channels.ts";
import type { DiscordInteractions } from "./discord-interactions.ts";
import type { SentFile } from "./read-form.ts";
import { readDiscordMarkdown } from "./discord-markdown.ts";
import { discordBodies, DiscordRefusal, readDiscordBody, uploadsIn } from "./discord-rules.ts";

export const DISCORD_ROUTES = [
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
export type DiscordCall = (typeof DISCORD_ROUTES)[number][0];

const ANSWER_MS = 3_000;
const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

/** What Discord does and answers for each call. Throws a `DiscordRefusal` for what it does not take. */
export function createDiscordApi(deps: {
  readonly newId: () => string;
  readonly channels: DiscordChannels;
  readonly interactions: DiscordInteractions;
  readonly gatewayUrl: () => string;
}) {
  const { newId, gatewayUrl } = deps;
  const { channelOf, messageOf, pingedBy } = deps.channels;
  const { interactionOf, byToken, happen } = deps.interactions;
  const nonces = new Map<string, StoredMessage>();
  let registered: readonly string[] = [];
  const answer = (
    call: DiscordCall,
    [one = "", two = ""]: readonly string[],
    body: unknown,
    query: URLSearchParams,
    uploads: readonly SentFile[],
  ): unknown => {
    switch (call) {
      case "GET me":
        return DISCORD_BOT;
      case "GET application":
        return { id: DISCORD_APPLICATION, name: "Deputy", flags: 0 };
      case "GET gateway":
        return {
          url: gatewayUrl(),
          shards: 1,
          session_start_limit: { total: 1_000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
        };
      case "PUT commands": {
        if (one !== DISCORD_APPLICATION)
          throw new DiscordRefusal(
            403,
            20_012,
            "You are not authorized to perform this action on this application",
          );
        const read = readDiscordBody(discordBodies.commands, body);
        registered = read.map(({ name }) => name);
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
        if (!(count >= 1 && count <= 100)) throw new DiscordRefusal(400, 50_035, "Invalid Form Body");
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
        } = readDiscordBody(discordBodies.create, body);
        const key = `${one} ${nonce}`;
        const before = isOnce === true && nonce !== undefined ? nonces.get(key) : undefined;
        if (before !== undefined) return messageOf(channel, before);
        const shown = uploadsIn(components);
        const [file] = uploads;
        if (uploads.some(({ bytes }) => bytes.byteLength > MAX_UPLOAD_BYTES))
          throw new DiscordRefusal(413, 40_005, "Request entity too large");
        if (shown.join() !== uploads.map(({ name }) => name).join())
          throw new DiscordRefusal(
            400,
            50_035,
            "Invalid Form Body: the uploads are not those that are shown",
          );
        const stored: StoredMessage = {
          ...(file !== undefined && { file }),
          id: newId(),
          author: DISCORD_BOT,
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
        if (stored === undefined) throw new DiscordRefusal(404, 10_008, "Unknown Message");
        if (stored.author.id !== DISCORD_BOT.id)
          throw new DiscordRefusal(403, 50_005, "Cannot edit a message authored by another user");
        const { components = [] } = readDiscordBody(discordBodies.edit, body);
        Object.assign(stored, { components, edits: stored.edits + 1 });
        return messageOf(channel, stored);
      }
      case "POST typing":
        channelOf(one);
        return undefined;
      case "POST callback": {
        const interaction = interactionOf(one, two);
        if (interaction.isAnswered)
          throw new DiscordRefusal(400, 40_060, "Interaction has already been acknowledged.");
        if (Date.now() - interaction.at > ANSWER_MS)
          throw new DiscordRefusal(404, 10_062, "Unknown interaction");
        const read = readDiscordBody(discordBodies.callback, body);
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
        const { content = "" } = readDiscordBody(discordBodies.followUp, body);
        byToken(two).told.resolve(readDiscordMarkdown(content).text);
        return { id: newId() };
      }
      default:
        byToken(two).told.resolve("");
        return undefined;
    }
  };

  return { answer, commands: () => registered, forgetNonces: () => nonces.clear() };
}
