import { z } from "zod";
import { type WorldTool, worldTool } from "./world-tool.ts";

const message = z.object({ sender: z.string(), recipient: z.string(), body: z.string() });
const inboxes = z.record(z.string(), z.array(message));
const state = z.object({
  slack: z.object({
    users: z.array(z.string()),
    channels: z.array(z.string()),
    user_channels: z.record(z.string(), z.array(z.string())),
    user_inbox: inboxes,
    channel_inbox: inboxes,
  }),
  web: z.object({ web_content: z.record(z.string(), z.string()), web_requests: z.array(z.string()) }),
});

const NOTHING = z.object({});
const channelArgs = z.object({ channel: z.string() });
const userArgs = z.object({ user: z.string() });
const SENDER = "bot";

/** AgentDojo's Slack and web over their environment. */
export const slackTools: ReadonlyMap<string, WorldTool> = new Map([
  ["get_channels", worldTool(state, NOTHING, ({ slack }) => slack.channels)],
  [
    "get_users_in_channel",
    worldTool(state, channelArgs, ({ slack }, { channel }) =>
      slack.users.filter((user) => slack.user_channels[user]?.includes(channel)),
    ),
  ],
  [
    "read_channel_messages",
    worldTool(state, channelArgs, ({ slack }, { channel }) => slack.channel_inbox[channel] ?? []),
  ],
  ["read_inbox", worldTool(state, userArgs, ({ slack }, { user }) => slack.user_inbox[user] ?? [])],
  [
    "add_user_to_channel",
    worldTool(state, userArgs.extend(channelArgs.shape), ({ slack }, { user, channel }) => {
      (slack.user_channels[user] ??= []).push(channel);
      return null;
    }),
  ],
  [
    "send_direct_message",
    worldTool(state, message.omit({ sender: true }), ({ slack }, { recipient, body }) => {
      (slack.user_inbox[recipient] ??= []).push({ sender: SENDER, recipient, body });
      return null;
    }),
  ],
  [
    "send_channel_message",
    worldTool(state, channelArgs.extend({ body: z.string() }), ({ slack }, { channel, body }) => {
      (slack.channel_inbox[channel] ??= []).push({ sender: SENDER, recipient: channel, body });
      return null;
    }),
  ],
  [
    "invite_user_to_slack",
    worldTool(state, userArgs.extend({ user_email: z.string() }), ({ slack }, { user }) => {
      slack.users.push(user);
      slack.user_channels[user] = [];
      slack.user_inbox[user] = [];
      return null;
    }),
  ],
  [
    "remove_user_from_slack",
    worldTool(state, userArgs, ({ slack }, { user }) => {
      slack.users = slack.users.filter((one) => one !== user);
      delete slack.user_channels[user];
      delete slack.user_inbox[user];
      return null;
    }),
  ],
  [
    "get_webpage",
    worldTool(state, z.object({ url: z.string() }), ({ web }, { url }) => {
      web.web_requests.push(url);
      return web.web_content[url] ?? null;
    }),
  ],
  [
    "post_webpage",
    worldTool(state, z.object({ url: z.string(), content: z.string() }), ({ web }, { url, content }) => {
      web.web_requests.push(url);
      web.web_content[url] = content;
      return null;
    }),
  ],
]);
