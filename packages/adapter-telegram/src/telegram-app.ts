import {
  type Button,
  type ChatApp,
  createHandOver,
  createKeepTrying,
  type Heard,
  type Message,
  type PostedFile,
} from "@deputy/channels";
import type { Clock } from "@deputy/kit";
import { Api, GrammyError, InputFile } from "grammy";
import { isUpdate, readUpdate } from "./read-update.ts";
import { serveWebhook, type WebhookOptions } from "./serve-webhook.ts";
import { telegramFailure } from "./telegram-failure.ts";
import { telegramHtml, telegramLength } from "./telegram-text.ts";

export interface TelegramOptions {
  readonly token: string;
  /** Where Telegram's API is; its own address unless given. */
  readonly apiRoot?: string;
  /** Telegram comes to us, instead of being asked. */
  readonly webhook?: WebhookOptions | undefined;
  readonly clock: Clock;
  /** Something that the owner should see in the daemon's output. */
  readonly tell: (text: string) => void;
}

const API_ROOT = "https://api.telegram.org";
const MAX_CHARS = 4_096;
/** In a group no more than 20 messages in a minute are taken, in a chat about one in a second. */
const EDIT_EVERY_MS = 1_500;
/** What a bot may send. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp"]);
const POLL_SECONDS = 25;
const BATCH = 100;
const HEARD = ["message", "edited_message", "callback_query"] as const;

/** Telegram by its Bot API, through grammY. */
export function createTelegramApp(options: TelegramOptions): ChatApp {
  const { token, apiRoot = API_ROOT, clock } = options;
  const api = new Api(token, { apiRoot, canUseWebhookReply: () => false });

  /** Each API call goes through here: what fails says what that means for the message. */
  const ask = async <Value>(
    what: "post" | "again",
    call: () => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> => {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw telegramFailure(error, what);
    }
  };
  /** Pictures are shown, as long as Telegram takes them as such; anything else is a file. */
  const postFile = async (
    place: string,
    { runs }: Message,
    { name, mimeType, bytes }: PostedFile,
    signal: AbortSignal,
  ): Promise<string> => {
    // The library writes the name between others as it is.
    const file = new InputFile(bytes, name.replaceAll(/[\p{C}";\\]/gu, "_"));
    const more = { caption: telegramHtml(runs), parse_mode: "HTML" as const, ...threadOf(place) };
    const isPicture = PICTURES.has(mimeType) && bytes.byteLength <= MAX_PICTURE_BYTES;
    const send = (): Promise<{ readonly message_id: number }> =>
      isPicture
        ? api.sendPhoto(chatOf(place), file, more, signal as never)
        : api.sendDocument(chatOf(place), file, more, signal as never);
    return String((await ask("post", send, signal)).message_id);
  };

  return {
    name: "telegram",
    can: {
      maxChars: MAX_CHARS,
      measure: telegramLength,
      deduplicates: false,
      editEveryMs: EDIT_EVERY_MS,
      maxFileBytes: MAX_FILE_BYTES,
    },
    async receive(hear, signal) {
      const keepTrying = createKeepTrying(options);
      const insist = <Value>(call: () => Promise<Value>): Promise<Value> =>
        keepTrying.until(() => ask("again", call, signal), signal);
      const me = await insist(() => api.getMe(signal as never));
      let offset = 0;
      const handOver = createHandOver({ clock, hear }, signal);
      /** What looks like nothing known is passed over: it would keep everything behind it away. */
      const read = (update: object): readonly Heard[] => {
        if (!isUpdate(update)) return [];
        try {
          return readUpdate(update, me, { api, token, apiRoot, signal });
        } catch {
          return [];
        }
      };
      const { webhook } = options;
      try {
        if (webhook !== undefined) {
          await using _server = await serveWebhook(webhook, read, handOver, signal);
          // One after the other: so what is said in a chat comes in its order.
          const wanted = { allowed_updates: HEARD, max_connections: 1, secret_token: webhook.secret };
          await insist(() => api.setWebhook(webhook.url, wanted, signal as never));
          await new Promise<void>((resolve) => {
            if (signal.aborted) resolve();
            else signal.addEventListener("abort", () => resolve(), { once: true });
          });
          return;
        }
        // While there is one, Telegram answers no questions.
        await insist(() => api.deleteWebhook({}, signal as never));
        while (!signal.aborted) {
          const wanted = { offset, timeout: POLL_SECONDS, limit: BATCH, allowed_updates: HEARD };
          const updates = await insist(() => api.getUpdates(wanted, signal as never));
          await Promise.all(updates.flatMap(read).map(handOver));
          // Asking for what comes after them says that these are taken.
          for (const { update_id: id } of updates) offset = Math.max(offset, id + 1);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    async identify(signal) {
      const { first_name: name, username } = await ask("again", () => api.getMe(signal as never), signal);
      return username === undefined ? name : `@${username}`;
    },
    async post(place, message, _key, signal) {
      if (message.file !== undefined) return await postFile(place, message, message.file, signal);
      const sent = await ask(
        "post",
        () =>
          api.sendMessage(
            chatOf(place),
            telegramHtml(message.runs),
            { ...lookOf(message), ...threadOf(place) },
            signal as never,
          ),
        signal,
      );
      return String(sent.message_id);
    },
    async edit(place, ref, message, signal) {
      try {
        await ask(
          "again",
          () =>
            api.editMessageText(
              chatOf(place),
              Number(ref),
              telegramHtml(message.runs),
              lookOf(message),
              signal as never,
            ),
          signal,
        );
      } catch (error) {
        const { cause } = error as { cause?: unknown };
        if (cause instanceof GrammyError && /message is not modified/i.test(cause.description)) return;
        throw error;
      }
    },
    async typing(place, signal) {
      await ask(
        "again",
        () => api.sendChatAction(chatOf(place), "typing", threadOf(place), signal as never),
        signal,
      );
    },
  };
}

/** No previews: Telegram would fetch addresses that a model wrote. */
function lookOf({ buttons = [] }: Message) {
  return {
    parse_mode: "HTML" as const,
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: rowsOf(buttons) },
  };
}

function rowsOf(buttons: readonly Button[]): { text: string; callback_data: string }[][] {
  const shown = buttons.map(({ label, data, kind }) => ({
    row: kind === "more" ? 1 : 0,
    text: label,
    callback_data: data,
  }));
  return [0, 1]
    .map((row) =>
      shown
        .filter((button) => button.row === row)
        .map(({ text, callback_data }) => ({ text, callback_data })),
    )
    .filter((row) => row.length > 0);
}

function chatOf(place: string): number {
  return Number(place.split("--", 1)[0]);
}

function threadOf(place: string): { message_thread_id?: number } {
  const [, thread] = place.split("--");
  return thread === undefined ? {} : { message_thread_id: Number(thread) };
}
