import type { Heard, HeardFile } from "@deputy/channels";
import { z } from "zod";

/** What a button of a modal must know when it comes back, also after a restart. */
export const askedSchema = z.object({ place: z.string(), ref: z.string(), data: z.string() });

/** They become part of a session's key. */
const idSchema = z.string().regex(/^[A-Za-z0-9]+$/);
const stampSchema = z.string().regex(/^\d+\.\d+$/);

const fileSchema = z.object({
  name: z.string().default("file"),
  mimetype: z.string().default("application/octet-stream"),
  size: z.number().optional(),
  url_private_download: z.string().optional(),
  url_private: z.string().optional(),
});
const saidSchema = z.object({
  user: idSchema.optional(),
  bot_id: z.string().optional(),
  text: z.string().default(""),
  ts: stampSchema,
  thread_ts: stampSchema.optional(),
  files: z.array(fileSchema).default([]),
  edited: z.object({ ts: stampSchema }).optional(),
});
const eventSchema = z.discriminatedUnion("type", [
  saidSchema.extend({
    type: z.literal("message"),
    channel: idSchema,
    channel_type: z.string().optional(),
    subtype: z.string().optional(),
    message: saidSchema.optional(),
  }),
  saidSchema.extend({ type: z.literal("app_mention"), channel: idSchema }),
]);
const homeSchema = z.object({
  type: z.literal("app_home_opened"),
  user: idSchema,
  tab: z.literal("home"),
  event_ts: stampSchema,
});
const commandSchema = z.object({
  command: z.string(),
  text: z.string().default(""),
  user_id: idSchema,
  user_name: z.string().default(""),
  trigger_id: z.string(),
});
const actionsSchema = z.object({
  type: z.literal("block_actions"),
  trigger_id: z.string(),
  user: z.object({ id: idSchema, name: z.string().default("") }),
  channel: z.object({ id: idSchema }),
  message: z.object({ ts: stampSchema, thread_ts: stampSchema.optional() }),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().default(""), action_ts: z.string() })),
});
const submittedSchema = z.object({
  type: z.literal("view_submission"),
  user: z.object({ id: idSchema, name: z.string().default("") }),
  view: z.object({
    id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))),
    }),
  }),
});

/** What has happened in Slack, before it is known what to do with it. */
export type Envelope =
  | { readonly kind: "said"; readonly said: Omit<Heard & { kind: "said" }, "files"> & { files: SlackFile[] } }
  | {
      readonly kind: "pressed";
      readonly pressed: PressedInSlack;
      readonly actionId: string;
      readonly trigger: string;
    }
  | { readonly kind: "submitted"; readonly pressed: PressedInSlack }
  | { readonly kind: "looked"; readonly id: string; readonly by: Heard["by"] }
  /** A slash command: it is said in no thread. */
  | { readonly kind: "command"; readonly id: string; readonly by: Heard["by"]; readonly text: string }
  | { readonly kind: "nothing" };

export type PressedInSlack = Omit<Heard & { kind: "pressed" }, "tell">;
export type SlackFile = Omit<HeardFile, "read"> & { readonly url: string };

/** Slack marks conversations of two with a D. */
const isAlone = (channel: string): boolean => channel.startsWith("D");

/** `me` is Deputy's own id there. What does not look like anything known is nothing. */
export function readEnvelope(type: string, body: unknown, me: string): Envelope {
  if (type === "slash_commands") return readCommand(body);
  if (type === "events_api") return readEvent((body as { event?: unknown } | undefined)?.event, me);
  if (type !== "interactive") return { kind: "nothing" };
  const actions = actionsSchema.safeParse(body);
  if (actions.success) {
    const { user, channel, message, actions: all, trigger_id: trigger } = actions.data;
    const [action] = all;
    if (action === undefined) return { kind: "nothing" };
    const id = `a${channel.id}.${message.ts}.${action.action_ts}`;
    const where = whereOf(channel.id, message.thread_ts ?? message.ts);
    const by = { id: user.id, name: user.name };
    const pressed = { kind: "pressed" as const, id, ...where, by, data: action.value, ref: message.ts };
    return { kind: "pressed", pressed, actionId: action.action_id, trigger };
  }
  const submitted = submittedSchema.safeParse(body);
  return submitted.success ? readSubmission(submitted.data) : { kind: "nothing" };
}

function readSubmission({ user, view }: z.infer<typeof submittedSchema>): Envelope {
  const asked = askedSchema.safeParse(jsonOf(view.private_metadata));
  if (!asked.success) return { kind: "nothing" };
  const { place, ref, data } = asked.data;
  const [channel = "", thread = ""] = place.split("--");
  const reason = Object.values(view.state.values)
    .flatMap((inputs) => Object.values(inputs))
    .map(({ value }) => value?.trim() ?? "")
    .find((value) => value !== "");
  const by = { id: user.id, name: user.name };
  const pressed = { kind: "pressed" as const, id: `v${view.id}`, ...whereOf(channel, thread), by, data, ref };
  return { kind: "submitted", pressed: reason === undefined ? pressed : { ...pressed, reason } };
}

function readCommand(body: unknown): Envelope {
  const read = commandSchema.safeParse(body);
  if (!read.success) return { kind: "nothing" };
  const { user_id: id, user_name: name, text, trigger_id: trigger } = read.data;
  const said = text.trim();
  return {
    kind: "command",
    id: `s${trigger}`,
    by: { id, name },
    text: /^(?:help)?$/i.test(said) ? "/help" : said,
  };
}

function readEvent(event: unknown, me: string): Envelope {
  const home = homeSchema.safeParse(event);
  if (home.success) {
    const { user, event_ts: at } = home.data;
    return { kind: "looked", id: `h${user}.${at}`, by: { id: user, name: user } };
  }
  const read = eventSchema.safeParse(event);
  if (!read.success) return { kind: "nothing" };
  const { data } = read;
  const { channel } = data;
  // In a channel, what is said to Deputy comes as a mention of it.
  if (data.type === "message" && data.channel_type !== "im") return { kind: "nothing" };
  const subtype = data.type === "message" ? data.subtype : undefined;
  const isEdit = subtype === "message_changed";
  const said = isEdit && data.type === "message" ? data.message : data;
  if (said === undefined || (isEdit && said.edited === undefined)) return { kind: "nothing" };
  if (subtype !== undefined && !isEdit && subtype !== "file_share") return { kind: "nothing" };
  if (said.user === undefined || said.user === me || said.bot_id !== undefined) return { kind: "nothing" };
  const text = readText(said.text, me);
  const files = said.files.flatMap(
    ({ name, mimetype: mimeType, size, url_private_download, url_private }) => {
      const url = url_private_download ?? url_private;
      return url === undefined ? [] : [{ name, mimeType, url, ...(size !== undefined && { size }) }];
    },
  );
  if (text === "" && files.length === 0) return { kind: "nothing" };
  return {
    kind: "said",
    said: {
      kind: "said",
      id: `m${channel}.${said.ts}${isEdit ? `e${said.edited?.ts ?? ""}` : ""}`,
      ...whereOf(channel, said.thread_ts ?? said.ts),
      by: { id: said.user, name: said.user },
      // Slack keeps what begins with a slash to itself.
      text: isEdit ? `I meant: ${text}` : text.replace(/^!(?=(?:new|stop|help)\b)/, "/"),
      files,
    },
  };
}

function whereOf(channel: string, thread: string) {
  return { place: `${channel}--${thread}`, ...(isAlone(channel) ? {} : { group: channel }) };
}

/** As people see it: without Deputy's own name, links as their addresses. */
function readText(text: string, me: string): string {
  return text
    .replaceAll(`<@${me}>`, "")
    .replaceAll(/<(?:mailto:)?([^<>|]+)\|([^<>]*)>/g, (_all, target: string, label: string) =>
      /^[@#!]/.test(target) || label === target ? label : `${label} (${target})`,
    )
    .replaceAll(/<([^<>]+)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
