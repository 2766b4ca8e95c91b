import type { HeardFile, Pressed, Said } from "@deputy/channels";
import { z } from "zod";

const userSchema = z.object({
  id: z.string(),
  username: z.string().default(""),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
});
const messageSchema = z.object({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  author: userSchema,
  webhook_id: z.string().optional(),
  content: z.string().default(""),
  edited_timestamp: z.string().nullish(),
  mentions: z.array(userSchema).default([]),
  referenced_message: z.object({ id: z.string(), author: userSchema }).nullish(),
  attachments: z
    .array(
      z.object({
        filename: z.string().default("file"),
        content_type: z.string().optional(),
        size: z.number().optional(),
        url: z.string(),
      }),
    )
    .default([]),
});
const interactionSchema = z.object({
  id: z.string(),
  token: z.string(),
  application_id: z.string(),
  guild_id: z.string().optional(),
  /** 0: in a server, 1: with Deputy alone, 2: elsewhere, among other people. */
  context: z.int().nullish(),
  channel: z.object({ id: z.string(), type: z.int(), parent_id: z.string().nullish() }),
  member: z.object({ user: userSchema }).optional(),
  user: userSchema.optional(),
});
const commandSchema = interactionSchema.extend({
  type: z.literal(2),
  data: z.object({
    name: z.string(),
    options: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
  }),
});
const pressedSchema = interactionSchema.extend({
  type: z.literal(3),
  data: z.object({ custom_id: z.string() }),
  message: z.object({ id: z.string() }),
});
const submittedSchema = interactionSchema.extend({
  type: z.literal(5),
  data: z.object({
    custom_id: z.string(),
    components: z.array(z.object({ component: z.object({ value: z.string().default("") }).optional() })),
  }),
});

/** An interaction must be answered within three seconds, with its token. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly application: string;
}

export type SaidInDiscord = Omit<Said, "files" | "group"> & { readonly files: readonly DiscordFile[] };
export type PressedInDiscord = Omit<Pressed, "tell">;
export type DiscordFile = Omit<HeardFile, "read"> & { readonly url: string };

/** What has happened in Discord, before it is known what to do with it. */
export type Happened =
  /** `shared`: in a server; in which of its channels is to be found out. */
  | {
      readonly kind: "said";
      readonly said: SaidInDiscord;
      readonly message: string;
      readonly shared: boolean;
    }
  | { readonly kind: "command"; readonly said: Said; readonly interaction: Interaction }
  /** `asks`: for a reason first. */
  | {
      readonly kind: "pressed";
      readonly pressed: PressedInDiscord;
      readonly asks: boolean;
      readonly interaction: Interaction;
    }
  | { readonly kind: "nothing" };

const NOTHING: Happened = { kind: "nothing" };
const THREADS: ReadonlySet<number> = new Set([10, 11, 12]);
/** What people write, and what they answer to a message. All else is Discord's own. */
const WRITTEN: ReadonlySet<number> = new Set([0, 19]);

/** What a button says when it is pressed; a no asks for its reason first. */
export const buttonIds = {
  write: (data: string, kind: "asks" | "answers"): string => `${kind === "asks" ? "?" : "!"}${data}`,
  read: (id: string): { readonly data: string; readonly asks: boolean } | undefined =>
    /^[?!]/.test(id) ? { data: id.slice(1), asks: id.startsWith("?") } : undefined,
};

/** What a form must know when it comes back, also after a restart: under which message it was opened, and its button. */
export const formIds = {
  write: (ref: string, data: string): string => `${ref} ${data}`,
  read: (id: string): { readonly ref: string; readonly data: string } | undefined => {
    const [, ref, data] = /^(\d+) ([\s\S]+)$/.exec(id) ?? [];
    return ref === undefined || data === undefined ? undefined : { ref, data };
  },
};

/** `me` is Deputy's own id there. What does not look like anything known is nothing. */
export function readDispatch(type: string, data: unknown, me: string): Happened {
  if (type === "INTERACTION_CREATE") return readInteraction(data);
  if (type !== "MESSAGE_CREATE" && type !== "MESSAGE_UPDATE") return NOTHING;
  const read = messageSchema.safeParse(data);
  if (!read.success) return NOTHING;
  const { id, channel_id: place, guild_id: guild, author, content, mentions, ...message } = read.data;
  if (author.bot || author.id === me || message.webhook_id !== undefined || !WRITTEN.has(message.type))
    return NOTHING;
  const { edited_timestamp: editedAt, referenced_message: answered } = message;
  const isEdit = type === "MESSAGE_UPDATE";
  // Discord updates messages by itself, when it has looked at their links.
  if (isEdit && (editedAt === null || editedAt === undefined)) return NOTHING;
  const isAnswer = answered?.author.id === me;
  if (guild !== undefined && !isAnswer && !mentions.some((one) => one.id === me)) return NOTHING;
  const text = readText(content, mentions, me);
  const files = message.attachments.map(fileOf);
  if (text === "" && files.length === 0) return NOTHING;
  return {
    kind: "said",
    message: id,
    shared: guild !== undefined,
    said: {
      kind: "said",
      id: `m${place}.${id}${isEdit ? `e${Date.parse(editedAt ?? "")}` : ""}`,
      place,
      by: personOf(author),
      ...(isAnswer && { answers: answered.id }),
      text: isEdit ? `I meant: ${text}` : text,
      files,
    },
  };
}

function readInteraction(data: unknown): Happened {
  const read = z.discriminatedUnion("type", [commandSchema, pressedSchema, submittedSchema]).safeParse(data);
  if (!read.success) return NOTHING;
  const { data: all } = read;
  const { id, token, application_id: application, channel, guild_id: guild } = all;
  const user = all.member?.user ?? all.user;
  // In a conversation of other people Deputy is not a part of, nothing is heard.
  if (user === undefined || user.bot || all.context === 2) return NOTHING;
  const interaction = { id, token, application };
  const isThread = THREADS.has(channel.type);
  const group = isThread ? (channel.parent_id ?? channel.id) : channel.id;
  const happened = {
    id: `i${id}`,
    place: channel.id,
    ...(guild !== undefined && { group }),
    by: personOf(user),
  };
  switch (all.type) {
    case 2: {
      const [given] = all.data.options.map(({ value }) => String(value));
      const text = all.data.name === "ask" ? (given ?? "") : `/${all.data.name}`;
      return { kind: "command", said: { kind: "said", ...happened, text, files: [] }, interaction };
    }
    case 3: {
      const button = buttonIds.read(all.data.custom_id);
      if (button === undefined) return NOTHING;
      const pressed = { kind: "pressed" as const, ...happened, data: button.data, ref: all.message.id };
      return { kind: "pressed", pressed, asks: button.asks, interaction };
    }
    default: {
      const form = formIds.read(all.data.custom_id);
      if (form === undefined) return NOTHING;
      const reason = all.data.components
        .map(({ component }) => component?.value.trim() ?? "")
        .find((value) => value !== "");
      const pressed = {
        kind: "pressed" as const,
        ...happened,
        ...form,
        ...(reason !== undefined && { reason }),
      };
      return { kind: "pressed", pressed, asks: false, interaction };
    }
  }
}

function personOf({ id, username, global_name: name }: z.infer<typeof userSchema>) {
  return { id, name: name ?? username };
}

function fileOf({
  filename: name,
  content_type: type,
  size,
  url,
}: z.infer<typeof messageSchema>["attachments"][number]): DiscordFile {
  const mimeType = type?.split(";", 1)[0]?.trim() ?? "application/octet-stream";
  return { name, mimeType, url, ...(size !== undefined && { size }) };
}

/** As people see it: without Deputy's own name, others by theirs. */
function readText(content: string, mentions: readonly z.infer<typeof userSchema>[], me: string): string {
  return content
    .replaceAll(/<@!?(\d+)>/g, (all, id: string) => {
      if (id === me) return "";
      const found = mentions.find((one) => one.id === id);
      return found === undefined ? all : `@${found.username}`;
    })
    .trim();
}
