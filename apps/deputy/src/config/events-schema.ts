import { z } from "zod";
import { secretReference } from "./secret-reference.ts";
import { later, now } from "./setting.ts";

/** The names that hooks and sources may have: a task names either. */
export const EVENT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const name = z.string().regex(EVENT_NAME, "must have small letters, digits and hyphens, such as `orders`");
const secret = secretReference.refine(
  (text) => text !== "",
  "must be a reference, `env:NAME` or `file:/path`",
);

const imap = z
  .strictObject({
    type: z.literal("imap"),
    name,
    host: z.string().min(1),
    port: z.int().min(1).max(65_535).optional(),
    secure: z.enum(["tls", "starttls", "none"]).default("tls"),
    user: z.string().min(1),
    password: secret.optional(),
    accessToken: secret.optional(),
    mailbox: z.string().min(1).default("INBOX"),
  })
  .refine(
    ({ password, accessToken }) => (password === undefined) !== (accessToken === undefined),
    "must have either password or accessToken",
  );

const files = z.strictObject({
  type: z.literal("files"),
  name,
  path: z.string().regex(/^(?:\/|~\/|[A-Za-z]:[\\/])/, "must be a whole path, or begin with `~/`"),
  glob: z.string().min(1).optional(),
  on: z
    .array(z.enum(["created", "changed", "removed"]))
    .min(1)
    .default(["created", "changed"]),
});

/** The sources that are watched, in addition to the addresses of hooks. */
export const eventsSchema = z
  .array(z.discriminatedUnion("type", [imap, files]))
  .refine((sources) => new Set(sources.map((source) => source.name)).size === sources.length, {
    message: "must have another name for each",
  })
  .default([]);

export type EventSettings = z.infer<typeof eventsSchema>[number];

const ids = z
  .array(z.union([z.string().min(1).max(200), z.int()]).transform(String))
  .max(1_000)
  .default([]);
const chatApp = (soon: typeof now) => ({
  enabled: soon(z.boolean().default(false), "Whether the chat app is connected"),
  botToken: soon(secretReference.optional(), "A reference to the bot's token"),
  allowedUserIds: soon(
    ids,
    "Who may talk to Deputy there, besides those who pair: the numbers or ids that the app gives, never names. What they say is your word",
  ),
  guestIds: soon(
    ids,
    "Who else may talk to Deputy there. What they say is a stranger's word, and they approve nothing; but they can learn whatever Deputy can read for you",
  ),
  groupIds: soon(ids, "The groups in which Deputy hears those who may talk to it; in no others"),
});

/** The chat apps that Deputy talks in. */
export const adaptersSchema = z
  .strictObject({
    telegram: z
      .strictObject({
        ...chatApp(now),
        mode: later(z.enum(["polling", "webhook"]).default("polling"), "How messages arrive"),
        apiRoot: now(
          z.url({ protocol: /^https?$/ }).optional(),
          "Where Telegram's Bot API is, for a server of your own; absent: at Telegram",
        ),
      })
      .prefault({}),
    slack: z
      .strictObject({
        ...chatApp(later),
        appToken: later(secretReference.optional(), "A reference to the app's token"),
        socketMode: later(z.boolean().default(true), "Whether Slack connects without a public address"),
      })
      .prefault({}),
    discord: z.strictObject(chatApp(later)).prefault({}),
  })
  .prefault({});
