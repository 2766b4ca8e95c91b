import { z } from "zod";
import { escapeHtml } from "./escape-html.ts";

const plain = z.strictObject({ type: z.literal("plain_text"), text: z.string().min(1).max(75) });
const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
  })
  .optional();
const element = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1), style }),
  z.strictObject({ type: z.literal("link"), url: z.url(), text: z.string().min(1), style }),
]);
const richText = z.strictObject({
  type: z.literal("rich_text"),
  elements: z
    .array(
      z.strictObject({
        type: z.enum(["rich_text_section", "rich_text_preformatted", "rich_text_quote"]),
        elements: z.array(element).min(1),
      }),
    )
    .min(1),
});
const actions = z.strictObject({
  type: z.literal("actions"),
  elements: z
    .array(
      z.strictObject({
        type: z.literal("button"),
        action_id: z.string().min(1).max(255),
        text: plain,
        value: z.string().max(2_000),
        style: z.enum(["primary", "danger"]).optional(),
      }),
    )
    .min(1)
    .max(25)
    .refine(
      (all) => new Set(all.map((one) => one.action_id)).size === all.length,
      "action_id already exists",
    ),
});
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue("is no JSON");
        return z.NEVER;
      }
    })
    .pipe(schema);
export const blocksSchema = z.array(z.discriminatedUnion("type", [richText, actions])).max(50);
const message = {
  channel: z.string(),
  text: z.string().max(40_000).optional(),
  blocks: json(blocksSchema).optional(),
  unfurl_links: z.enum(["true", "false"]).optional(),
  unfurl_media: z.enum(["true", "false"]).optional(),
};
const view = z.strictObject({
  type: z.literal("modal"),
  title: plain.extend({ text: z.string().max(24) }),
  submit: plain,
  close: plain,
  private_metadata: z.string().max(3_000),
  blocks: z.array(
    z.strictObject({
      type: z.literal("input"),
      block_id: z.string(),
      optional: z.boolean(),
      label: z.strictObject({ type: z.literal("plain_text"), text: z.string().max(2_000) }),
      element: z.strictObject({
        type: z.literal("plain_text_input"),
        action_id: z.string(),
        multiline: z.boolean(),
        max_length: z.int().max(3_000),
      }),
    }),
  ),
});

/** The methods of the Web API that an app of this kind uses, with what each takes, as Slack documents it. */
export const SLACK_METHODS = {
  "auth.test": z.strictObject({}),
  "apps.connections.open": z.strictObject({}),
  "chat.postMessage": z.strictObject({ ...message, thread_ts: z.string().optional() }),
  "chat.update": z.strictObject({ ...message, ts: z.string() }),
  "chat.postEphemeral": z.strictObject({
    channel: z.string(),
    thread_ts: z.string().optional(),
    user: z.string(),
    text: z.string().min(1),
  }),
  "conversations.open": z.strictObject({ users: z.string().regex(/^[UW]/) }),
  "files.getUploadURLExternal": z.strictObject({
    filename: z.string().min(1),
    length: z.coerce.number().int().min(1),
  }),
  "files.completeUploadExternal": z.strictObject({
    files: json(z.array(z.strictObject({ id: z.string(), title: z.string().optional() })).length(1)),
    channel_id: z.string(),
    thread_ts: z.string().optional(),
  }),
  "views.publish": z.strictObject({
    user_id: z.string().regex(/^[UW]/),
    view: json(z.strictObject({ type: z.literal("home"), blocks: blocksSchema })),
  }),
  "views.open": z.strictObject({ trigger_id: z.string(), view: json(view) }),
} as const;
export type SlackMethod = keyof typeof SLACK_METHODS;
export type SlackBlocks = z.infer<typeof blocksSchema>;

/** What people see of blocks. */
export function shownInSlack(blocks: SlackBlocks): {
  readonly text: string;
  readonly html: string;
  readonly buttons: readonly SlackButton[];
} {
  // Each part begins on a line of its own.
  const text = blocks
    .flatMap((block) => (block.type === "rich_text" ? block.elements : []))
    .map(({ elements }) => elements.map((one) => one.text).join(""))
    .join("\n");
  const buttons = blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
  return {
    text,
    html: slackHtml(blocks),
    buttons: buttons.map((one) => ({ label: one.text.text, actionId: one.action_id, value: one.value })),
  };
}

/** The same as a browser shows it; the text is escaped. */
function slackHtml(blocks: SlackBlocks): string {
  return blocks
    .flatMap((block) => (block.type === "rich_text" ? block.elements : []))
    .map(({ type, elements }) => {
      const inner = elements.map((one) =>
        Object.keys(one.style ?? {}).reduce(
          (text, name) => tag(TAGS[name] ?? "span", text),
          escapeHtml(one.text),
        ),
      );
      return tag(TAGS[type] ?? "div", inner.join(""));
    })
    .join("");
}

const TAGS: Readonly<Record<string, string>> = {
  rich_text_preformatted: "pre",
  rich_text_quote: "blockquote",
  bold: "b",
  italic: "i",
  strike: "s",
  code: "code",
};

function tag(name: string, inner: string): string {
  return `<${name}>${inner}</${name}>`;
}

export interface SlackButton {
  readonly label: string;
  readonly actionId: string;
  readonly value: string;
}
