import {
  DISCORD_APPLICATION,
  type DiscordChannel,
  type DiscordChannels,
  discordUser,
  type StoredMessage,
} from "./discord-channels.ts";
import type { DiscordGateway } from "./discord-gateway.ts";
import { DiscordRefusal } from "./discord-rules.ts";

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly by: string;
  readonly channel: DiscordChannel;
  readonly at: number;
  readonly reason: string;
  readonly message?: StoredMessage;
  readonly told: PromiseWithResolvers<string>;
  isAnswered: boolean;
}

export type DiscordInteractions = ReturnType<typeof createDiscordInteractions>;

/** What people do with buttons, forms and commands, and who still waits for an answer. */
export function createDiscordInteractions(deps: {
  readonly newId: () => string;
  readonly dispatch: DiscordGateway["dispatch"];
  readonly messageOf: DiscordChannels["messageOf"];
}) {
  const { newId, dispatch, messageOf } = deps;
  const interactions = new Map<string, Interaction>();
  const interactionOf = (id: string, secret: string): Interaction => {
    const found = interactions.get(id);
    if (found?.token !== secret) throw new DiscordRefusal(404, 10_062, "Unknown interaction");
    return found;
  };
  const byToken = (secret: string): Interaction => {
    const found = [...interactions.values()].find((one) => one.token === secret);
    if (found === undefined || !found.isAnswered) throw new DiscordRefusal(404, 10_015, "Unknown Webhook");
    return found;
  };
  const happen = (
    type: 2 | 3 | 5,
    data: object,
    more: Pick<Interaction, "by" | "channel" | "reason" | "told"> & {
      message?: StoredMessage;
      context?: number;
    },
  ): void => {
    const { by, channel, message, context } = more;
    const interaction: Interaction = {
      id: newId(),
      token: `interaction-${newId()}`,
      at: Date.now(),
      isAnswered: false,
      ...more,
    };
    interactions.set(interaction.id, interaction);
    const who =
      channel.guild === undefined
        ? { user: discordUser(by) }
        : { guild_id: channel.guild, member: { user: discordUser(by), permissions: "0" } };
    dispatch(
      "INTERACTION_CREATE",
      {
        id: interaction.id,
        application_id: DISCORD_APPLICATION,
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

  return { interactionOf, byToken, happen };
}
