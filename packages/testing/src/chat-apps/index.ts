// Strict fakes of the services behind chat apps.
export {
  serveTelegram,
  type TelegramFault,
  type TelegramServer,
  type TelegramShown,
  type TelegramUser,
} from "./telegram-server.ts";
export { readTelegramHtml } from "./telegram-html.ts";
