// Discord as a chat app of Deputy's. What all chat apps have in common is in @deputy/channels.
export { createDiscordApp, type DiscordOptions } from "./discord-app.ts";
export type { Kept } from "./progress.ts";
