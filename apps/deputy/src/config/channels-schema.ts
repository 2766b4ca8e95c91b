import { z } from "zod";
import { secretReference } from "./secret-reference.ts";
import { later, now } from "./setting.ts";

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

const address = z
  .string()
  .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, "must be a mail address such as `ada@example.org`");

/** Notifications by mail (`docs/mail.md`). */
const mailSchema = z
  .strictObject({
    enabled: now(z.boolean().default(false), "Whether Deputy can send you mail"),
    host: now(z.string().min(1).max(255).optional(), "The mail server that sends it (SMTP)"),
    port: now(
      z.int().min(1).max(65_535).optional(),
      "Its port; default 465 for `tls`, 587 for `starttls`, 25 for `none`",
    ),
    secure: now(
      z.enum(["tls", "starttls", "none"]).default("tls"),
      "How the connection is encrypted; `none` only for a server on this machine or in a network that you trust",
    ),
    user: now(z.string().min(1).max(320).optional(), "The name to sign in with; absent: no sign-in"),
    password: now(secretReference.optional(), "A reference to the password"),
    from: now(address.optional(), "The sender's address; default `user`"),
    to: now(z.array(address).max(10).default([]), "Your addresses: what Deputy sends goes to all of them"),
    replyTo: now(address.optional(), "Where your answers go, if not to `from`"),
    answersFrom: now(
      z.string().min(1).max(63).optional(),
      "The mailbox of `events`, by its name, in which your answers arrive; absent: nothing is answered by mail",
    ),
  })
  .prefault({});

/** Notifications on phones and desktops (`docs/push.md`). */
const pushSchema = z
  .strictObject({
    enabled: now(z.boolean().default(false), "Whether Deputy can notify your phones and browsers"),
    contact: now(
      z
        .string()
        .regex(/^(?:mailto:|https:\/\/)\S+$/, "must begin with `mailto:` or `https://`")
        .default("mailto:deputy@example.org"),
      "An address of yours that push services are told, in case of trouble; some need a real one",
    ),
    origins: now(
      z
        .array(z.url({ protocol: /^https?$/ }))
        .max(20)
        .default([]),
      "Push services in your own network that browsers may name, such as `https://push.home.example`; Deputy refuses all others there",
    ),
    ntfy: z
      .strictObject({
        server: now(z.url({ protocol: /^https?$/ }).default("https://ntfy.sh"), "The ntfy server"),
        topicSecret: now(
          secretReference.optional(),
          "A reference to the topic: who knows it can read along; absent: no ntfy",
        ),
        token: now(secretReference.optional(), "A reference to the access token, if the server needs one"),
        content: now(
          z.enum(["short", "full"]).default("short"),
          "`short`: that something is there. `full`: also what, which the ntfy server can read",
        ),
      })
      .prefault({}),
  })
  .prefault({});

const NAME = /^[a-z][a-z0-9]{1,30}$/;
const KNOWN: ReadonlySet<string> = new Set(["telegram", "slack", "discord", "mail", "push", "others"]);

/** Chat apps that Deputy does not know itself, by the name that they have here (`docs/adapters.md`). */
const othersSchema = z
  .record(
    z
      .string()
      .regex(NAME, "must be a name of small letters and digits")
      .refine((name) => !KNOWN.has(name), "is the name of something that Deputy knows itself"),
    z.strictObject({
      enabled: z.boolean().default(false),
      module: z.string().min(1),
      settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
      secrets: z.record(z.string(), secretReference).default({}),
      allowedUserIds: ids,
      guestIds: ids,
      groupIds: ids,
    }),
  )
  .default({});

/** The chat apps that Deputy talks in, and its ways to reach you besides. */
export const adaptersSchema = z
  .strictObject({
    telegram: z
      .strictObject({
        ...chatApp(now),
        mode: now(
          z.enum(["polling", "webhook"]).default("polling"),
          "How messages arrive: Deputy asks Telegram, or Telegram comes to an address of yours (`docs/telegram.md`)",
        ),
        webhook: z
          .strictObject({
            url: now(
              z.url({ protocol: /^https?$/ }).optional(),
              "The address that Telegram comes to, with https, at a proxy of yours",
            ),
            host: now(z.string().min(1).default("127.0.0.1"), "Where that proxy reaches Deputy"),
            port: now(z.int().min(1).max(65_535).default(18_790), "The port there"),
          })
          .prefault({}),
        apiRoot: now(
          z.url({ protocol: /^https?$/ }).optional(),
          "Where Telegram's Bot API is, for a server of your own; absent: at Telegram",
        ),
      })
      .prefault({}),
    slack: z
      .strictObject({
        ...chatApp(now),
        appToken: now(
          secretReference.optional(),
          "A reference to the app's token, with which Deputy connects",
        ),
        socketMode: later(z.boolean().default(true), "Slack is always connected without a public address"),
        apiRoot: now(z.url({ protocol: /^https?$/ }).optional(), "Where Slack's API is; absent: at Slack"),
      })
      .prefault({}),
    discord: z
      .strictObject({
        ...chatApp(now),
        apiRoot: now(
          z.url({ protocol: /^https?$/ }).optional(),
          "Where Discord's API is; absent: at Discord",
        ),
      })
      .prefault({}),
    others: now(
      othersSchema,
      "Chat apps by adapters of your own: by name, `module` (the file), `settings`, `secrets` (references), and who may talk, as for the others",
    ),
    mail: mailSchema,
    push: pushSchema,
  })
  .prefault({});

/** `8-21`, `08:30-21:00`, over midnight `22-6`. */
const HOURS = /^(?:[01]?\d|2[0-4])(?::[0-5]\d)?-(?:[01]?\d|2[0-4])(?::[0-5]\d)?$/;
export const hoursSchema = z.string().regex(HOURS, "must be hours such as 8-21 or 08:30-21:00");
export const zoneSchema = z.string().refine(isTimeZone, "must be a time zone such as `Europe/Vienna`");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Where what Deputy says without being asked goes, and when. */
export const notificationsSchema = z
  .strictObject({
    deliverTo: now(
      z.string().min(1).max(200).default("last"),
      "Where notifications go that name no place: `last` for the conversation that you used last, a chat app such as `telegram`, `mail`, `push`, or a session",
    ),
    quietHours: now(
      hoursSchema.optional(),
      "The hours in which no phone rings, such as 22-7: what was not asked for waits for their end and comes as one message",
    ),
    timeZone: now(zoneSchema.optional(), "The time zone of these hours; default the machine's"),
    pageUrl: now(
      z.url({ protocol: /^https?$/ }).optional(),
      "Where you reach Deputy's page, for links in mails and pushes; default the daemon's own address, which works only on this machine",
    ),
  })
  .prefault({});
