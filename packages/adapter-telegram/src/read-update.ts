import { ChannelsError, type Heard, type HeardFile } from "@deputy/channels";
import type { Api } from "grammy";
import { z } from "zod";
import { telegramFailure } from "./telegram-failure.ts";

export type Update = Awaited<ReturnType<Api["getUpdates"]>>[number];
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

/** False for what looks like nothing known. */
export function isUpdate(update: object): update is Update {
  return updateSchema.safeParse(update).success;
}

interface Reading {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot: string;
  readonly signal: AbortSignal;
}

/** What people have done, as an update tells it; nothing for what is not for Deputy. Throws for what is no update. */
export function readUpdate(
  update: Update,
  me: { readonly id: number; readonly username?: string },
  reading: Reading,
): readonly Heard[] {
  const { callback_query: query } = update;
  if (query !== undefined) {
    const { message, data, from } = query;
    if (message === undefined || data === undefined || from.is_bot) return [];
    const where = whereOf(message.chat, topicOf(message), from.id);
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
  return [
    {
      kind: "said",
      id: `m${message.chat.id}.${message.message_id}${edited}`,
      ...whereOf(message.chat, topicOf(message), message.from.id),
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

/** Answers to a message are a thread of their own in Telegram, and no topic. */
function topicOf(message: object): number | undefined {
  const { is_topic_message: isTopic, message_thread_id: thread } = message as Partial<TelegramMessage>;
  return isTopic === true ? thread : undefined;
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
    throw error instanceof ChannelsError ? error : telegramFailure(error, "again");
  }
}
