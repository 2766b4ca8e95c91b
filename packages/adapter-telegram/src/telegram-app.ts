import {
  type Button,
  ChannelsError,
  type ChatApp,
  createHandOver,
  createKeepTrying,
  type Heard,
  type HeardFile,
  type Message,
} from "@deputy/channels";
import type { Clock } from "@deputy/kit";
import { Api, GrammyError, HttpError } from "grammy";
import { z } from "zod";
import { serveWebhook, type WebhookOptions } from "./serve-webhook.ts";
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
const POLL_SECONDS = 25;
const BATCH = 100;
const HEARD = ["message", "edited_message", "callback_query"] as const;

type Update = Awaited<ReturnType<Api["getUpdates"]>>[number];
type TelegramMessage = NonNullable<Update["message"]>;

const personSchema = z.looseObject({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
});
const messageSchema = z.looseObject({
  message_id: z.int(),
  chat: z.looseObject({ id: z.int(), type: z.string() }),
  from: personSchema.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  edit_date: z.int().optional(),
  message_thread_id: z.int().optional(),
});
/** What Deputy relies on in an update. */
const updateSchema = z.looseObject({
  message: messageSchema.optional(),
  edited_message: messageSchema.optional(),
  callback_query: z
    .looseObject({
      id: z.string(),
      from: personSchema,
      data: z.string().optional(),
      message: messageSchema.optional(),
    })
    .optional(),
});

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
      throw failureOf(error, what);
    }
  };
  return {
    name: "telegram",
    can: { maxChars: MAX_CHARS, measure: telegramLength, deduplicates: false, editEveryMs: EDIT_EVERY_MS },
    async receive(hear, signal) {
      const keepTrying = createKeepTrying(options);
      const insist = <Value>(call: () => Promise<Value>): Promise<Value> =>
        keepTrying.until(() => ask("again", call, signal), signal);
      const me = await insist(() => api.getMe(signal as never));
      let offset = 0;
      const handOver = createHandOver({ clock, hear }, signal);
      /** What looks like nothing known is passed over: it would keep everything behind it away. */
      const read = (update: object): readonly Heard[] => {
        if (!updateSchema.safeParse(update).success) return [];
        try {
          return readUpdate(update as Update, me, { api, token, apiRoot, signal });
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

interface Reading {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot: string;
  readonly signal: AbortSignal;
}

function readUpdate(
  update: Update,
  me: { readonly id: number; readonly username?: string },
  reading: Reading,
): readonly Heard[] {
  const { callback_query: query } = update;
  if (query !== undefined) {
    const { message, data, from } = query;
    if (message === undefined || data === undefined || from.is_bot) return [];
    const where = whereOf(
      message.chat,
      "message_thread_id" in message ? message.message_thread_id : undefined,
      from.id,
    );
    const tell = async (text: string): Promise<void> => {
      await reading.api
        .answerCallbackQuery(query.id, { text: text.slice(0, 200) }, reading.signal as never)
        .catch(() => undefined);
    };
    return [
      {
        kind: "pressed",
        id: `q${query.id}`,
        ...where,
        by: personOf(from),
        data,
        ref: String(message.message_id),
        tell,
      },
    ];
  }
  const message = update.message ?? update.edited_message;
  if (message?.from === undefined || message.from.is_bot) return [];
  const isGroup = message.chat.type !== "private";
  const said = message.text ?? message.caption ?? "";
  if (isGroup && !isForUs(message, said, me)) return [];
  const files = filesOf(message, reading);
  if (said === "" && files.length === 0) return [];
  const edited = update.edited_message === undefined ? "" : `e${message.edit_date ?? 0}`;
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  return [
    {
      kind: "said",
      id: `m${message.chat.id}.${message.message_id}${edited}`,
      ...whereOf(message.chat, topic, message.from.id),
      by: personOf(message.from),
      ...(message.reply_to_message?.from?.id === me.id && {
        answers: String(message.reply_to_message.message_id),
      }),
      text: edited === "" ? withoutName(said, me) : `I meant: ${withoutName(said, me)}`,
      files,
    },
  ];
}

/** In a group only what is said to Deputy: a command, its name, or an answer to what it said. */
function isForUs(
  message: TelegramMessage,
  said: string,
  me: { readonly id: number; readonly username?: string },
): boolean {
  if (message.reply_to_message?.from?.id === me.id) return true;
  if (me.username === undefined) return said.startsWith("/");
  const [word = ""] = said.split(/\s/, 1);
  const [, addressed] = word.split("@");
  if (word.startsWith("/"))
    return addressed === undefined || addressed.toLowerCase() === me.username.toLowerCase();
  return said.toLowerCase().includes(`@${me.username.toLowerCase()}`);
}

function withoutName(said: string, { username = "" }: { readonly username?: string }): string {
  return username === "" ? said : said.replace(new RegExp(`@${username}\\b`, "gi"), "").trim();
}

function whereOf(
  chat: { readonly id: number; readonly type: string },
  topic: number | undefined,
  from: number,
) {
  if (chat.type === "private") return { place: String(from) };
  return { place: topic === undefined ? String(chat.id) : `${chat.id}--${topic}`, group: String(chat.id) };
}

function personOf(from: {
  readonly id: number;
  readonly first_name: string;
  readonly last_name?: string | undefined;
}) {
  return { id: String(from.id), name: [from.first_name, from.last_name ?? ""].join(" ").trim() };
}

function filesOf(message: TelegramMessage, reading: Reading): readonly HeardFile[] {
  const photo = message.photo?.at(-1);
  const found = [
    photo && {
      file_id: photo.file_id,
      file_size: photo.file_size,
      mime_type: "image/jpeg",
      file_name: "photo.jpg",
    },
    message.document,
    message.voice && { ...message.voice, file_name: "voice.ogg" },
    message.audio,
    message.video,
    message.video_note && { ...message.video_note, mime_type: "video/mp4", file_name: "video.mp4" },
  ];
  return found.flatMap((file) => {
    if (file === undefined) return [];
    const {
      file_id: id,
      file_size: size,
      mime_type: mimeType = "application/octet-stream",
      file_name: name = "file",
    } = file;
    return [{ name, mimeType, ...(size === undefined ? {} : { size }), read: () => download(id, reading) }];
  });
}

async function download(
  id: string,
  { api, token, apiRoot, signal }: Reading,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { file_path: path } = await api.getFile(id, signal as never);
    const answer = await fetch(`${apiRoot}/file/bot${token}/${path ?? ""}`, { signal });
    if (!answer.ok) throw new ChannelsError("refused", `Telegram does not give it (${answer.status})`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ChannelsError ? error : failureOf(error, "again");
  }
}

/** A connection that was never made has sent nothing. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Messages never have the address, which has the token in it. */
function failureOf(error: unknown, what: "post" | "again"): ChannelsError {
  const unsure = what === "post" ? "unknown" : "not_sent";
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    const options = { cause: error };
    // What answered was not Telegram.
    if (typeof code !== "number") return new ChannelsError(unsure, "Telegram cannot be reached", options);
    if (code === 429) {
      const retryAfterMs = (parameters.retry_after ?? 1) * 1_000;
      return new ChannelsError("not_sent", "Telegram wants fewer messages", { ...options, retryAfterMs });
    }
    if (code === 401 || code === 404)
      return new ChannelsError("refused", "Telegram does not accept the token", {
        ...options,
        hint: "@BotFather shows the bot's current token: `deputy channels add telegram` takes it.",
      });
    if (code === 403)
      return new ChannelsError("gone", "They have blocked the bot, or it may not write there", options);
    if (code === 409)
      return new ChannelsError("not_sent", "Another program uses the same bot", {
        ...options,
        retryAfterMs: 5_000,
      });
    if (code >= 500) return new ChannelsError(unsure, `Telegram has a problem of its own (${code})`, options);
    const isGone = /chat not found|message to edit not found|thread not found/i.test(description);
    return new ChannelsError(
      isGone ? "gone" : "refused",
      `Telegram does not take it: ${description}`,
      options,
    );
  }
  const cause = error instanceof HttpError ? (error.error as { readonly code?: string }) : undefined;
  const isNotSent = NOT_CONNECTED.has(cause?.code ?? "");
  return new ChannelsError(isNotSent ? "not_sent" : unsure, "Telegram cannot be reached", { cause: error });
}
