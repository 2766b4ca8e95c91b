import type { SlackButton } from "./slack-rules.ts";

interface How {
  readonly channel: string;
  readonly thread: string | undefined;
  readonly byBot: true | undefined;
  readonly mentions: boolean;
  /** The message that it changes. */
  readonly edits: string | undefined;
  readonly file?: {
    readonly id: string;
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: Uint8Array;
    readonly url: string;
  };
}

/** What people do in Slack, as Slack tells an app of it. */
export const slackEvents = {
  /** Where Deputy is mentioned in a channel, Slack tells of it twice. */
  said(
    { by, text, ts, bot, stamp }: { by: string; text: string; ts: string; bot: string; stamp: () => string },
    { channel, thread, byBot, mentions, edits, file }: How,
  ): readonly object[] {
    const said = {
      user: by,
      text: mentions ? `<@${bot}> ${escapeText(text)}` : escapeText(text),
      ts,
      ...(thread !== undefined && { thread_ts: thread }),
      ...(byBot === true && { bot_id: "B2" }),
      ...(file !== undefined && {
        files: [
          {
            id: file.id,
            name: file.name,
            mimetype: file.mimeType,
            size: file.bytes.byteLength,
            url_private_download: file.url,
          },
        ],
      }),
    };
    const event =
      edits === undefined
        ? { ...said, ...(file !== undefined && { subtype: "file_share" }) }
        : {
            subtype: "message_changed",
            ts: stamp(),
            message: { ...said, edited: { user: by, ts: stamp() } },
          };
    const where = { channel, channel_type: channel.startsWith("D") ? "im" : "channel" };
    return [
      { type: "message", ...event, ...where },
      ...(mentions ? [{ type: "app_mention", ...said, channel }] : []),
    ];
  },
  pressed(
    { by, trigger, at }: { by: string; trigger: string; at: string },
    { channel, ts, thread }: { channel: string; ts: string; thread: string | undefined },
    button: SlackButton,
  ): object {
    return {
      type: "block_actions",
      trigger_id: trigger,
      user: { id: by, name: by.toLowerCase() },
      channel: { id: channel },
      message: { ts, ...(thread !== undefined && { thread_ts: thread }) },
      actions: [{ action_id: button.actionId, value: button.value, action_ts: at, type: "button" }],
    };
  },
  command(by: string, text: string, trigger: string): object {
    return {
      command: "/deputy",
      text,
      user_id: by,
      user_name: by.toLowerCase(),
      channel_id: "C9",
      trigger_id: trigger,
    };
  },
  openedHome(by: string, channel: string, at: string): object {
    return { type: "app_home_opened", user: by, channel, tab: "home", event_ts: at };
  },
  reacted(by: string, bot: string, { channel, ts, at }: { channel: string; ts: string; at: string }): object {
    return {
      type: "reaction_added",
      user: by,
      reaction: "white_check_mark",
      item_user: bot,
      item: { type: "message", channel, ts },
      event_ts: at,
    };
  },
};

/** People's own signs come escaped; a mention of somebody does not. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
