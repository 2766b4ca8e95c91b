import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { readForm, type SentFile } from "./read-form.ts";
import { readTelegramHtml } from "./telegram-html.ts";

export const TELEGRAM_BOT = { id: 4242, is_bot: true, first_name: "Deputy", username: "deputy_test_bot" };
const MAX_CHARS = 4_096;
const MAX_ENTITIES = 100;
const MAX_CALLBACK_BYTES = 64;
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

const chatId = z.number().int();
const keyboard = z.strictObject({
  inline_keyboard: z.array(
    z.array(z.strictObject({ text: z.string().min(1), callback_data: z.string().min(1) })).max(8),
  ),
});
const look = {
  parse_mode: z.literal("HTML").optional(),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
  reply_markup: keyboard.optional(),
};
/** In a form everything is text; a file is named by its field there. */
const upload = {
  chat_id: z.coerce.number().int(),
  message_thread_id: z.coerce.number().int().optional(),
  caption: z.string().optional(),
  parse_mode: z.literal("HTML").optional(),
};
/** What each method takes, and nothing else. */
export const TELEGRAM_METHODS = {
  getMe: z.strictObject({}),
  getUpdates: z.strictObject({
    offset: z.number().int().optional(),
    limit: z.number().int().min(1).max(100).optional(),
    timeout: z.number().int().min(0).max(50).optional(),
    allowed_updates: z.array(z.string()).optional(),
  }),
  setWebhook: z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    secret_token: z.string().regex(/^[\w-]{1,256}$/),
    max_connections: z.number().int().min(1).max(100).optional(),
    allowed_updates: z.array(z.string()).optional(),
  }),
  deleteWebhook: z.strictObject({ drop_pending_updates: z.boolean().optional() }),
  sendMessage: z.strictObject({
    chat_id: chatId,
    text: z.string(),
    message_thread_id: z.number().int().optional(),
    ...look,
  }),
  editMessageText: z.strictObject({
    chat_id: chatId,
    message_id: z.number().int(),
    text: z.string(),
    ...look,
  }),
  sendPhoto: z.strictObject({ ...upload, photo: z.string() }),
  sendDocument: z.strictObject({ ...upload, document: z.string() }),
  sendChatAction: z.strictObject({
    chat_id: chatId,
    action: z.enum(["typing"]),
    message_thread_id: z.number().int().optional(),
  }),
  answerCallbackQuery: z.strictObject({
    callback_query_id: z.string(),
    text: z.string().max(200).optional(),
  }),
  getFile: z.strictObject({ file_id: z.string() }),
} as const;
export type TelegramMethod = keyof typeof TELEGRAM_METHODS;
/** What was given to a method. */
export type TelegramParams<Method extends TelegramMethod> = z.infer<(typeof TELEGRAM_METHODS)[Method]>;
export type TelegramKeyboard = z.infer<typeof keyboard>["inline_keyboard"];

/** What Telegram answers instead of doing it. */
export class TelegramRefusal extends Error {
  readonly code: number;
  readonly retryAfter: number | undefined;
  constructor(code: number, description: string, retryAfter?: number) {
    super(description);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** A text as people see it. Throws what Telegram refuses. */
export function shownInTelegram(params: {
  readonly text: string;
  readonly reply_markup?: z.infer<typeof keyboard> | undefined;
  readonly parse_mode?: "HTML" | undefined;
}): { readonly html: string; readonly text: string; readonly keyboard: TelegramKeyboard } {
  const read =
    params.parse_mode === undefined
      ? { kind: "ok" as const, text: params.text, entities: 0 }
      : readTelegramHtml(params.text);
  if (read.kind === "wrong") throw new TelegramRefusal(400, `Bad Request: can't parse entities: ${read.why}`);
  const text = read.text.trim();
  if (text === "") throw new TelegramRefusal(400, "Bad Request: message text is empty");
  if (text.length > MAX_CHARS || read.entities > MAX_ENTITIES)
    throw new TelegramRefusal(400, "Bad Request: message is too long");
  const rows = params.reply_markup?.inline_keyboard ?? [];
  for (const { callback_data: data } of rows.flat())
    if (Buffer.byteLength(data) > MAX_CALLBACK_BYTES)
      throw new TelegramRefusal(400, "Bad Request: BUTTON_DATA_INVALID");
  return { html: params.text, text, keyboard: rows };
}

/** Files come as a form; the field for the file says which part it is. */
export async function readTelegramParams(
  request: IncomingMessage,
): Promise<{ readonly fields: unknown; readonly uploads: readonly SentFile[] }> {
  if (request.method === "GET") return { fields: {}, uploads: [] };
  if (request.headers["content-type"]?.startsWith("multipart/form-data") !== true)
    return { fields: await json(request), uploads: [] };
  const { fields, files } = await readForm(request);
  const named = new Set(Object.values(fields));
  return {
    fields,
    uploads: [...files].filter(([name]) => named.has(`attach://${name}`)).map(([, file]) => file),
  };
}
