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
      "Where notifications go that name no place: `last` for the conversation that you used last, a chat app such as `telegram`, or a session",
    ),
    quietHours: now(
      hoursSchema.optional(),
      "The hours in which no phone rings, such as 22-7: what was not asked for waits for their end and comes as one message",
    ),
    timeZone: now(zoneSchema.optional(), "The time zone of these hours; default the machine's"),
  })
  .prefault({});
