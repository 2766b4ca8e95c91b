// Strict fakes of the services behind chat apps, and what every chat app must do.
export { describeChatApp } from "./chat-app-conformance.ts";
export type { ChatAppHarness, HarnessSaying, PostFault } from "./chat-app-harness.ts";
export {
  serveTelegram,
  type TelegramFault,
  type TelegramServer,
  type TelegramShown,
  type TelegramUser,
} from "./telegram-server.ts";
export { readTelegramHtml } from "./telegram-html.ts";
export {
  directChannel,
  serveSlack,
  type SlackFault,
  type SlackServer,
  type SlackShown,
} from "./slack-server.ts";
export { discordChat } from "./discord-channels.ts";
export { type DiscordFault, type DiscordServer, type DiscordShown, serveDiscord } from "./discord-server.ts";
export { readDiscordMarkdown } from "./discord-markdown.ts";
export { drawChat, type DrawnApp } from "./draw-chat.ts";
