import { readDiscordMarkdown } from "./discord-markdown.ts";
import type { SentFile } from "./read-form.ts";
import { type DiscordComponent, DiscordRefusal, textsOf } from "./discord-rules.ts";

export interface StoredMessage {
  readonly id: string;
  readonly author: object & { readonly id: string };
  readonly nonce?: string | number | undefined;
  /** As it is given out again, of what people wrote. */
  readonly said?: object;
  components: DiscordComponent[];
  edits: number;
  pinged: readonly string[];
  readonly file?: SentFile;
}

export interface DiscordChannel {
  readonly id: string;
  readonly type: 0 | 1 | 11;
  readonly guild?: string;
  readonly parent?: string;
  readonly messages: StoredMessage[];
}

export const DISCORD_BOT = {
  id: "900000000000000001",
  username: "deputy",
  discriminator: "0",
  bot: true,
  avatar: null,
};
export const DISCORD_APPLICATION = "900000000000000001";
export const DISCORD_GUILD = "700000000000000001";

/** The chat of one person with the bot. */
export const discordChat = (user: string): string => `5${user.slice(1)}`;

/** People as Discord describes them. */
export const discordUser = (id: string) => ({
  id,
  username: `user${id}`,
  discriminator: "0",
  global_name: `Person ${id}`,
  avatar: null,
});

export type DiscordChannels = ReturnType<typeof createDiscordChannels>;

/** The channels of a server and the chats of people with the bot, and what was written there. */
export function createDiscordChannels(newId: () => string, now: () => Date) {
  const channels = new Map<string, DiscordChannel>();
  const channelOf = (id: string): DiscordChannel => {
    const channel = channels.get(id);
    if (channel === undefined) throw new DiscordRefusal(404, 10_003, "Unknown Channel");
    return channel;
  };
  const openChannel = (id: string, by: string): DiscordChannel => {
    const isDirect = id === discordChat(by);
    const channel = channels.get(id) ?? {
      id,
      messages: [],
      ...(isDirect ? { type: 1 as const } : { type: 0 as const, guild: DISCORD_GUILD }),
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
  const messageOf = (channel: DiscordChannel, stored: StoredMessage): object =>
    stored.said ?? {
      id: stored.id,
      channel_id: channel.id,
      author: stored.author,
      content: "",
      components: stored.components,
      type: 0,
      timestamp: now().toISOString(),
      edited_timestamp: null,
      attachments: [],
      embeds: [],
      mentions: [],
      mention_roles: [],
      flags: 1 << 15,
    };

  return {
    find: (id: string) => channels.get(id),
    channelOf,
    openChannel,
    look,
    pingedBy,
    messageOf,
    openThread(parent: string): string {
      const id = newId();
      channels.set(id, { id, type: 11, guild: DISCORD_GUILD, parent, messages: [] });
      return id;
    },
  };
}
