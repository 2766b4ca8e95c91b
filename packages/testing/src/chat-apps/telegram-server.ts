import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { DeliveryFault } from "./delivery-fault.ts";
import type { SentFile } from "./read-form.ts";
import {
  MAX_FILE_BYTES,
  readTelegramParams,
  shownInTelegram,
  TELEGRAM_BOT as BOT,
  TELEGRAM_METHODS,
  type TelegramKeyboard,
  type TelegramMethod,
  type TelegramParams,
  TelegramRefusal,
} from "./telegram-rules.ts";
import { createTelegramUpdates } from "./telegram-updates.ts";

/**
 * Telegram's Bot API as its documentation describes it: methods, limits and refusals, long polling with offsets, and
 * nothing that it does not have. People are played by the test.
 */
export interface TelegramServer extends AsyncDisposable {
  readonly apiRoot: string;
  readonly token: string;
  /** Somebody says something to the bot; gives the message's number. */
  say(by: TelegramUser, text: string, more?: TelegramSaying): number;
  /** Somebody presses a button under a message of the bot's. Rejects if there is no such button; gives what was told. */
  press(by: TelegramUser, chat: number, message: number, label: string): Promise<string>;
  /** Somebody puts a sign under a message. It comes even if it was not asked for. */
  react(by: TelegramUser, chat: number, message: number): void;
  /** What a chat shows, in order, as people see it. */
  messages(chat: number): readonly TelegramShown[];
  /** Everything that was asked of it, in order. */
  readonly calls: readonly { readonly method: string; readonly chat?: number }[];
  /** The next call of that method meets this. */
  fail(method: string, how: TelegramFault): void;
  /** From now on every call meets a fault of the service's own, or none again. */
  storm(state: "begins" | "ends"): void;
  /**
   * From now on, this is told of each call of a method that does something: before anything is done, and after it is
   * done and not yet answered.
   */
  tap(on: Tap): void;
  /** What happens next comes with this fault. */
  upset(how: DeliveryFault): void;
  /** Its clock is that far off from now on. */
  skew(ms: number): void;
  /** From now on this person has blocked the bot. */
  block(user: number): void;
  unblock(user: number): void;
  /** From now on the token is another one. */
  revoke(): void;
}

/** `text` is that of a message, as it was sent; empty for other calls. */
export type Tap = (method: string, moment: "before" | "after", text: string) => void;

export interface TelegramUser {
  readonly id: number;
  readonly first_name: string;
  readonly is_bot?: boolean;
}

export interface TelegramSaying {
  /** A group and its topic; the private chat unless given. */
  readonly chat?: { readonly id: number; readonly type: "group" | "supergroup" };
  readonly topic?: number;
  readonly answers?: number;
  readonly edits?: number;
  readonly file?: {
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: Uint8Array;
    /** As the app's camera and microphone send it; a document unless given. */
    readonly as?: "photo" | "voice";
  };
}

export interface TelegramShown {
  readonly id: number;
  readonly text: string;
  readonly html: string;
  readonly buttons: readonly string[];
  readonly edits: number;
  readonly file?: SentFile | undefined;
}

/**
 * `cut_before`: the connection ends and nothing was done. `cut_after`: it was done, and the answer is lost. `garble`: it
 * was done, and something else comes as the answer.
 */
export type TelegramFault =
  | { readonly kind: "cut_before" | "cut_after" }
  | { readonly kind: "garble"; readonly body: string }
  | {
      readonly kind: "refuse";
      readonly code: number;
      readonly description: string;
      readonly retryAfter?: number;
    };

interface Stored {
  readonly id: number;
  /** Its topic. */
  readonly topic?: number | undefined;
  html: string;
  text: string;
  keyboard: TelegramKeyboard;
  edits: number;
  readonly file?: SentFile;
}

const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const MAX_CAPTION = 1_024;

const topicOf = (topic: number | undefined): object =>
  topic === undefined ? {} : { message_thread_id: topic, is_topic_message: true };

/** It was done, and nobody hears of it. */
class AnswerLost extends Error {}

export async function serveTelegram(): Promise<TelegramServer> {
  let token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
  const chats = new Map<number, Stored[]>();
  const blocked = new Set<number>();
  const files = new Map<string, { readonly path: string; readonly bytes: Uint8Array }>();
  const updates = createTelegramUpdates();
  const { push } = updates;
  const faults = new Map<string, TelegramFault[]>();
  const calls: { method: string; chat?: number }[] = [];
  const told = new Map<string, PromiseWithResolvers<string>>();
  let tapped: Tap = () => undefined;
  let isStorm = false;
  let nextMessage = 1;
  let skewMs = 0;
  const seconds = (): number => Math.floor((Date.now() + skewMs) / 1_000);
  let edited = 0;
  let nextQuery = 1;
  const chatOf = (id: number): Stored[] => {
    const chat = chats.get(id);
    // A bot cannot write to people who never wrote to it.
    if (chat === undefined) throw new TelegramRefusal(400, "Bad Request: chat not found");
    if (blocked.has(id)) throw new TelegramRefusal(403, "Forbidden: bot was blocked by the user");
    return chat;
  };
  const answer = async (
    method: TelegramMethod,
    params: never,
    gone: AbortSignal,
    uploads: readonly SentFile[],
  ): Promise<unknown> => {
    switch (method) {
      case "getMe":
        return {
          ...BOT,
          can_join_groups: true,
          can_read_all_group_messages: false,
          supports_inline_queries: false,
        };
      case "getUpdates": {
        const { updates: page, isLost } = await updates.poll(params, gone);
        if (isLost) throw new AnswerLost();
        return page;
      }
      case "setWebhook":
        updates.bringTo(params);
        return true;
      case "deleteWebhook":
        updates.bringTo(undefined);
        return true;
      case "sendMessage": {
        const { chat_id: chat, message_thread_id: topic, ...more } = params as TelegramParams<"sendMessage">;
        const stored: Stored = { id: nextMessage, topic, edits: 0, ...shownInTelegram(more) };
        chatOf(chat).push(stored);
        nextMessage += 1;
        return {
          message_id: stored.id,
          date: seconds(),
          chat: { id: chat, type: "private" },
          text: stored.text,
          from: BOT,
        };
      }
      case "sendPhoto":
      case "sendDocument": {
        const {
          chat_id: chat,
          caption = "",
          parse_mode,
        } = params as TelegramParams<"sendPhoto" | "sendDocument">;
        const [file] = uploads;
        if (file === undefined)
          throw new TelegramRefusal(400, "Bad Request: there is no file in the request");
        if (file.bytes.byteLength > (method === "sendPhoto" ? MAX_PICTURE_BYTES : MAX_UPLOAD_BYTES))
          throw new TelegramRefusal(413, "Request Entity Too Large");
        const look = shownInTelegram({ text: caption, parse_mode });
        if (look.text.length > MAX_CAPTION)
          throw new TelegramRefusal(400, "Bad Request: message caption is too long");
        const stored: Stored = { id: nextMessage, edits: 0, ...look, file };
        chatOf(chat).push(stored);
        nextMessage += 1;
        return { message_id: stored.id, date: seconds(), chat: { id: chat, type: "private" }, from: BOT };
      }
      case "editMessageText": {
        const { chat_id: chat, message_id: id, ...more } = params as TelegramParams<"editMessageText">;
        const stored = chatOf(chat).find((one) => one.id === id);
        if (stored === undefined) throw new TelegramRefusal(400, "Bad Request: message to edit not found");
        const now = shownInTelegram(more);
        if (now.html === stored.html && JSON.stringify(now.keyboard) === JSON.stringify(stored.keyboard))
          throw new TelegramRefusal(
            400,
            "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
          );
        Object.assign(stored, now, { edits: stored.edits + 1 });
        return {
          message_id: id,
          date: seconds(),
          chat: { id: chat, type: "private" },
          text: stored.text,
          from: BOT,
        };
      }
      case "sendChatAction":
        chatOf((params as TelegramParams<"sendChatAction">).chat_id);
        return true;
      case "answerCallbackQuery": {
        const { callback_query_id: id, text = "" } = params as TelegramParams<"answerCallbackQuery">;
        const waiting = told.get(id);
        if (waiting === undefined)
          throw new TelegramRefusal(
            400,
            "Bad Request: query is too old and response timeout expired or query ID is invalid",
          );
        told.delete(id);
        waiting.resolve(text);
        return true;
      }
      case "getFile": {
        const { file_id: id } = params as TelegramParams<"getFile">;
        const file = files.get(id);
        if (file === undefined) throw new TelegramRefusal(400, "Bad Request: invalid file_id");
        if (file.bytes.byteLength > MAX_FILE_BYTES)
          throw new TelegramRefusal(400, "Bad Request: file is too big");
        return { file_id: id, file_unique_id: id, file_size: file.bytes.byteLength, file_path: file.path };
      }
      default:
        throw new TelegramRefusal(404, "Not Found: method not found");
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader("date", new Date(Date.now() + skewMs).toUTCString());
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const [, bot = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const [, fileBot, path] = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.url ?? "") ?? [];
    if (fileBot === token) {
      const file = [...files.values()].find((one) => one.path === path);
      if (file === undefined) return send(404, { ok: false, error_code: 404, description: "Not Found" });
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(file.bytes);
      return;
    }
    if (bot !== token) return send(401, { ok: false, error_code: 401, description: "Unauthorized" });
    if (isStorm) return send(502, { ok: false, error_code: 502, description: "Bad Gateway" });
    const fault = faults.get(method)?.shift();
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const schema = (TELEGRAM_METHODS as Readonly<Record<string, z.ZodType>>)[method];
      if (schema === undefined) throw new TelegramRefusal(404, "Not Found: method not found");
      const { fields, uploads } = await readTelegramParams(request);
      const params = schema.safeParse(fields);
      if (!params.success) throw new TelegramRefusal(400, `Bad Request: ${z.prettifyError(params.error)}`);
      const { chat_id: chat } = params.data as { chat_id?: number };
      calls.push(chat === undefined ? { method } : { method, chat });
      if (fault?.kind === "cut_before") return void request.socket.destroy();
      if (fault?.kind === "refuse")
        throw new TelegramRefusal(fault.code, fault.description, fault.retryAfter);
      const { text = "" } = params.data as { text?: string };
      if (method !== "getUpdates") tapped(method, "before", text);
      const result = await answer(method as TelegramMethod, params.data as never, gone.signal, uploads);
      if (method !== "getUpdates" || (result as readonly unknown[]).length > 0) tapped(method, "after", text);
      if (fault?.kind === "cut_after") return void request.socket.destroy();
      if (fault?.kind === "garble") return void response.writeHead(200).end(fault.body);
      send(200, { ok: true, result });
    } catch (error) {
      if (error instanceof AnswerLost) return void request.socket.destroy();
      if (!(error instanceof TelegramRefusal)) throw error;
      const parameters =
        error.retryAfter === undefined ? {} : { parameters: { retry_after: error.retryAfter } };
      send(error.code, { ok: false, error_code: error.code, description: error.message, ...parameters });
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    apiRoot: `http://127.0.0.1:${port}`,
    get token() {
      return token;
    },
    calls,
    say(by, text, { chat = { id: by.id, type: "private" as never }, topic, answers, edits, file } = {}) {
      if (!chats.has(chat.id)) chats.set(chat.id, []);
      const id = edits ?? nextMessage++;
      const answered =
        answers === undefined ? undefined : (chats.get(chat.id) ?? []).find((one) => one.id === answers);
      const document = file === undefined ? {} : { ...fileOf(file), caption: text };
      push(edits === undefined ? "message" : "edited_message", {
        message_id: id,
        date: seconds(),
        chat,
        from: { is_bot: false, ...by },
        ...(file === undefined ? { text } : document),
        ...topicOf(topic),
        ...(edits === undefined ? {} : { edit_date: seconds() + ++edited }),
        ...(answered === undefined
          ? {}
          : { reply_to_message: { message_id: answered.id, from: BOT, chat, date: seconds() } }),
      });
      return id;
    },
    async press(by, chat, message, label) {
      const stored = chats.get(chat)?.find((one) => one.id === message);
      const button = stored?.keyboard.flat().find(({ text }) => text === label);
      if (button === undefined) throw new Error(`There is no button “${label}” under ${message}`);
      const id = `query-${nextQuery++}`;
      const waiting = Promise.withResolvers<string>();
      told.set(id, waiting);
      push("callback_query", {
        id,
        from: { is_bot: false, ...by },
        chat_instance: "1",
        data: button.callback_data,
        message: {
          message_id: message,
          date: seconds(),
          chat: { id: chat, type: chat < 0 ? "supergroup" : "private" },
          from: BOT,
          ...topicOf(stored?.topic),
        },
      });
      return await waiting.promise;
    },
    react: (by, chat, message) =>
      push("message_reaction", {
        chat: { id: chat, type: chat < 0 ? "supergroup" : "private" },
        message_id: message,
        user: { is_bot: false, ...by },
        date: seconds(),
        old_reaction: [],
        new_reaction: [{ type: "emoji", emoji: "👍" }],
      }),
    messages: (chat) =>
      (chats.get(chat) ?? []).map(({ id, text, html, keyboard: rows, edits, file }) => ({
        id,
        text,
        html,
        buttons: rows.flat().map((button) => button.text),
        edits,
        file,
      })),
    fail: (method, how) => void faults.set(method, [...(faults.get(method) ?? []), how]),
    storm: (state) => void (isStorm = state === "begins"),
    tap: (on) => void (tapped = on),
    block: (user) => void blocked.add(user),
    upset: updates.upset,
    skew: (ms) => void (skewMs = ms),
    unblock: (user) => void blocked.delete(user),
    revoke: () => void (token = `${token}x`),
    async [Symbol.asyncDispose]() {
      updates.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function fileOf({ name, mimeType, bytes, as }: NonNullable<TelegramSaying["file"]>): object {
    const id = `file-${files.size + 1}`;
    files.set(id, { path: `documents/${id}`, bytes });
    const file = { file_id: id, file_unique_id: id, file_size: bytes.byteLength };
    if (as === "voice") return { voice: { ...file, duration: 3, mime_type: mimeType } };
    if (as !== "photo") return { document: { ...file, file_name: name, mime_type: mimeType } };
    // The same picture in several sizes, the largest last.
    const small = { ...file, file_id: "thumbnail", file_size: 1, width: 90, height: 90 };
    return { photo: [small, { ...file, width: 1_280, height: 960 }] };
  }
}
