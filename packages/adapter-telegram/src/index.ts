// Telegram as a chat app of Deputy's. What all chat apps have in common is in @deputy/channels.
export { createTelegramApp, type TelegramOptions } from "./telegram-app.ts";
